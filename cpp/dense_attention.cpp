#include "dense_attention.hpp"

#include <algorithm>

#include "elementwise.hpp"
#include "gemm.hpp"
#include "key_value_tile.hpp"
#include "sizes.hpp"
#include "softmax.hpp"

namespace mha {
namespace {

struct Buffers {
  float* keys;
  float* values;
  float* queries;
  float* scores;   // the scores, then the weights; null if they are written to the output
  float* weights;  // the packed weights
};

Buffers buffersOf(const AttentionCall& call, Workspace& workspace) {
  const AttentionSizes& sizes = call.sizes;
  const std::size_t block = sizeOf({std::min(kQueryBlock, sizes.queries), sizes.keys});
  return {.keys = workspace.keys.ensure(packedSize(sizes.headDim, sizes.keys)),
          .values = workspace.values.ensure(packedSize(sizes.keys, sizes.valueHeadDim)),
          .queries = workspace.queries.ensure(sizeOf({kQueryBlock, sizes.headDim})),
          .scores = call.outputs.weights != nullptr ? nullptr : workspace.scores.ensure(block),
          .weights = workspace.weights.ensure(block)};
}

/// A block of queries of one head, whose scores are computed together.
struct QueryBlock {
  std::size_t b;
  std::size_t h;
  std::size_t first;
  std::size_t count;

