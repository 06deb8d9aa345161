#include "training/linear_layer.hpp"

#include <cmath>

#include "random_weights.hpp"

namespace mha::training {

LinearLayer::LinearLayer(std::size_t in, std::size_t out, Parameters::Slot weight, Parameters::Slot bias)
    : linear_(in, out), weight_(weight), bias_(bias) {}

LinearLayer::LinearLayer(std::size_t in, std::size_t out, const std::string& name, Parameters& parameters,
                         DefaultRng& generator)
    : linear_(in, out),
      weight_(parameters.add(name + ".weight", {out, in}, true)),
      bias_(parameters.add(name + ".bias", {out}, false)) {
  const double bound = 1.0 / std::sqrt(static_cast<double>(in));
  drawUniform(generator, bound, parameters.value(weight_));
  drawUniform(generator, bound, parameters.value(bias_));
}

void LinearLayer::load(const Parameters& parameters) {
  linear_.set(parameters.value(weight_).data(), parameters.value(bias_).data());
}

void LinearLayer::forward(std::size_t rows, const float* x, float* y) {
  linear_.apply(rows, packed_(rows, linear_.inFeatures(), x), y);
}

void LinearLayer::backward(std::size_t rows, const float* x, const float* gradY, float* gradX,
                           Parameters& parameters) {
  gradient_(
      linear_, rows, x, gradY,
      {.x = gradX, .weight = parameters.gradient(weight_).data(), .bias = parameters.gradient(bias_).data()});
}

}  // namespace mha::training
