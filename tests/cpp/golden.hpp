/// The reference data under tests/golden.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace mha::test {

/// The parsed JSON file `name` of tests/golden, for example "torch/mha_self_basic.json".
inline nlohmann::json golden(const std::string& name) {
  std::ifstream file(std::string(MHA_GOLDEN_DIR) + "/" + name);
  if (!file) throw std::runtime_error("cannot open golden file " + name);
  return nlohmann::json::parse(file);
}

}  // namespace mha::test
