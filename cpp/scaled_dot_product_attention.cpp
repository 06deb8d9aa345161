#include "scaled_dot_product_attention.hpp"

#include <algorithm>
#include <cmath>

namespace mha {
namespace {

/// (…,H,L,d) → (…,H), with H = 1 for a plain (L,d).
Shape leadingOf(const Shape& shape) {
  Shape leading(shape.begin(), shape.end() - 2);
  if (leading.empty()) leading.push_back(1);
  return leading;
}

/// `shape` with its last two dimensions replaced.
Shape withMatrix(Shape shape, std::size_t rows, std::size_t columns) {
  shape[shape.size() - 2] = rows;
  shape[shape.size() - 1] = columns;
  return shape;
}

void requireLeading(const char* name, const TensorView& tensor, const TensorView& query) {
  const Shape& shape = tensor.shape();
  const Shape& expected = query.shape();
  if (shape.size() != expected.size() || !std::equal(shape.begin(), shape.end() - 2, expected.begin())) {
    throwShape(name, "have the leading dimensions of `query` " + toText(expected), shape);
  }
  if (tensor.size() == 0) throwShape(name, "not be empty", shape);
}

}  // namespace

AttentionResult scaledDotProductAttention(const TensorView& query, const TensorView& key,
                                          const TensorView& value, const ScaledDotProductOptions& options) {
  const std::size_t rank = query.dimension();
  if (rank < 2) throwShape("query", "be (..., L, d_k)", query.shape());
  if (query.size() == 0) throwShape("query", "not be empty", query.shape());
  requireLeading("key", key, query);
  requireLeading("value", value, query);
  const std::size_t headDim = query.shape(rank - 1);
  const std::size_t queries = query.shape(rank - 2);
  const std::size_t keys = key.shape(rank - 2);
  const std::size_t valueHeadDim = value.shape(rank - 1);
  if (key.shape(rank - 1) != headDim) {
    throwShape("key", "have last dimension " + std::to_string(headDim) + " (d_k of `query`)", key.shape());
  }
  if (value.shape(rank - 2) != keys) {
    throwShape("value", "have the length " + std::to_string(keys) + " of `key`", value.shape());
  }

  const Shape leading = leadingOf(query.shape());
  const std::size_t heads = leading.back();
  const std::size_t batch = sizeOf(leading) / heads;
  Masking masking;
  masking.causal = options.isCausal;
  if (options.mask) {
    Shape target = leading;
    target.push_back(queries);
    target.push_back(keys);
    masking.masks.push_back(broadcastMask("mask", *options.mask, target));
  }

  AttentionResult result;
  result.output = allocate(withMatrix(query.shape(), queries, valueHeadDim));
  if (options.needWeights) result.weights = allocate(withMatrix(query.shape(), queries, keys));

  const auto contiguous = [heads]<class T>(T* data, std::size_t rows, std::size_t columns) {
    return Heads<T>{data, heads * rows * columns, rows * columns, columns};
  };
  const float scale = options.scale.value_or(1.0F / std::sqrt(static_cast<float>(headDim)));
  Workspace workspace;
  attention({batch, heads, heads, queries, keys, headDim, valueHeadDim},
            contiguous(query.data(), queries, headDim), contiguous(key.data(), keys, headDim),
            contiguous(value.data(), keys, valueHeadDim), scale, masking,
            contiguous(result.output.data(), queries, valueHeadDim),
            result.weights ? result.weights->data() : nullptr, workspace);
  return result;
}

}  // namespace mha
