#include <algorithm>
#include <array>

#include "multi_head_attention.hpp"
#include "row_sums.hpp"
#include "wrong_argument.hpp"

namespace mha {
namespace {

/// Zeroes `grad` (count,) where the relu gave zero.
void reluGradient(const float* activated, std::size_t count, float* grad) {
  for (std::size_t i = 0; i < count; ++i) {
    if (activated[i] <= 0.0F) grad[i] = 0.0F;
  }
}

/// (B,all,width) → (B,rows,width), in place: keeps the first `rows` rows of each batch item.
void dropAppended(std::size_t batch, std::size_t rows, std::size_t all, std::size_t width, float* grad) {
  for (std::size_t b = 1; b < batch && rows < all; ++b) {
    std::copy_n(grad + b * all * width, rows * width, grad + b * rows * width);
  }
}

}  // namespace

/// Returns the gradient of the contexts (B,L,H·d_v), given that of the output; writes the gradients of the
/// output projection.
std::vector<float> MultiHeadAttention::outputGradient(const TensorView& gradOutput,
                                                      const GradientTargets& targets) {
  std::vector<float> gradY(gradOutput.data(), gradOutput.data() + gradOutput.size());
  if (config_.activation == Activation::relu) {
    reluGradient(record_.output.data(), gradY.size(), gradY.data());
  }
  const std::size_t rows = record_.sizes.batch * record_.sizes.queries;
  std::vector<float> gradContext(sizeOf({rows, output_.inFeatures()}));
  linearGradient_(output_, rows, record_.concat.data(), gradY.data(),
                  {.x = gradContext.data(),
                   .weight = targets.parameters.at("out_proj.weight"),
                   .bias = config_.bias ? targets.parameters.at("out_proj.bias") : nullptr});
  return gradContext;
}

/// Returns the gradients of the projected inputs, before RoPE, given that of the contexts.
MultiHeadAttention::ProjectedGradients MultiHeadAttention::attentionGradient(
    const std::vector<float>& gradContext) {
  const auto& [batched, batch, queries, newKeys, keys, columns] = record_.sizes;
  const std::size_t heads = config_.numHeads;
  const std::size_t kvHeads = config_.numKvHeads;
  std::vector<float> q(record_.q.data(), record_.q.data() + batch * queries * query_.outFeatures());
  std::vector<float> k(record_.k.data(), record_.k.data() + batch * columns * key_.outFeatures());
  ProjectedGradients gradients{.q = std::vector<float>(q.size()),
                               .k = std::vector<float>(k.size()),
                               .v = std::vector<float>(batch * columns * value_.outFeatures())};
  const Heads<float> qHeads = splitHeads(q.data(), queries, heads, config_.headDim);
  const Heads<float> kHeads = splitHeads(k.data(), columns, kvHeads, config_.headDim);
  const Heads<float> gradQ = splitHeads(gradients.q.data(), queries, heads, config_.headDim);
  const Heads<float> gradK = splitHeads(gradients.k.data(), columns, kvHeads, config_.headDim);
  const Heads<float> gradV = splitHeads(gradients.v.data(), columns, kvHeads, config_.valueHeadDim);
  if (rotary_) {
    rotary_->apply(qHeads, batch, heads, queries, 0, record_.positions);
    rotary_->apply(kHeads, batch, kvHeads, keys, 0, record_.positions);
  }
  attentionGradient_(
      {batch, heads, kvHeads, queries, columns, config_.headDim, config_.valueHeadDim},
      {.inputs = {qHeads, kHeads, splitHeads(record_.v.data(), columns, kvHeads, config_.valueHeadDim)},
       .softmaxWeights = record_.hasDropout ? record_.softmaxWeights.data() : record_.droppedWeights.data(),
       .droppedWeights = record_.droppedWeights.data(),
       .scaled = record_.softcap != 0.0F ? record_.scaled.data() : nullptr,
       .scale = record_.scale,
       .softcap = record_.softcap,
       .gradContext = splitHeads(gradContext.data(), queries, heads, config_.valueHeadDim)},
      {gradQ, gradK, gradV});
  if (rotary_) {
    rotary_->applyInverse(gradQ, batch, heads, queries, 0, record_.positions);
    rotary_->applyInverse(gradK, batch, kvHeads, keys, 0, record_.positions);
  }
  return gradients;
}

/// Computes the gradients of inputs and projections from those of the projected inputs, which it overwrites.
void MultiHeadAttention::projectionGradients(ProjectedGradients& projected, const GradientTargets& targets) {
  const auto& [batched, batch, queries, newKeys, keys, columns] = record_.sizes;
  struct Projection {
    const Linear& linear;
    const char* name;
    std::size_t rows;  // projected rows per batch item
    std::size_t all;   // rows per batch item with the learned and the zero key
    const float* x;
    const float* y;
    float* gradY;
    float* gradX;
  };
  const std::array<Projection, 3> projections{
      {{query_, "q_proj_weight", queries, queries, record_.query.data(), record_.q.data(), projected.q.data(),
        targets.query},
       {key_, "k_proj_weight", keys, columns, record_.key.data(), record_.k.data(), projected.k.data(),
        targets.key},
       {value_, "v_proj_weight", keys, columns, record_.value.data(), record_.v.data(), projected.v.data(),
        targets.value}}};
  const bool packed = packsInProjection();
  float* packedWeight = packed ? targets.parameters.at("in_proj_weight") : nullptr;
  float* bias = config_.bias ? targets.parameters.at("in_proj_bias") : nullptr;
  for (const Projection& p : projections) {
    const std::size_t width = p.linear.outFeatures();
    if (config_.activation == Activation::relu) reluGradient(p.y, batch * p.all * width, p.gradY);
    dropAppended(batch, p.rows, p.all, width, p.gradY);
    linearGradient_(
        p.linear, batch * p.rows, p.x, p.gradY,
        {.x = p.gradX, .weight = packed ? packedWeight : targets.parameters.at(p.name), .bias = bias});
    if (packed) packedWeight += width * p.linear.inFeatures();
    if (bias != nullptr) bias += width;
  }
}

LayerGradients MultiHeadAttention::backward(const TensorView& gradOutput) {
  const CallSizes& sizes = record_.sizes;
  LayerGradients gradients{
      .query = allocate(sizes.withBatching({sizes.batch, sizes.queries, config_.embedDim})),
      .key = allocate(sizes.withBatching({sizes.batch, sizes.keys, config_.kdim})),
      .value = allocate(sizes.withBatching({sizes.batch, sizes.keys, config_.vdim})),
      .parameters = {}};
  GradientTargets targets{gradients.query.data(), gradients.key.data(), gradients.value.data(), {}};
  for (const auto& [name, shape] : expectedShapes(packsInProjection())) {
    targets.parameters[name] = gradients.parameters.emplace(name, allocate(shape)).first->second.data();
  }
  backward(gradOutput, targets);
  return gradients;
}

void MultiHeadAttention::backward(const TensorView& gradOutput, const GradientTargets& targets) {
  if (!record_.valid) {
    throw WrongArgument("backward",
                        "follow a forward with training: true, without a cache and with the same parameters");
  }
  const CallSizes& sizes = record_.sizes;
  const Shape expected = sizes.withBatching({sizes.batch, sizes.queries, config_.outDim});
  if (Shape(gradOutput.shape()) != expected) {
    throwShape("gradOutput", "have shape " + toText(expected) + " of the output", gradOutput.shape());
  }
  ProjectedGradients projected = attentionGradient(outputGradient(gradOutput, targets));
  if (config_.addBiasKv) {
    /// The gradient of a learned row, which each batch item has.
    const auto learned = [&](const char* name, const Linear& projection, const std::vector<float>& grad) {
      const std::size_t width = projection.outFeatures();
      float* sum = targets.parameters.at(name);
      std::fill_n(sum, width, 0.0F);
      addRows(sizes.batch, width, grad.data() + sizes.keys * width, sizes.columns * width, sum);
    };
    learned("bias_k", key_, projected.k);
    learned("bias_v", value_, projected.v);
  }
  projectionGradients(projected, targets);
}

}  // namespace mha
