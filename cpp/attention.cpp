#include "attention.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cassert>
#include <cstdint>
#include <span>

#include "attention_call.hpp"
#include "dense_attention.hpp"
#include "finite_values.hpp"
#include "parallel.hpp"
#include "streaming_attention.hpp"

namespace mha {
namespace {

/// Every thread gets several parts, so that all threads finish at about the same time.
constexpr std::size_t kPartsPerThread = 4;

/// A part has at least this many queries, because every part packs the keys and values again.
constexpr std::size_t kMinQueriesPerPart = 4 * kQueryBlock;

/// A part has all queries of a head, unless there are too few heads to keep all threads busy.
std::size_t queriesPerPart(const AttentionSizes& sizes) {
  if (threadCount() == 1) return sizes.queries;
  const std::size_t kvHeads = sizes.batch * sizes.kvHeads;
  assert(kvHeads > 0);
  const std::size_t wanted = (kPartsPerThread * threadCount() + kvHeads - 1) / kvHeads;
  const std::size_t even = (sizes.queries + wanted - 1) / wanted;
  return std::max(kMinQueriesPerPart, (even + kQueryBlock - 1) / kQueryBlock * kQueryBlock);
}

/// Whether a key may be hidden from a query. Any mask counts, but the rules of a single query are looked at:
/// the last token sees all keys before it.
bool hidesKeys(const AttentionCall& call) {
  const Masking& masking = call.rules.masking;
  if (call.sizes.queries > 1 || call.sizes.batch > 1 || !masking.masks.empty()) return masking.any();
  return masking.visible(0, 0).size() < masking.keys;
}

/// Returns the values of every key/value head; where keys are hidden, rows that contain NaN or infinities are
/// zeroed.
std::vector<FiniteValues> valuesOf(const AttentionCall& call) {
  const AttentionSizes& sizes = call.sizes;
  const Heads<const float>& value = call.inputs.value;
  const bool hides = hidesKeys(call);
  std::vector<FiniteValues> values;
  for (std::size_t b = 0; b < sizes.batch; ++b) {
    for (std::size_t kvHead = 0; kvHead < sizes.kvHeads; ++kvHead) {
      const float* data = value.at(b, kvHead);
      values.push_back(hides ? FiniteValues(data, sizes.keys, value.row, sizes.valueHeadDim)
                             : FiniteValues(data, value.row));
    }
  }
  return values;
}

/// Whether scaling every term of a sum gives the same bits as scaling the sum: true for powers of two up to
/// 1. A larger factor could overflow a term though not the sum.
bool scalesExactly(float factor) {
  constexpr std::uint32_t kFraction = 0x007FFFFF;
  return factor > 0.0F && factor <= 1.0F && (std::bit_cast<std::uint32_t>(factor) & kFraction) == 0;
}

/// Tells the weights sink how many key/value heads, counted from the first one, are finished.
class WeightsProgress {
 public:
  WeightsProgress(const AttentionCall& call, std::size_t partsPerHead)
      : wanted_(threadCount() > 1 && call.outputs.weightsSink != nullptr && call.outputs.weights != nullptr),
        sink_(call.outputs.weightsSink),
        partsPerHead_(partsPerHead),
        perHead_(call.sizes.heads / call.sizes.kvHeads * call.sizes.queries * call.sizes.keys),
        heads_(call.sizes.batch * call.sizes.kvHeads),
        weights_(call.outputs.weights, wanted_ ? heads_ * perHead_ : 0),
        partsDone_(wanted_ ? heads_ : 0) {}

  /// Counts a finished part of a key/value head. Any thread may call it.
  void partDone(std::size_t head) {
    if (wanted_) ++partsDone_[head];
  }

  /// Calls the sink if more heads are finished than at the last call. Only the calling thread may call it.
  void report() {
    if (!wanted_) return;
    const std::size_t first = next_;
    while (next_ < heads_ && partsDone_[next_] == partsPerHead_) ++next_;
    if (next_ > first) sink_->receive(weights_, next_ * perHead_);
  }

 private:
  bool wanted_;
  WeightsSink* sink_;
  std::size_t partsPerHead_;
  std::size_t perHead_;  // number of weights of all query heads that read one key/value head
  std::size_t heads_;
  std::span<const float> weights_;
  std::vector<std::atomic<std::size_t>> partsDone_;  // finished parts of each key/value head
  std::size_t next_ = 0;                             // the first head that is not reported yet
};

}  // namespace

void attention(const AttentionSizes& sizes, const AttentionInputs& inputs, const ScoreRules& rules,
               Dropout* dropout, const AttentionOutputs& outputs, Workspaces& workspaces) {
  assert(sizes.kvHeads > 0 && sizes.heads % sizes.kvHeads == 0);
  if (sizes.batch == 0 || sizes.queries == 0) return;
  const bool scalesQueries = outputs.scores == nullptr && scalesExactly(rules.scale);
  const AttentionCall call{.sizes = sizes,
                           .inputs = inputs,
                           .rules = rules,
                           .outputs = outputs,
                           .queryScale = scalesQueries ? rules.scale : 1.0F,
                           .scoreScale = scalesQueries ? 1.0F : rules.scale};
  const std::vector<FiniteValues> values = valuesOf(call);
  const bool contextOnly = outputs.weights == nullptr && outputs.scores == nullptr &&
                           outputs.scaled == nullptr && outputs.masked == nullptr && dropout == nullptr;
  // With one tile of keys, streaming saves no memory.
  const auto streams = [&](const FiniteValues& head) {
    return contextOnly && sizes.keys > kKeyTile && head.removed().empty();
  };

  // Dropout draws from one stream of random numbers: its parts are whole heads, computed in order.
  const std::size_t queries = dropout != nullptr ? sizes.queries : queriesPerPart(sizes);
  const std::size_t partsPerHead = (sizes.queries + queries - 1) / queries;
  workspaces.resize(threadCount());
  for (Workspace& workspace : workspaces) {
    if (std::ranges::any_of(values, streams)) reserveStreaming(call, queries, workspace);
    if (!std::ranges::all_of(values, streams)) reserveDense(call, workspace);
  }
  WeightsProgress progress(call, partsPerHead);
  const auto compute = [&](std::size_t index, std::size_t thread) {
    const std::size_t head = index / partsPerHead;
    const std::size_t first = index % partsPerHead * queries;
    const AttentionPart part{.b = head / sizes.kvHeads,
                             .kvHead = head % sizes.kvHeads,
                             .firstQuery = first,
                             .queries = std::min(queries, sizes.queries - first)};
    if (streams(values[head])) {
      streamingAttention(call, part, workspaces[thread]);
    } else {
      denseAttention(call, part, values[head], dropout, workspaces[thread]);
    }
    progress.partDone(head);
    if (thread == 0) progress.report();
  };
  const std::size_t parts = values.size() * partsPerHead;
  if (dropout == nullptr) {
    parallelFor(parts, compute);
  } else {
    for (std::size_t index = 0; index < parts; ++index) compute(index, 0);
  }
  progress.report();
}

}  // namespace mha
