#include "streaming_attention.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "elementwise.hpp"
#include "exp.hpp"
#include "finite_values.hpp"
#include "gemm.hpp"
#include "sizes.hpp"
#include "softmax.hpp"

namespace mha {
namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

struct Buffers {
  float* keys;
  float* values;
  float* queries;
  float* scores;   // then their exponentials
  float* weights;  // those, packed
  float* context;  // of one tile
  float* maxima;   // of every query so far
  float* totals;
};

Buffers buffersOf(const AttentionCall& call, std::size_t queries, Workspace& workspace) {
  const AttentionSizes& sizes = call.sizes;
  const std::size_t perQuery = sizeOf({sizes.heads / sizes.kvHeads, queries});
  return {.keys = workspace.keys.take(packedSize(sizes.headDim, kKeyTile)),
          .values = workspace.values.take(packedSize(kKeyTile, sizes.valueHeadDim)),
          .queries = workspace.queries.take(sizeOf({kQueryBlock, sizes.headDim})),
          .scores = workspace.scores.take(kQueryBlock * kKeyTile),
          .weights = workspace.weights.take(kQueryBlock * kKeyTile),
          .context = workspace.context.take(sizeOf({kQueryBlock, sizes.valueHeadDim})),
          .maxima = workspace.maxima.take(perQuery),
          .totals = workspace.totals.take(perQuery)};
}

/// Replaces a row of scores by exponentials, and gives the factor of what was summed before.
float advance(float* row, std::size_t columns, float& max, float& total) {
  const float next = std::fmax(max, rowMax(row, columns));
  const simd::ExpOfNonPositive exp;
  const float factor = max == kMinusInfinity ? 0.0F : simd::lane(exp(simd::splat(max - next)), 0);
  total = total * factor + expRow(row, columns, next);
  max = next;
  return factor;
}

/// streamingAttention() with exponentials times `shrink`, a power of two.
void stream(const AttentionCall& call, const AttentionPart& part, float shrink, Workspace& workspace) {
  const auto& [sizes, inputs, rules, outputs, queryScale, scoreScale] = call;
  const auto [batch, heads, kvHeads, queries, keys, headDim, valueHeadDim] = sizes;
  const Buffers buffers = buffersOf(call, part.queries, workspace);
  const std::size_t b = part.b;
  const std::size_t group = heads / kvHeads;
  const std::size_t firstHead = part.kvHead * group;
  const std::size_t perQuery = group * part.queries;
  std::fill_n(buffers.maxima, perQuery, kMinusInfinity);
  std::fill_n(buffers.totals, perQuery, 0.0F);
  const auto contextOf = [&](std::size_t h, std::size_t i) {
    return outputs.context.at(b, firstHead + h) + (part.firstQuery + i) * outputs.context.row;
  };
  for (std::size_t h = 0; h < group; ++h) {
    for (std::size_t i = 0; i < part.queries; ++i) std::fill_n(contextOf(h, i), valueHeadDim, 0.0F);
  }

  const KeyRange needed = rules.masking.visible(part.firstQuery, part.queries, keys);
  for (std::size_t firstKey = needed.begin; firstKey < needed.end; firstKey += kKeyTile) {
    const KeyRange tile{firstKey, std::min(needed.end, firstKey + kKeyTile)};
    packTransposed(headDim, tile.size(), inputs.key.at(b, part.kvHead) + firstKey * inputs.key.row,
                   inputs.key.row, nullptr, buffers.keys);
    packRows(tile.size(), valueHeadDim, inputs.value.at(b, part.kvHead) + firstKey * inputs.value.row,
             inputs.value.row, buffers.values);
    for (std::size_t h = 0; h < group; ++h) {
      for (std::size_t first = 0; first < part.queries; first += kQueryBlock) {
        const std::size_t count = std::min(kQueryBlock, part.queries - first);
        const std::size_t query = part.firstQuery + first;
        KeyRange columns = rules.masking.visible(query, count, keys).intersect(tile);
        if (columns.empty()) continue;
        columns.begin -= (columns.begin - tile.begin) % kPanelColumns;  // packed keys begin at a panel
        const std::size_t offset = columns.begin - tile.begin;
        packLeft(count, headDim, inputs.query.at(b, firstHead + h) + query * inputs.query.row,
                 inputs.query.row, buffers.queries);
        if (queryScale != 1.0F) scaleBy(buffers.queries, count * headDim, queryScale);
        gemm(count, columns.size(), buffers.queries,
             {buffers.keys + packedSize(headDim, offset), headDim, 0, headDim}, buffers.scores,
             columns.size());
        for (std::size_t i = 0; i < count; ++i) {
          float* row = buffers.scores + i * columns.size();
          const std::size_t state = h * part.queries + first + i;
          if (scoreScale != 1.0F) scaleBy(row, columns.size(), scoreScale);
          rules.capRow(row, columns.size());
          rules.maskRow(row, columns, b, firstHead + h, query + i);
          const float factor = advance(row, columns.size(), buffers.maxima[state], buffers.totals[state]);
          if (factor != 1.0F) scaleBy(contextOf(h, first + i), valueHeadDim, factor);
          if (shrink != 1.0F) scaleBy(row, columns.size(), shrink);
        }
        packLeft(count, columns.size(), buffers.scores, columns.size(), buffers.weights);
        gemm(count, valueHeadDim, buffers.weights, {buffers.values, tile.size(), offset, columns.size()},
             buffers.context, valueHeadDim);
        for (std::size_t i = 0; i < count; ++i) {
          addTo(contextOf(h, first + i), buffers.context + i * valueHeadDim, valueHeadDim);
        }
      }
    }
  }
  for (std::size_t h = 0; h < group; ++h) {
    for (std::size_t i = 0; i < part.queries; ++i) {
      const float total = shrink * buffers.totals[h * part.queries + i];
      scaleBy(contextOf(h, i), valueHeadDim, total == 0.0F ? 0.0F : 1.0F / total);
    }
  }
}

bool contextIsFinite(const AttentionCall& call, const AttentionPart& part) {
  const Heads<float>& context = call.outputs.context;
  const std::size_t group = call.sizes.heads / call.sizes.kvHeads;
  for (std::size_t h = part.kvHead * group; h < (part.kvHead + 1) * group; ++h) {
    for (std::size_t i = part.firstQuery; i < part.firstQuery + part.queries; ++i) {
      if (!allFinite(context.at(part.b, h) + i * context.row, call.sizes.valueHeadDim)) return false;
    }
  }
  return true;
}

}  // namespace

void reserveStreaming(const AttentionCall& call, std::size_t queries, Workspace& workspace) {
  buffersOf(call, queries, workspace);
}

void streamingAttention(const AttentionCall& call, const AttentionPart& part, Workspace& workspace) {
  stream(call, part, 1.0F, workspace);
  // Exponentials up to 1 add up to the number of keys: values near the end of float32's range overflow,
  // though their mean would not. Then they are shrunk, which is exact but for what becomes denormal, as
  // weights do. Block by block: results must not depend on the part.
  AttentionPart block = part;
  const std::size_t end = part.firstQuery + part.queries;
  for (; block.firstQuery < end; block.firstQuery += kQueryBlock) {
    block.queries = std::min(kQueryBlock, end - block.firstQuery);
    if (contextIsFinite(call, block)) continue;
    stream(call, block, 0.5F / static_cast<float>(std::bit_ceil(call.sizes.keys)), workspace);
  }
}

}  // namespace mha
