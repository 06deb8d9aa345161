#include "dense_attention.hpp"

#include <algorithm>

#include "elementwise.hpp"
#include "gemm.hpp"
#include "sizes.hpp"
#include "softmax.hpp"

namespace mha {
namespace {

struct Buffers {
  float* keys;
  float* values;
  float* queries;
  float* scores;
  float* weights;
};

Buffers buffersOf(const AttentionCall& call, Workspace& workspace) {
  const AttentionSizes& sizes = call.sizes;
  const std::size_t block = sizeOf({std::min(kQueryBlock, sizes.queries), sizes.keys});
  return {.keys = workspace.keys.take(packedSize(sizes.headDim, sizes.keys)),
          .values = workspace.values.take(packedSize(sizes.keys, sizes.valueHeadDim)),
          .queries = workspace.queries.take(sizeOf({kQueryBlock, sizes.headDim})),
          .scores = call.outputs.weights != nullptr ? nullptr : workspace.scores.take(block),
          .weights = workspace.weights.take(block)};
}

/// One context row summed over the allowed keys only.
void contextOfAllowed(const AttentionCall& call, std::size_t b, std::size_t h, std::size_t i,
                      const float* weights, float* context) {
  const auto& [sizes, inputs, rules, outputs, queryScale, scoreScale] = call;
  const float* values = inputs.value.at(b, h / (sizes.heads / sizes.kvHeads));
  std::fill_n(context, sizes.valueHeadDim, 0.0F);
  for (std::size_t j = 0; j < sizes.keys; ++j) {
    if (!rules.masking.allows(b, h, i, j)) continue;
    for (std::size_t p = 0; p < sizes.valueHeadDim; ++p) {
      context[p] += weights[j] * values[j * inputs.value.row + p];
    }
  }
}

void keepRow(const float* row, std::size_t columns, float* kept, std::size_t index) {
  if (kept != nullptr) std::copy_n(row, columns, kept + index * columns);
}

/// Turns a row of raw scores in `columns` into weights, and those beside it to zero.
void weightsOfRow(const AttentionCall& call, const KeyRange& columns, std::size_t b, std::size_t h,
                  std::size_t i, float* row) {
  const auto& [sizes, inputs, rules, outputs, queryScale, scoreScale] = call;
  const std::size_t index = (b * sizes.heads + h) * sizes.queries + i;
  float* seen = row + columns.begin;
  keepRow(row, sizes.keys, outputs.scores, index);
  if (scoreScale != 1.0F) scaleBy(seen, columns.size(), scoreScale);
  rules.capRow(seen, columns.size());
  keepRow(row, sizes.keys, outputs.scaled, index);
  rules.maskRow(seen, columns, b, h, i);
  keepRow(row, sizes.keys, outputs.masked, index);
  softmaxRow(seen, columns.size());
  std::fill(row, seen, 0.0F);
  std::fill(row + columns.end, row + sizes.keys, 0.0F);
}

}  // namespace

void reserveDense(const AttentionCall& call, Workspace& workspace) { buffersOf(call, workspace); }

void denseAttention(const AttentionCall& call, const AttentionPart& part, const FiniteValues& values,
                    Dropout* dropout, Workspace& workspace) {
  const auto& [sizes, inputs, rules, outputs, queryScale, scoreScale] = call;
  const auto [batch, heads, kvHeads, queries, keys, headDim, valueHeadDim] = sizes;
  const Buffers buffers = buffersOf(call, workspace);
  const std::size_t b = part.b;
  packTransposed(headDim, keys, inputs.key.at(b, part.kvHead), inputs.key.row, nullptr, buffers.keys);
  packRows(keys, valueHeadDim, values.data(), values.row(), buffers.values);
  const bool keepsAll = outputs.scores != nullptr || outputs.scaled != nullptr || outputs.masked != nullptr;

  const std::size_t group = heads / kvHeads;
  const std::size_t end = part.firstQuery + part.queries;
  for (std::size_t h = part.kvHead * group; h < (part.kvHead + 1) * group; ++h) {
    for (std::size_t first = part.firstQuery; first < end; first += kQueryBlock) {
      const std::size_t count = std::min(kQueryBlock, end - first);
      KeyRange columns = keepsAll ? KeyRange{0, keys} : rules.masking.visible(first, count, keys);
      columns.begin -= columns.begin % kPanelColumns;  // packed keys can be entered at a panel only
      float* scores = buffers.scores != nullptr
                          ? buffers.scores
                          : outputs.weights + ((b * heads + h) * queries + first) * keys;
      float* context = outputs.context.at(b, h) + first * outputs.context.row;
      packLeft(count, headDim, inputs.query.at(b, h) + first * inputs.query.row, inputs.query.row,
               buffers.queries);
      if (queryScale != 1.0F) scaleBy(buffers.queries, count * headDim, queryScale);
      // Behind the last key a window leaves none.
      if (!columns.empty()) {
        gemm(count, columns.size(), buffers.queries,
             {buffers.keys + packedSize(headDim, columns.begin), headDim, 0, headDim}, scores + columns.begin,
             keys);
      }
      for (std::size_t i = 0; i < count; ++i) {
        weightsOfRow(call, columns, b, h, first + i, scores + i * keys);
        if (dropout == nullptr) continue;
        keepRow(scores + i * keys, keys, outputs.undropped, (b * heads + h) * queries + first + i);
        dropout->apply(scores + i * keys, keys);
      }
      if (columns.empty()) {
        for (std::size_t i = 0; i < count; ++i) {
          std::fill_n(context + i * outputs.context.row, valueHeadDim, 0.0F);
        }
        continue;
      }
      packLeft(count, columns.size(), scores + columns.begin, keys, buffers.weights);
      gemm(count, valueHeadDim, buffers.weights, {buffers.values, keys, columns.begin, columns.size()},
           context, outputs.context.row);
      if (values.removed().empty()) continue;
      for (std::size_t i = 0; i < count; ++i) {
        const bool seesRemoved = std::ranges::any_of(
            values.removed(), [&](std::size_t j) { return rules.masking.allows(b, h, first + i, j); });
        if (!seesRemoved) continue;
        contextOfAllowed(call, b, h, first + i, scores + i * keys, context + i * outputs.context.row);
      }
    }
  }
}

}  // namespace mha
