#include "scaled_dot_product_attention.hpp"

#include <algorithm>
#include <cmath>

#include "attention.hpp"

namespace mha {
namespace {

/// Returns `shape` with its last two dimensions replaced.
Shape withMatrix(Shape shape, std::size_t rows, std::size_t columns) {
  shape[shape.size() - 2] = rows;
  shape[shape.size() - 1] = columns;
  return shape;
}

/// Returns the shape (…,H) for (…,H,L,d).
Shape leadingOf(const Shape& shape) { return {shape.begin(), shape.end() - 2}; }

void requireLeading(const char* name, const TensorView& tensor, const char* other, const Shape& expected) {
  const Shape& shape = tensor.shape();
  if (shape.size() != expected.size() + 2 || leadingOf(shape) != expected) {
    throwShape(name, "have the leading dimensions of `" + std::string(other) + "`, " + toText(expected),
               shape);
  }
  if (tensor.size() == 0) throwShape(name, "not be empty", shape);
}

/// Checks the shapes and returns the sizes, where B counts the flattened dimensions before the heads.
AttentionSizes sizesOf(const TensorView& query, const TensorView& key, const TensorView& value,
                       bool enableGqa) {
  const std::size_t rank = query.dimension();
  if (rank < 2) throwShape("query", "be (..., L, d_k)", query.shape());
  if (query.size() == 0) throwShape("query", "not be empty", query.shape());
  const std::size_t heads = rank > 2 ? query.shape(rank - 3) : 1;
  std::size_t kvHeads = heads;
  Shape kvLeading = leadingOf(query.shape());
  if (enableGqa && rank > 2 && key.dimension() == rank) {
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
  const std::size_t keys = key.shape(rank - 2);
  if (key.shape(rank - 1) != headDim) {
    throwShape("key", "have last dimension " + std::to_string(headDim) + " (d_k of `query`)", key.shape());
  }
  if (value.shape(rank - 2) != keys) {
    throwShape("value", "have the length " + std::to_string(keys) + " of `key`", value.shape());
  }
  return {.batch = sizeOf(leadingOf(query.shape())) / heads,
          .heads = heads,
          .kvHeads = kvHeads,
          .queries = query.shape(rank - 2),
          .keys = keys,
          .headDim = headDim,
          .valueHeadDim = value.shape(rank - 1)};
}

ScoreRules rulesOf(const ScaledDotProductOptions& options, const Shape& queryShape,
                   const AttentionSizes& sizes) {
  ScoreRules rules;
  rules.scale = options.scale.value_or(1.0F / std::sqrt(static_cast<float>(sizes.headDim)));
  rules.softcap = options.softcap;
  rules.masking.keys = sizes.keys;
  rules.masking.causal = options.isCausal;
  rules.masking.window = options.window;
  if (options.mask) {
    Shape target = queryShape.size() > 2 ? leadingOf(queryShape) : Shape{1};
    target.push_back(sizes.queries);
    target.push_back(sizes.keys);
    rules.masking.masks.push_back(broadcastMask("mask", *options.mask, target));
  }
  if (options.alibiSlopes) {
    if (Shape(options.alibiSlopes->shape()) != Shape{sizes.heads}) {
      throwShape("alibiSlopes", "have shape " + toText({sizes.heads}) + ", one slope per head",
                 options.alibiSlopes->shape());
    }
    rules.alibiSlopes.assign(options.alibiSlopes->begin(), options.alibiSlopes->end());
  }
  return rules;
}

}  // namespace

AttentionResult scaledDotProductAttention(const TensorView& query, const TensorView& key,
                                          const TensorView& value, const ScaledDotProductOptions& options) {
  const AttentionSizes sizes = sizesOf(query, key, value, options.enableGqa);
  const auto& [batch, heads, kvHeads, queries, keys, headDim, valueHeadDim] = sizes;
  const ScoreRules rules = rulesOf(options, query.shape(), sizes);

  AttentionResult result;
  result.output = allocate(withMatrix(query.shape(), queries, valueHeadDim));
  if (options.needWeights) result.weights = allocate(withMatrix(query.shape(), queries, keys));

  const auto contiguous = []<class T>(T* data, std::size_t count, std::size_t rows, std::size_t columns) {
    return Heads<T>{data, count * rows * columns, rows * columns, columns};
  };
  AttentionOutputs outputs{.context = contiguous(result.output.data(), heads, queries, valueHeadDim),
                           .weightsSink = options.weightsSink};
  if (result.weights) outputs.weights = result.weights->data();
  DefaultRng generator(options.seed);
  Dropout dropout(options.dropout, generator);
  Workspaces workspaces;
  attention(
      sizes,
      {contiguous(query.data(), heads, queries, headDim), contiguous(key.data(), kvHeads, keys, headDim),
       contiguous(value.data(), kvHeads, keys, valueHeadDim)},
      rules, options.dropout > 0.0 ? &dropout : nullptr, outputs, workspaces);
  return result;
}

}  // namespace mha
