#include "training/layers.hpp"

#include <algorithm>
#include <cmath>

#include "elementwise.hpp"
#include "random_weights.hpp"
#include "transformer/activation.hpp"
#include "transformer/norm.hpp"

namespace mha::training {
namespace {

MultiHeadAttentionConfig configOf(std::size_t width, std::size_t heads, DefaultRng& generator) {
  return {.embedDim = width,
          .numHeads = heads,
          .numKvHeads = heads,
          .headDim = width / heads,
          .valueHeadDim = width / heads,
          .kdim = width,
          .vdim = width,
          .outDim = width,
          // The seed is a whole number up to 2⁵³, like seeds from JavaScript.
          .seed = static_cast<std::uint64_t>(std::ldexp(generator.random(), 53))};
}

}  // namespace

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

Norm::Norm(std::size_t width, const std::string& name, Parameters& parameters)
    : width_(width),
      weightSlot_(parameters.add(name + ".weight", {width}, false)),
      biasSlot_(parameters.add(name + ".bias", {width}, false)) {
  std::ranges::fill(parameters.value(weightSlot_), 1.0F);
}

void Norm::forward(std::size_t rows, const float* x, float* y, const Parameters& parameters) {
  layerNorm(rows, width_, x, parameters.value(weightSlot_).data(), parameters.value(biasSlot_).data(), y,
            normalized_.ensure(sizeOf({rows, width_})), inverseDeviations_.ensure(rows));
}

void Norm::backward(std::size_t rows, const float* gradY, float* gradX, Parameters& parameters) {
  const std::span<float> gradWeight = parameters.gradient(weightSlot_);
  const std::span<float> gradBias = parameters.gradient(biasSlot_);
  std::ranges::fill(gradWeight, 0.0F);
  std::ranges::fill(gradBias, 0.0F);
  layerNormBackward(rows, width_, normalized_.data(), inverseDeviations_.data(),
                    parameters.value(weightSlot_).data(), gradY, gradX, gradWeight.data(), gradBias.data());
}

FeedForward::FeedForward(std::size_t width, std::size_t innerWidth, const std::string& prefix,
                         Parameters& parameters, DefaultRng& generator)
    : width_(width),
      innerWidth_(innerWidth),
      norm_(width, prefix + "norm2", parameters),
      first_(width, innerWidth, prefix + "linear1", parameters, generator),
      second_(innerWidth, width, prefix + "linear2", parameters, generator) {}

void FeedForward::load(const Parameters& parameters) {
  first_.load(parameters);
  second_.load(parameters);
}

void FeedForward::forward(std::size_t rows, float* h, const Parameters& parameters) {
  const std::size_t outer = sizeOf({rows, width_});
  const std::size_t inner = sizeOf({rows, innerWidth_});
  float* normed = normed_.ensure(outer);
  float* activated = activated_.ensure(inner);
  float* slopes = slopes_.ensure(inner);
  norm_.forward(rows, h, normed, parameters);
  first_.forward(rows, normed, slopes);
  gelu(inner, slopes, activated, slopes);
  float* output = outer_.ensure(outer);
  second_.forward(rows, activated, output);
  addTo(h, output, outer);
}

void FeedForward::backward(std::size_t rows, float* grad, Parameters& parameters) {
  float* inner = inner_.ensure(rows * innerWidth_);
  float* outer = outer_.ensure(rows * width_);
  second_.backward(rows, activated_.data(), grad, inner, parameters);
  geluBackward(rows * innerWidth_, slopes_.data(), inner);
  first_.backward(rows, normed_.data(), inner, outer, parameters);
  norm_.backward(rows, outer, grad, parameters);
}

SelfAttention::SelfAttention(std::size_t width, std::size_t heads, const std::string& prefix,
                             Parameters& parameters, DefaultRng& generator)
    : norm_(width, prefix + "norm1", parameters), layer_(configOf(width, heads, generator)) {
  for (const auto& [name, tensor] : layer_.stateDict()) {
    const bool decays = tensor.dimension() > 1;
    const Parameters::Slot slot = parameters.add(prefix + "self_attn." + name, Shape(tensor.shape()), decays);
    std::ranges::copy(tensor, parameters.value(slot).begin());
    slots_.emplace(name, slot);
  }
}

void SelfAttention::load(const Parameters& parameters) {
  StateDictView dict;
  for (const auto& [name, slot] : slots_) dict.emplace(name, parameters.view(slot));
  layer_.loadStateDict(dict);
}

Tensor SelfAttention::forward(const Shape& shape, const std::optional<View<std::uint8_t>>& padding,
                              bool training, float* h, const Parameters& parameters) {
  const std::size_t rows = shape[0] * shape[1];
  float* normed = normed_.ensure(sizeOf(shape));
  norm_.forward(rows, h, normed, parameters);
  const TensorView x = viewOf(normed, shape);
  AttentionResult result =
      layer_.forward(x, x, x, {.keyPaddingMask = padding, .needWeights = !training, .training = training});
  addTo(h, result.output.data(), result.output.size());
  return std::move(result.weights).value_or(Tensor());
}

void SelfAttention::backward(const Shape& shape, float* grad, Parameters& parameters) {
  const std::size_t count = sizeOf(shape);
  float* gradNormed = gradQuery_.ensure(count);
  GradientTargets targets{gradNormed, gradKey_.ensure(count), gradValue_.ensure(count), {}};
  for (const auto& [name, slot] : slots_) targets.parameters[name] = parameters.gradient(slot).data();
  layer_.backward(viewOf(grad, shape), targets);
  addTo(gradNormed, targets.key, count);
  addTo(gradNormed, targets.value, count);
  norm_.backward(shape[0] * shape[1], gradNormed, grad, parameters);
}

}  // namespace mha::training