  /// The row of the block's query i in a (B,H,L,…) tensor.
  [[nodiscard]] std::size_t row(const AttentionSizes& sizes, std::size_t i) const {
    return (b * sizes.heads + h) * sizes.queries + first + i;
  }
};

/// Returns the columns of the block's scores that are computed; the others get weight 0.
KeyRange columnsOf(const AttentionCall& call, const QueryBlock& block) {
  const AttentionOutputs& outputs = call.outputs;
  const std::size_t keys = call.sizes.keys;
  const bool wantsAll = outputs.scores != nullptr || outputs.scaled != nullptr || outputs.masked != nullptr;
  KeyRange columns =
      wantsAll ? KeyRange{0, keys} : call.rules.masking.visible(block.b, block.first, block.count, keys);
  columns.begin -= columns.begin % kPanelColumns;  // gemm() starts at a whole panel of packed keys
  return columns;
}

void copyRow(const float* values, std::size_t columns, float* rows, std::size_t index) {
  if (rows != nullptr) std::copy_n(values, columns, rows + index * columns);
}

/// Replaces the raw scores of the block's query i in `columns` of `row` by weights, and the rest of the row
/// by zeros.
void softmaxOfRow(const AttentionCall& call, const QueryBlock& block, std::size_t i, const KeyRange& columns,
                  float* row) {
  const auto& [sizes, inputs, rules, outputs, queryScale, scoreScale] = call;
  const std::size_t index = block.row(sizes, i);
  float* scores = row + columns.begin;
  copyRow(row, sizes.keys, outputs.scores, index);
  if (scoreScale != 1.0F) scaleBy(scores, columns.size(), scoreScale);
  rules.capRow(scores, columns.size());
  copyRow(row, sizes.keys, outputs.scaled, index);
  rules.maskRow(scores, columns, block.b, block.h, block.first + i);
  copyRow(row, sizes.keys, outputs.masked, index);
  softmaxRow(scores, columns.size());
  std::fill(row, scores, 0.0F);
  std::fill(row + columns.end, row + sizes.keys, 0.0F);
}

/// Writes the block's weights, after dropout, to `weights` (count,S).
void weightsOfBlock(const AttentionCall& call, const QueryBlock& block, const KeyRange& columns,
                    const KeyValueTile& tile, Dropout* dropout, const Buffers& buffers, float* weights) {
  const auto& [sizes, inputs, rules, outputs, queryScale, scoreScale] = call;
  const std::size_t keys = sizes.keys;
  const std::size_t headDim = sizes.headDim;
  packLeft(block.count, headDim, inputs.query.at(block.b, block.h) + block.first * inputs.query.row,
           inputs.query.row, buffers.queries);
  if (queryScale != 1.0F) scaleBy(buffers.queries, block.count * headDim, queryScale);
  if (!columns.empty()) {
    tile.multiplyKeys(block.count, buffers.queries, columns, weights + columns.begin, keys);
  }
  for (std::size_t i = 0; i < block.count; ++i) {
    float* row = weights + i * keys;
    softmaxOfRow(call, block, i, columns, row);
    if (dropout == nullptr) continue;
    copyRow(row, keys, outputs.softmaxWeights, block.row(sizes, i));
    dropout->apply(row, keys);
  }
}

/// Sums the context of the block's query i over the allowed keys only: needed where allowed values are NaN or
/// ±∞.
void contextOfAllowed(const AttentionCall& call, const QueryBlock& block, std::size_t i, const float* weights,
                      float* context) {
  const auto& [sizes, inputs, rules, outputs, queryScale, scoreScale] = call;
  const float* values = inputs.value.at(block.b, block.h / (sizes.heads / sizes.kvHeads));
  std::fill_n(context, sizes.valueHeadDim, 0.0F);
  for (std::size_t j = 0; j < sizes.keys; ++j) {
    if (!rules.masking.allows(block.b, block.h, block.first + i, j)) continue;
    for (std::size_t p = 0; p < sizes.valueHeadDim; ++p) {
      context[p] += weights[j] * values[j * inputs.value.row + p];
    }
  }
}

void contextOfBlock(const AttentionCall& call, const QueryBlock& block, const KeyRange& columns,
                    const KeyValueTile& tile, const FiniteValues& values, const Buffers& buffers,
                    const float* weights) {
  const AttentionSizes& sizes = call.sizes;
  const std::size_t stride = call.outputs.context.row;
  float* context = call.outputs.context.at(block.b, block.h) + block.first * stride;
  if (columns.empty()) {
    for (std::size_t i = 0; i < block.count; ++i) {
      std::fill_n(context + i * stride, sizes.valueHeadDim, 0.0F);
    }
    return;
  }
  packLeft(block.count, columns.size(), weights + columns.begin, sizes.keys, buffers.weights);
  tile.multiplyValues(block.count, buffers.weights, columns, context, stride);
  if (values.removed().empty()) return;
  for (std::size_t i = 0; i < block.count; ++i) {
    const bool seesRemoved = std::ranges::any_of(values.removed(), [&](std::size_t j) {
      return call.rules.masking.allows(block.b, block.h, block.first + i, j);
    });
    if (seesRemoved) contextOfAllowed(call, block, i, weights + i * sizes.keys, context + i * stride);
  }
}

}  // namespace

void reserveDense(const AttentionCall& call, Workspace& workspace) { buffersOf(call, workspace); }

void denseAttention(const AttentionCall& call, const AttentionPart& part, const FiniteValues& values,
                    Dropout* dropout, Workspace& workspace) {
  const AttentionSizes& sizes = call.sizes;
  const Heads<const float>& key = call.inputs.key;
  const Buffers buffers = buffersOf(call, workspace);
  const KeyValueTile tile(sizes, part.queries, {0, sizes.keys}, {key.at(part.b, part.kvHead), key.row},
                          {values.data(), values.row()}, buffers.keys, buffers.values);

  const std::size_t group = sizes.heads / sizes.kvHeads;
  const std::size_t end = part.firstQuery + part.queries;
  for (std::size_t h = part.kvHead * group; h < (part.kvHead + 1) * group; ++h) {
    for (std::size_t first = part.firstQuery; first < end; first += kQueryBlock) {
      const QueryBlock block{
          .b = part.b, .h = h, .first = first, .count = std::min(kQueryBlock, end - first)};
      const KeyRange columns = columnsOf(call, block);
      float* weights = buffers.scores != nullptr ? buffers.scores
                                                 : call.outputs.weights + block.row(sizes, 0) * sizes.keys;
      weightsOfBlock(call, block, columns, tile, dropout, buffers, weights);
      contextOfBlock(call, block, columns, tile, values, buffers, weights);
    }
  }
}

}  // namespace mha
