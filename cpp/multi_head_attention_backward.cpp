#include <algorithm>
#include <array>

#include "multi_head_attention.hpp"
#include "row_sums.hpp"
#include "wrong_argument.hpp"

namespace mha {
namespace {

/// What goes back through a relu: nothing where it gave zero.
void reluGradient(const float* activated, std::size_t count, float* grad) {
  for (std::size_t i = 0; i < count; ++i) {
    if (activated[i] <= 0.0F) grad[i] = 0.0F;
  }
}

/// Moves the first `rows` rows of each batch item of (B,all,width) together: (B,rows,width).
void dropAppended(std::size_t batch, std::size_t rows, std::size_t all, std::size_t width, float* grad) {
  for (std::size_t b = 1; b < batch && rows < all; ++b) {
    std::copy_n(grad + b * all * width, rows * width, grad + b * rows * width);
  }
}

/// Row `index` of each batch item of (B,all,width), summed.
Tensor sumOfRow(std::size_t batch, std::size_t index, std::size_t all, std::size_t width, const float* grad) {
  Tensor sum = allocate({1, 1, width});
  std::fill_n(sum.data(), width, 0.0F);
  addRows(batch, width, grad + index * width, all * width, sum.data());
  return sum;
}

}  // namespace

LayerGradients MultiHeadAttention::backward(const TensorView& gradOutput) {
  if (!tape_.recorded) {
    throw WrongArgument("backward",
                        "follow a forward with training: true, without a cache and with the same parameters");
  }
  const auto& [batched, batch, queries, keys] = tape_.sizes;
  const auto withBatching = [batched](const Shape& shape) {
    return batched ? shape : Shape(shape.begin() + 1, shape.end());
  };
  const Shape expected = withBatching({batch, queries, config_.outDim});
  if (Shape(gradOutput.shape()) != expected) {
    throwShape("gradOutput", "have shape " + toText(expected) + " of the output", gradOutput.shape());
  }
  const std::size_t heads = config_.numHeads;
  const std::size_t kvHeads = config_.numKvHeads;
  const std::size_t columns = keys + appendedKeys();
  const bool activates = config_.activation == Activation::relu;

  LayerGradients gradients{.query = allocate(withBatching({batch, queries, config_.embedDim})),
                           .key = allocate(withBatching({batch, keys, config_.kdim})),
                           .value = allocate(withBatching({batch, keys, config_.vdim})),
                           .parameters = {}};
  const bool packed = packsInProjection();
  for (const auto& [name, shape] : expectedShapes(packed))
    gradients.parameters.emplace(name, allocate(shape));
  const auto parameter = [&](const char* name) { return gradients.parameters.at(name).data(); };

  std::vector<float> gradY(gradOutput.data(), gradOutput.data() + gradOutput.size());
  if (activates) reluGradient(tape_.output.data(), gradY.size(), gradY.data());
  std::vector<float> gradContext(sizeOf({batch, queries, output_.inFeatures()}));
  linearGradient_(output_, batch * queries, tape_.concat.data(), gradY.data(),
                  {.x = gradContext.data(),
                   .weight = parameter("out_proj.weight"),
                   .bias = config_.bias ? parameter("out_proj.bias") : nullptr});

  std::vector<float> q(tape_.q.data(), tape_.q.data() + batch * queries * query_.outFeatures());
  std::vector<float> k(tape_.k.data(), tape_.k.data() + batch * columns * key_.outFeatures());
  std::vector<float> gradQ(q.size());
  std::vector<float> gradK(k.size());
  std::vector<float> gradV(batch * columns * value_.outFeatures());
  const Heads<float> qHeads = splitHeads(q.data(), queries, heads, config_.headDim);
  const Heads<float> kHeads = splitHeads(k.data(), columns, kvHeads, config_.headDim);
  const Heads<float> gradQHeads = splitHeads(gradQ.data(), queries, heads, config_.headDim);
  const Heads<float> gradKHeads = splitHeads(gradK.data(), columns, kvHeads, config_.headDim);
  for (std::size_t b = 0; b < batch && rotary_; ++b) {
    rotary_->apply(qHeads, b, heads, queries, 0);
    rotary_->apply(kHeads, b, kvHeads, keys, 0);
  }
  attentionGradient_(
      {batch, heads, kvHeads, queries, columns, config_.headDim, config_.valueHeadDim},
      {.inputs = {qHeads, kHeads, splitHeads(tape_.v.data(), columns, kvHeads, config_.valueHeadDim)},
       .weights = tape_.drops ? tape_.weights.data() : tape_.dropped.data(),
       .dropped = tape_.dropped.data(),
       .scaled = tape_.softcap != 0.0F ? tape_.scaled.data() : nullptr,
       .scale = tape_.scale,
       .softcap = tape_.softcap,
       .gradContext = splitHeads<const float>(gradContext.data(), queries, heads, config_.valueHeadDim)},
      {gradQHeads, gradKHeads, splitHeads(gradV.data(), columns, kvHeads, config_.valueHeadDim)});
  for (std::size_t b = 0; b < batch && rotary_; ++b) {
    rotary_->undo(gradQHeads, b, heads, queries, 0);
    rotary_->undo(gradKHeads, b, kvHeads, keys, 0);
  }
  if (config_.addBiasKv) {
    gradients.parameters["bias_k"] = sumOfRow(batch, keys, columns, kHeads.row, gradK.data());
    gradients.parameters["bias_v"] = sumOfRow(batch, keys, columns, value_.outFeatures(), gradV.data());
  }

  struct Projection {
    const Linear& linear;
    const char* name;
    std::size_t rows;  // per batch item
    std::size_t all;   // with the appended ones
    const float* x;
    const float* y;
    float* gradY;
    Tensor& gradX;
  };
  const std::array<Projection, 3> projections{
      {{query_, "q_proj_weight", queries, queries, tape_.query.data(), tape_.q.data(), gradQ.data(),
        gradients.query},
       {key_, "k_proj_weight", keys, columns, tape_.key.data(), tape_.k.data(), gradK.data(), gradients.key},
       {value_, "v_proj_weight", keys, columns, tape_.value.data(), tape_.v.data(), gradV.data(),
        gradients.value}}};
  float* packedWeight = packed ? parameter("in_proj_weight") : nullptr;
  float* bias = config_.bias ? parameter("in_proj_bias") : nullptr;
  for (const Projection& p : projections) {
    const std::size_t width = p.linear.outFeatures();
    if (activates) reluGradient(p.y, batch * p.all * width, p.gradY);
    dropAppended(batch, p.rows, p.all, width, p.gradY);
    linearGradient_(p.linear, batch * p.rows, p.x, p.gradY,
                    {.x = p.gradX.data(), .weight = packed ? packedWeight : parameter(p.name), .bias = bias});
    if (packed) packedWeight += width * p.linear.inFeatures();
    if (bias != nullptr) bias += width;
  }
  return gradients;
}

}  // namespace mha
