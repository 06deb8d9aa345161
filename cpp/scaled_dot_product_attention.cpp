#include "scaled_dot_product_attention.hpp"

#include <algorithm>
#include <cmath>

#include "attention.hpp"

namespace mha {
namespace {

/// `shape` with its last two dimensions replaced.
Shape withMatrix(Shape shape, std::size_t rows, std::size_t columns) {
  shape[shape.size() - 2] = rows;
  shape[shape.size() - 1] = columns;
  return shape;
}

/// (…,H,L,d) → (…,H)
Shape leadingOf(const Shape& shape) { return {shape.begin(), shape.end() - 2}; }

void requireLeading(const char* name, const TensorView& tensor, const char* other, const Shape& expected) {
  const Shape& shape = tensor.shape();
  if (shape.size() != expected.size() + 2 || leadingOf(shape) != expected) {
    throwShape(name, "have the leading dimensions of `" + std::string(other) + "`, " + toText(expected),
               shape);
  }
  if (tensor.size() == 0) throwShape(name, "not be empty", shape);
}

}  // namespace

AttentionResult scaledDotProductAttention(const TensorView& query, const TensorView& key,
                                          const TensorView& value, const ScaledDotProductOptions& options) {
  const std::size_t rank = query.dimension();
  if (rank < 2) throwShape("query", "be (..., L, d_k)", query.shape());
  if (query.size() == 0) throwShape("query", "not be empty", query.shape());
  const std::size_t heads = rank > 2 ? query.shape(rank - 3) : 1;
  std::size_t kvHeads = heads;
  Shape kvLeading = leadingOf(query.shape());
  if (options.enableGqa && rank > 2 && key.dimension() == rank) {
    kvHeads = key.shape(rank - 3);
    if (kvHeads == 0 || heads % kvHeads != 0) {
      throwShape("key", "have a number of heads that divides the " + std::to_string(heads) + " of `query`",
                 key.shape());
    }
    kvLeading.back() = kvHeads;
  }
  requireLeading("key", key, "query", kvLeading);
  requireLeading("value", value, "key", kvLeading);
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

  const std::size_t batch = sizeOf(leadingOf(query.shape())) / heads;
  ScoreRules rules;
  rules.scale = options.scale.value_or(1.0F / std::sqrt(static_cast<float>(headDim)));
  rules.softcap = options.softcap;
  rules.masking.keys = keys;
  rules.masking.causal = options.isCausal;
  rules.masking.window = options.window;
  if (options.mask) {
    Shape target = rank > 2 ? leadingOf(query.shape()) : Shape{1};
    target.push_back(queries);
    target.push_back(keys);
    rules.masking.masks.push_back(broadcastMask("mask", *options.mask, target));
  }
  if (options.alibiSlopes) {
    if (Shape(options.alibiSlopes->shape()) != Shape{heads}) {
      throwShape("alibiSlopes", "have shape " + toText({heads}) + ", one slope per head",
                 options.alibiSlopes->shape());
    }
    rules.alibiSlopes.assign(options.alibiSlopes->begin(), options.alibiSlopes->end());
  }

  AttentionResult result;
  result.output = allocate(withMatrix(query.shape(), queries, valueHeadDim));
  if (options.needWeights) result.weights = allocate(withMatrix(query.shape(), queries, keys));

  const auto contiguous = []<class T>(T* data, std::size_t count, std::size_t rows, std::size_t columns) {
    return Heads<T>{data, count * rows * columns, rows * columns, columns};
  };
  AttentionOutputs outputs{.context = contiguous(result.output.data(), heads, queries, valueHeadDim),
                           .weightsTaker = options.weightsTaker};
  if (result.weights) outputs.weights = result.weights->data();
  DefaultRng generator(options.seed);
  Dropout dropout(options.dropout, generator);
  Workspaces workspaces;
  attention(
      {batch, heads, kvHeads, queries, keys, headDim, valueHeadDim},
      {contiguous(query.data(), heads, queries, headDim), contiguous(key.data(), kvHeads, keys, headDim),
       contiguous(value.data(), kvHeads, keys, valueHeadDim)},
      rules, options.dropout > 0.0 ? &dropout : nullptr, outputs, workspaces);
  return result;
}

}  // namespace mha
