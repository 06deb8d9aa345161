#include "training/norm.hpp"

#include <algorithm>

#include "transformer/layer_norm.hpp"

namespace mha::training {

Norm::Norm(std::size_t width, const std::string& name, Parameters& parameters)
    : width_(width),
      weightSlot_(parameters.add(name + ".weight", {width}, false)),
      biasSlot_(parameters.add(name + ".bias", {width}, false)),
      weight_(width),
      bias_(width) {
  std::ranges::fill(parameters.value(weightSlot_), 1.0F);
}

void Norm::load(const Parameters& parameters) {
  std::ranges::copy(parameters.value(weightSlot_), weight_.begin());
  std::ranges::copy(parameters.value(biasSlot_), bias_.begin());
}

void Norm::forward(std::size_t rows, const float* x, float* y) {
  layerNorm(rows, width_, x, weight_.data(), bias_.data(), y, normalized_.ensure(sizeOf({rows, width_})),
            inverseDeviations_.ensure(rows));
}

void Norm::backward(std::size_t rows, const float* gradY, float* gradX, Parameters& parameters) {
  const std::span<float> gradWeight = parameters.gradient(weightSlot_);
  const std::span<float> gradBias = parameters.gradient(biasSlot_);
  std::ranges::fill(gradWeight, 0.0F);
  std::ranges::fill(gradBias, 0.0F);
  layerNormBackward(rows, width_, normalized_.data(), inverseDeviations_.data(), weight_.data(), gradY, gradX,
                    gradWeight.data(), gradBias.data());
}

}  // namespace mha::training
