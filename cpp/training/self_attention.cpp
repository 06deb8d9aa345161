#include "training/self_attention.hpp"

#include <algorithm>
#include <cmath>

#include "elementwise.hpp"

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

SelfAttention::SelfAttention(std::size_t width, std::size_t heads, const std::string& prefix,
                             Parameters& parameters, DefaultRng& generator)
    : norm_(width, prefix + "norm1", parameters), layer_(configOf(width, heads, generator)) {
  for (const auto& [name, tensor] : layer_.stateDict()) {
    const bool decays = tensor.dimension() > 1;
    const Parameters::Slot slot = parameters.add(prefix + "self_attn." + name, Shape(tensor.shape()), decays);
    std::ranges::copy(tensor, parameters.value(slot).begin());
    parameters_.push_back({name, slot});
  }
}

void SelfAttention::load(const Parameters& parameters) {
  norm_.load(parameters);
  StateDictView dict;
  for (const auto& [name, slot] : parameters_) dict.emplace(name, parameters.view(slot));
  layer_.loadStateDict(dict);
}

Tensor SelfAttention::forward(const Shape& shape, const std::optional<View<std::uint8_t>>& padding,
                              bool training, float* h) {
  const std::size_t rows = shape[0] * shape[1];
  float* normed = normed_.ensure(sizeOf(shape));
  norm_.forward(rows, h, normed);
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
  for (const auto& [name, slot] : parameters_) targets.parameters[name] = parameters.gradient(slot).data();
  layer_.backward(viewOf(grad, shape), targets);
  addTo(gradNormed, targets.key, count);
  addTo(gradNormed, targets.value, count);
  norm_.backward(shape[0] * shape[1], gradNormed, grad, parameters);
}

}  // namespace mha::training
