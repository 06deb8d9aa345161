#include "attention.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "gemm.hpp"
#include "softmax.hpp"
#include "tensor.hpp"

namespace mha {
namespace {

/// Queries whose scores are computed together: enough to keep the packed keys busy, few enough that their
/// scores stay in the cache until softmax and the product with V have read them.
constexpr std::size_t kQueryBlock = 32;

/// Keys one of whose values is NaN or ±∞.
std::vector<std::size_t> nonFiniteKeys(const float* values, std::size_t keys, std::size_t row,
                                       std::size_t columns) {
  std::vector<std::size_t> found;
  for (std::size_t j = 0; j < keys; ++j) {
    const float* value = values + j * row;
    if (!std::all_of(value, value + columns, [](float x) { return std::isfinite(x); })) found.push_back(j);
  }
  return found;
}

/// A contiguous copy of the values in which the rows `zeroed` are zero.
std::vector<float> withoutRows(const float* values, std::size_t keys, std::size_t row, std::size_t columns,
                               const std::vector<std::size_t>& zeroed) {
  std::vector<float> copy(sizeOf({keys, columns}));
  for (std::size_t j = 0; j < keys; ++j) std::copy_n(values + j * row, columns, copy.data() + j * columns);
  for (const std::size_t j : zeroed) std::fill_n(copy.data() + j * columns, columns, 0.0F);
  return copy;
}

/// One context row summed over the allowed keys only: 0·NaN and 0·∞ of a masked value must not count.
void contextOfAllowed(const AttentionSizes& sizes, const Heads<const float>& value, const Masking& masking,
                      const float* weights, std::size_t b, std::size_t h, std::size_t i, float* context) {
  const float* values = value.at(b, h / (sizes.heads / sizes.kvHeads));
  std::fill_n(context, sizes.valueHeadDim, 0.0F);
  for (std::size_t j = 0; j < sizes.keys; ++j) {
    if (!masking.allows(b, h, i, j)) continue;
    for (std::size_t p = 0; p < sizes.valueHeadDim; ++p) context[p] += weights[j] * values[j * value.row + p];
  }
}

void keepRow(const float* row, std::size_t columns, float* kept, std::size_t index) {
  if (kept != nullptr) std::copy_n(row, columns, kept + index * columns);
}

}  // namespace

void attention(const AttentionSizes& sizes, const AttentionInputs& inputs, const ScoreRules& rules,
               Dropout* dropout, const AttentionOutputs& outputs, Workspace& workspace) {
  assert(sizes.kvHeads > 0 && sizes.heads % sizes.kvHeads == 0);
  const auto [batch, heads, kvHeads, queries, keys, headDim, valueHeadDim] = sizes;
  const auto& [query, key, value] = inputs;
  const Heads<float>& context = outputs.context;
  float* packedKeys = workspace.keys.take(packedSize(headDim, keys));
  float* packedValues = workspace.values.take(packedSize(keys, valueHeadDim));
  std::vector<float> finiteValues;
  std::vector<std::size_t> poisoned;
  float* block = outputs.weights != nullptr ? nullptr : workspace.scores.take(sizeOf({kQueryBlock, keys}));

  for (std::size_t b = 0; b < batch; ++b) {
    for (std::size_t h = 0; h < heads; ++h) {
      const std::size_t group = heads / kvHeads;
      if (h % group == 0) {
        packTransposed(headDim, keys, key.at(b, h / group), key.row, nullptr, packedKeys);
        const float* values = value.at(b, h / group);
        std::size_t valueRow = value.row;
        if (rules.masking.any()) poisoned = nonFiniteKeys(values, keys, valueRow, valueHeadDim);
        if (!poisoned.empty()) {
          finiteValues = withoutRows(values, keys, valueRow, valueHeadDim, poisoned);
          values = finiteValues.data();
          valueRow = valueHeadDim;
        }
        packRows(keys, valueHeadDim, values, valueRow, packedValues);
      }
      for (std::size_t first = 0; first < queries; first += kQueryBlock) {
        const std::size_t count = std::min(kQueryBlock, queries - first);
        const std::size_t firstRow = (b * heads + h) * queries + first;
        float* scores = block != nullptr ? block : outputs.weights + firstRow * keys;
        gemm(count, keys, headDim, query.at(b, h) + first * query.row, query.row, packedKeys, scores, keys);
        for (std::size_t i = 0; i < count; ++i) {
          float* row = scores + i * keys;
          keepRow(row, keys, outputs.scores, firstRow + i);
          rules.scaleRow(row, keys);
          keepRow(row, keys, outputs.scaled, firstRow + i);
          rules.maskRow(row, b, h, first + i);
          keepRow(row, keys, outputs.masked, firstRow + i);
          softmaxRow(row, keys);
          if (dropout != nullptr) dropout->apply(row, keys);
        }
        float* contextRows = context.at(b, h) + first * context.row;
        gemm(count, valueHeadDim, keys, scores, keys, packedValues, contextRows, context.row);
        for (std::size_t i = 0; !poisoned.empty() && i < count; ++i) {
          const bool seesPoison = std::ranges::any_of(
              poisoned, [&](std::size_t j) { return rules.masking.allows(b, h, first + i, j); });
          if (!seesPoison) continue;
          contextOfAllowed(sizes, value, rules.masking, scores + i * keys, b, h, first + i,
                           contextRows + i * context.row);
        }
      }
    }
  }
}

}  // namespace mha
