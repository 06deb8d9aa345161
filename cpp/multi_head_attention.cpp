#include "multi_head_attention.hpp"

#include <cmath>
#include <initializer_list>
#include <string>
#include <vector>

#include "random_weights.hpp"
#include "wrong_argument.hpp"

namespace mha {
namespace {

MultiHeadAttentionConfig checked(const MultiHeadAttentionConfig& config) {
  requirePositive("embedDim", config.embedDim);
  requirePositive("numHeads", config.numHeads);
  requirePositive("numKvHeads", config.numKvHeads);
  requirePositive("headDim", config.headDim);
  requirePositive("valueHeadDim", config.valueHeadDim);
  requirePositive("kdim", config.kdim);
  requirePositive("vdim", config.vdim);
  requirePositive("outDim", config.outDim);
  if (config.numHeads % config.numKvHeads != 0) {
    throw WrongArgument("numKvHeads", "divide numHeads (" + std::to_string(config.numHeads) + "), got " +
                                          std::to_string(config.numKvHeads));
  }
  if (config.rope &&
      (config.rope->dim == 0 || config.rope->dim % 2 != 0 || config.rope->dim > config.headDim)) {
    throw WrongArgument("rope.dim", "be even and from 2 to headDim (" + std::to_string(config.headDim) +
                                        "), got " + std::to_string(config.rope->dim));
  }
  // sizeOf() throws if the widths of the projections overflow.
  sizeOf({config.numHeads, config.headDim});
  sizeOf({config.numHeads, config.valueHeadDim});
  return config;
}

/// The bound of torch.nn.init.xavier_uniform_ (Glorot & Bengio, 2010).
double xavierBound(std::size_t fanIn, std::size_t fanOut) {
  return std::sqrt(6.0 / static_cast<double>(fanIn + fanOut));
}

/// Draws the weight from U(−bound, bound); the bias becomes zero.
void initialise(Linear& linear, double bound, DefaultRng& generator) {
  std::vector<float> weight(linear.inFeatures() * linear.outFeatures());
  drawUniform(generator, bound, weight);
  linear.set(weight.data(), nullptr);
}

}  // namespace

MultiHeadAttention::MultiHeadAttention(const MultiHeadAttentionConfig& config)
    : config_(checked(config)),
      query_(config.embedDim, config.numHeads * config.headDim),
      key_(config.kdim, config.numKvHeads * config.headDim),
      value_(config.vdim, config.numKvHeads * config.valueHeadDim),
      output_(config.numHeads * config.valueHeadDim, config.outDim),
      id_(newLayerIds(1)),
      generator_(config.seed) {
  // torch initialises the packed weight as one matrix, so its fan-out counts all three projections.
  const std::size_t packedOut = query_.outFeatures() + key_.outFeatures() + value_.outFeatures();
  for (Linear* projection : {&query_, &key_, &value_}) {
    const std::size_t fanOut = packsInProjection() ? packedOut : projection->outFeatures();
    initialise(*projection, xavierBound(projection->inFeatures(), fanOut), generator_);
  }
  initialise(output_, 1.0 / std::sqrt(static_cast<double>(output_.inFeatures())), generator_);
  if (config.addBiasKv) {
    // xavier_normal_ takes both fans of a (1,1,n) tensor for n: the deviation is 1/√n.
    const auto learned = [this](std::size_t n) {
      std::vector<float> row(n);
      drawNormal(generator_, 1.0 / std::sqrt(static_cast<double>(n)), row);
      return row;
    };
    biasK_ = learned(key_.outFeatures());
    biasV_ = learned(value_.outFeatures());
  }
  if (config_.rope) rotary_.emplace(std::move(*config_.rope));
}

std::size_t MultiHeadAttention::appendedKeys() const {
  return static_cast<std::size_t>(config_.addBiasKv) + static_cast<std::size_t>(config_.addZeroAttn);
}

Flops MultiHeadAttention::flops(std::size_t queries, std::size_t keys, std::size_t batch) const {
  const auto product = [](std::initializer_list<std::size_t> sizes) {
    double result = 1.0;
    for (const std::size_t size : sizes) result *= static_cast<double>(size);
    return result;
  };
  const auto linear = [&](const Linear& map, std::size_t rows) {
    return product({batch, rows, map.inFeatures(), map.outFeatures()});
  };
  const std::size_t columns = keys + appendedKeys();
  const double maps = product({batch, config_.numHeads, queries, columns});
  return {
      .projections =
          linear(query_, queries) + linear(key_, keys) + linear(value_, keys) + linear(output_, queries),
      .scores = maps * static_cast<double>(config_.headDim),
      .context = maps * static_cast<double>(config_.valueHeadDim),
      .softmax = maps,
  };
}

}  // namespace mha
