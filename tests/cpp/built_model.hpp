/// Small models with random parameters.
#pragma once

#include <cmath>
#include <cstdint>

#include "models/transformer.hpp"
#include "multi_head_attention.hpp"
#include "random_tensor.hpp"

namespace mha::test {

inline models::TransformerConfig smallConfig() {
  using namespace models;
  TransformerConfig config{.width = 12,
                           .heads = 4,
                           .kvHeads = 4,
                           .headDim = 3,
                           .innerWidth = 17,
                           .gated = false,
                           .activation = ActivationFunction::gelu,
                           .norm = {.kind = NormKind::layer, .epsilon = 1e-5F},
                           .placement = NormPlacement::before,
                           .blocks = 2};
  config.layers = {{.scale = 0.6F, .block = 0}, {.scale = 0.5F, .block = 1}};
  return config;
}

/// A model with random parameters, and these.
struct Built {
  explicit Built(const models::TransformerConfig& config) : model(config) {
    model.nameParameters("", parameters);
    std::uint64_t seed = 1;
    for (const auto& [name, shape] : parameters.shapes()) {
      Tensor tensor = randomTensor(shape, seed++);
      const bool isVector = shape.size() == 1;
      const float scale = isVector ? 0.3F : 1.0F / std::sqrt(static_cast<float>(shape[1]));
      for (float& value : tensor)
        value = value * scale + (isVector && name.ends_with("weight") ? 1.0F : 0.0F);
      parameters.write(name, {.bytes = reinterpret_cast<const std::uint8_t*>(tensor.data()),
                              .rows = isVector ? 1 : shape[0],
                              .columns = shape.back()});
      values.emplace(name, tensor);
    }
  }

  models::Transformer model;
  models::Parameters parameters;
  StateDict values;
};

}  // namespace mha::test
