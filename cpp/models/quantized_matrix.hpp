/// A weight in 8 bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gemm.hpp"

namespace mha::models {

/// B (k,n) for gemm() in a quarter of the memory: column c is whole numbers times its largest |value| / 127.
/// Rounding changes a value by at most half that factor.
class QuantizedMatrix final : public CompressedMatrix {
 public:
  /// Takes a packed B; its bias is left out. @throws std::bad_alloc
  QuantizedMatrix(std::size_t k, std::size_t n, const float* packed);

  void unpack(std::size_t group, std::size_t first, std::size_t count, float* panels) const override;
  bool multiplyRow(std::size_t /*group*/, const float* /*x*/, const float* /*bias*/,
                   float* /*y*/) const override {
    return false;
  }

 private:
  std::size_t k_;
  std::vector<std::int8_t> values_;  // group by group, each (k,32)
  std::vector<float> factors_;       // by column
};

}  // namespace mha::models
