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
}

/// Checks the shapes and returns the sizes, where B counts the flattened dimensions before the heads.
AttentionSizes sizesOf(const TensorView& query, const TensorView& key, const TensorView& value,
                       bool enableGqa) {
  const std::size_t rank = query.dimension();
  if (rank < 2) throwShape("query", "be (..., L, d_k)", query.shape());
  const std::size_t heads = rank > 2 ? query.shape(rank - 3) : 1;
  const std::size_t headDim = query.shape(rank - 1);
  if (heads == 0 || headDim == 0) throwShape("query", "have a head and a component", query.shape());
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
  rules.masking.placements = options.placements;
  if (options.mask) {
    Shape target = queryShape.size() > 2 ? leadingOf(queryShape) : Shape{1};
    target.push_back(sizes.queries);
    target.push_back(maskedKeys(*options.mask, rules.masking, sizes.batch));
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

  AttentionResult result =
      allocateResult(withMatrix(query.shape(), queries, valueHeadDim),
                     withMatrix(query.shape(), queries, keys), options.needWeights, options.returnScores);
  const AttentionOutputs outputs =
      outputsOf(result, options.returnScores, wholeHeads(result.output.data(), queries, heads, valueHeadDim),
                options.weightsSink);
  DefaultRng generator(options.seed);
  Dropout dropout(options.dropout, generator);
  Workspaces workspaces;
  attention(
      sizes,
      {wholeHeads(query.data(), queries, heads, headDim), wholeHeads(key.data(), keys, kvHeads, headDim),
       wholeHeads(value.data(), keys, kvHeads, valueHeadDim)},
      rules, options.dropout > 0.0 ? &dropout : nullptr, outputs, workspaces);
  return result;
}

}  // namespace mha
