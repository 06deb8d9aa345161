#include "streaming_attention.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "elementwise.hpp"
#include "exp.hpp"
#include "finite_values.hpp"
#include "gemm.hpp"
#include "key_value_tile.hpp"
#include "sizes.hpp"
#include "softmax.hpp"

namespace mha {
namespace {

struct StreamingBuffers {
  float* keys;
  float* values;
  float* queries;
  float* scores;   // the scores, then their exponentials
  float* weights;  // the exponentials, packed
  float* context;  // the part that one tile adds
  float* maxima;   // per query: its largest score so far
  float* totals;   // per query: the sum of its exponentials so far
};

StreamingBuffers buffersOf(const AttentionCall& call, std::size_t queries, Workspace& workspace) {
  const AttentionSizes& sizes = call.sizes;
  const std::size_t perQuery = sizeOf({sizes.heads / sizes.kvHeads, queries});
  return {.keys = workspace.keys.ensure(packedSize(sizes.headDim, kKeyTile)),
          .values = workspace.values.ensure(packedSize(kKeyTile, sizes.valueHeadDim)),
          .queries = workspace.queries.ensure(sizeOf({kQueryBlock, sizes.headDim})),
          .scores = workspace.scores.ensure(kQueryBlock * kKeyTile),
          .weights = workspace.weights.ensure(kQueryBlock * kKeyTile),
          .context = workspace.context.ensure(sizeOf({kQueryBlock, sizes.valueHeadDim})),
          .maxima = workspace.maxima.ensure(perQuery),
          .totals = workspace.totals.ensure(perQuery)};
}

/// Calls visit(row, n) for the context rows of the part: n counts them, query by query within each head.
template <class Visit>
void forEachContextRow(const AttentionCall& call, const AttentionPart& part, const Visit& visit) {
  const Heads<float>& context = call.outputs.context;
  const std::size_t group = call.sizes.heads / call.sizes.kvHeads;
  for (std::size_t h = 0; h < group; ++h) {
    for (std::size_t i = 0; i < part.queries; ++i) {
      visit(context.at(part.b, part.kvHead * group + h) + (part.firstQuery + i) * context.row,
            h * part.queries + i);
    }
  }
}

/// Replaces a row of scores by exponentials and updates the query's maximum and total; returns the factor by
/// which the context so far must be multiplied.
float updateSoftmax(float* row, std::size_t columns, float& max, float& total) {
  const float next = std::fmax(max, rowMax(row, columns));
  const simd::ExpOfNonPositive exp;
  const float factor = max == kMinusInfinity ? 0.0F : simd::lane(exp(simd::splat(max - next)), 0);
  total = total * factor + expRow(row, columns, next);
  max = next;
  return factor;
}

/// Adds the keys `range` of `tile` to the contexts of `count` queries of head `h` of the part's group, from
/// its query `first` on.
void addTileToBlock(const AttentionCall& call, const AttentionPart& part, const KeyValueTile& tile,
                    const KeyRange& range, std::size_t h, std::size_t first, std::size_t count,
                    float downscale, const StreamingBuffers& buffers) {
  const auto& [sizes, inputs, rules, outputs, queryScale, scoreScale] = call;
  const std::size_t headDim = sizes.headDim;
  const std::size_t head = part.kvHead * (sizes.heads / sizes.kvHeads) + h;
  const std::size_t query = part.firstQuery + first;
  KeyRange columns = rules.masking.visible(part.b, query, count, sizes.keys).intersect(range);
  if (columns.empty()) return;
  columns.begin -= (columns.begin - range.begin) % kPanelColumns;  // gemm() starts at a whole panel
  packLeft(count, headDim, inputs.query.at(part.b, head) + query * inputs.query.row, inputs.query.row,
           buffers.queries);
  if (queryScale != 1.0F) scaleBy(buffers.queries, count * headDim, queryScale);
  tile.multiplyKeys(count, buffers.queries, columns, buffers.scores, columns.size());
  float* context = outputs.context.at(part.b, head) + query * outputs.context.row;
  for (std::size_t i = 0; i < count; ++i) {
    float* row = buffers.scores + i * columns.size();
    const std::size_t state = h * part.queries + first + i;
    if (scoreScale != 1.0F) scaleBy(row, columns.size(), scoreScale);
    rules.capRow(row, columns.size());
    rules.maskRow(row, columns, part.b, head, query + i);
    const float factor = updateSoftmax(row, columns.size(), buffers.maxima[state], buffers.totals[state]);
    if (factor != 1.0F) scaleBy(context + i * outputs.context.row, sizes.valueHeadDim, factor);
    if (downscale != 1.0F) scaleBy(row, columns.size(), downscale);
  }
  packLeft(count, columns.size(), buffers.scores, columns.size(), buffers.weights);
  tile.multiplyValues(count, buffers.weights, columns, buffers.context, sizes.valueHeadDim);
  for (std::size_t i = 0; i < count; ++i) {
    addTo(context + i * outputs.context.row, buffers.context + i * sizes.valueHeadDim, sizes.valueHeadDim);
  }
}

/// Like streamingAttention(), but multiplies the exponentials by `downscale`, a power of two.
void stream(const AttentionCall& call, const AttentionPart& part, float downscale, Workspace& workspace) {
  const AttentionSizes& sizes = call.sizes;
  const Heads<const float>& key = call.inputs.key;
  const Heads<const float>& value = call.inputs.value;
  const StreamingBuffers buffers = buffersOf(call, part.queries, workspace);
  const std::size_t group = sizes.heads / sizes.kvHeads;
  std::fill_n(buffers.maxima, group * part.queries, kMinusInfinity);
  std::fill_n(buffers.totals, group * part.queries, 0.0F);
  forEachContextRow(call, part,
                    [&](float* row, std::size_t /*n*/) { std::fill_n(row, sizes.valueHeadDim, 0.0F); });

  const KeyRange needed = call.rules.masking.visible(part.b, part.firstQuery, part.queries, sizes.keys);
  for (std::size_t firstKey = needed.begin; firstKey < needed.end; firstKey += kKeyTile) {
    const KeyRange range{firstKey, std::min(needed.end, firstKey + kKeyTile)};
    const KeyValueTile tile(sizes, part.queries, range, {key.at(part.b, part.kvHead), key.row},
                            {value.at(part.b, part.kvHead), value.row}, buffers.keys, buffers.values);
    for (std::size_t h = 0; h < group; ++h) {
      for (std::size_t first = 0; first < part.queries; first += kQueryBlock) {
        const std::size_t count = std::min(kQueryBlock, part.queries - first);
        addTileToBlock(call, part, tile, range, h, first, count, downscale, buffers);
      }
    }
  }
  forEachContextRow(call, part, [&](float* row, std::size_t n) {
    const float total = downscale * buffers.totals[n];
    scaleBy(row, sizes.valueHeadDim, total == 0.0F ? 0.0F : 1.0F / total);
  });
}

bool contextIsFinite(const AttentionCall& call, const AttentionPart& part) {
  bool finite = true;
  forEachContextRow(call, part, [&](const float* row, std::size_t /*n*/) {
    finite = finite && allFinite(row, call.sizes.valueHeadDim);
  });
  return finite;
}

}  // namespace

void reserveStreaming(const AttentionCall& call, std::size_t queries, Workspace& workspace) {
  buffersOf(call, queries, workspace);
}

void streamingAttention(const AttentionCall& call, const AttentionPart& part, Workspace& workspace) {
  stream(call, part, 1.0F, workspace);
  // Exponentials are at most 1 but sum up to the number of keys: a weighted sum of values near the end of
  // float32's range may overflow though their mean does not. Repeat such queries with scaled-down
  // exponentials; this is exact except for denormal numbers. It is done block by block, so that results do
  // not depend on the part.
  AttentionPart block = part;
  const std::size_t end = part.firstQuery + part.queries;
  for (; block.firstQuery < end; block.firstQuery += kQueryBlock) {
    block.queries = std::min(kQueryBlock, end - block.firstQuery);
    if (contextIsFinite(call, block)) continue;
    stream(call, block, 0.5F / static_cast<float>(std::bit_ceil(call.sizes.keys)), workspace);
  }
}

}  // namespace mha
