#include "attention.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "gemm.hpp"
#include "softmax.hpp"

namespace mha {
namespace {

/// Queries whose scores are computed together: enough to keep the packed keys busy, few enough that their
/// scores stay in the cache until softmax and the product with V have read them.
constexpr std::size_t kQueryBlock = 32;

bool allFinite(const Heads<const float>& value, std::size_t b, std::size_t h, std::size_t rows,
               std::size_t columns) {
  for (std::size_t j = 0; j < rows; ++j) {
    const float* row = value.at(b, h) + j * value.row;
    if (!std::all_of(row, row + columns, [](float x) { return std::isfinite(x); })) return false;
  }
  return true;
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

}  // namespace

void attention(const AttentionSizes& sizes, const Heads<const float>& query, const Heads<const float>& key,
               const Heads<const float>& value, float scale, const Masking& masking,
               const Heads<float>& context, float* weights, Workspace& workspace) {
  assert(sizes.kvHeads > 0 && sizes.heads % sizes.kvHeads == 0);
  const auto [batch, heads, kvHeads, queries, keys, headDim, valueHeadDim] = sizes;
  float* packedKeys = workspace.keys.take(packedSize(headDim, keys));
  float* packedValues = workspace.values.take(packedSize(keys, valueHeadDim));
  float* blockScores = weights != nullptr ? nullptr : workspace.scores.take(sizeOf({kQueryBlock, keys}));

  for (std::size_t b = 0; b < batch; ++b) {
    bool valuesAreFinite = true;
    for (std::size_t h = 0; h < heads; ++h) {
      const std::size_t group = heads / kvHeads;
      if (h % group == 0) {
        packTransposed(headDim, keys, key.at(b, h / group), key.row, nullptr, packedKeys);
        packRows(keys, valueHeadDim, value.at(b, h / group), value.row, packedValues);
        valuesAreFinite = !masking.any() || allFinite(value, b, h / group, keys, valueHeadDim);
      }
      for (std::size_t first = 0; first < queries; first += kQueryBlock) {
        const std::size_t count = std::min(kQueryBlock, queries - first);
        float* scores =
            weights != nullptr ? weights + ((b * heads + h) * queries + first) * keys : blockScores;
        gemm(count, keys, headDim, query.at(b, h) + first * query.row, query.row, packedKeys, scores, keys);
        for (std::size_t i = 0; i < count; ++i) {
          float* row = scores + i * keys;
          masking.apply(row, keys, scale, b, h, first + i);
          softmaxRow(row, keys);
        }
        float* contextRows = context.at(b, h) + first * context.row;
        if (valuesAreFinite) {
          gemm(count, valueHeadDim, keys, scores, keys, packedValues, contextRows, context.row);
        } else {
          for (std::size_t i = 0; i < count; ++i) {
            contextOfAllowed(sizes, value, masking, scores + i * keys, b, h, first + i,
                             contextRows + i * context.row);
          }
        }
      }
    }
  }
}

}  // namespace mha
