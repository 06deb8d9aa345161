#include <algorithm>
#include <cmath>
#include <optional>

#include "alibi.hpp"
#include "multi_head_attention.hpp"
#include "wrong_argument.hpp"

namespace mha {
namespace {

void requireWidth(const char* name, const TensorView& tensor, std::size_t width, const char* widthName) {
  if (tensor.shape().back() != width) {
    throwShape(name, "have last dimension " + std::to_string(width) + " (" + widthName + ")", tensor.shape());
  }
}

void relu(float* values, std::size_t count) {
  // NaN < 0 is false: NaN stays NaN.
  for (std::size_t i = 0; i < count; ++i) values[i] = values[i] < 0.0F ? 0.0F : values[i];
}

/// Makes a contiguous copy of heads of `shape` (B,heads,rows,dim), with the dimensions of `copyShape`. A
/// strided view of xtensor would do the same for 750 bytes more of Brotli.
Tensor copyHeads(const Heads<const float>& heads, const Shape& shape, const Shape& copyShape) {
  Tensor copy = allocate(copyShape);
  copyRows(heads, wholeHeads(copy.data(), shape[2], shape[1], shape[3]), shape[0], shape[1], shape[2],
           shape[3]);
  return copy;
}

/// Broadcasts attnMask (L,S), (B,L,S), (B,H,L,S) or, for unbatched calls, (H,L,S) to `target` (B,H,L,S).
BroadcastMask broadcastAttnMask(const MaskTensor& mask, bool batched, const Shape& target) {
  const Shape shape = shapeOf(mask);
  if (shape.size() < 2) throwShape("attnMask", "be (L, S), (B, L, S) or (B, H, L, S)", shape);
  if (shape.size() != 3 || !batched) return broadcastMask("attnMask", mask, target);
  const Shape perBatch{target[0], target[2], target[3]};
  if (!broadcasts(shape, perBatch)) throwShape("attnMask", "broadcast to " + toText(perBatch), shape);
  const Shape withHeads{shape[0], 1, shape[1], shape[2]};
  return std::visit(
      [&](const auto& view) { return broadcastMask("attnMask", viewOf(view.data(), withHeads), target); },
      mask);
}

}  // namespace

CallSizes MultiHeadAttention::check(const TensorView& query, const TensorView& key, const TensorView& value,
                                    std::size_t past) const {
  const std::size_t rank = query.dimension();
  if (rank != 2 && rank != 3) throwShape("query", "be (L, E) or (B, L, E)", query.shape());
  if (key.dimension() != rank) throwShape("key", "have as many dimensions as `query`", key.shape());
  if (value.dimension() != rank) throwShape("value", "have as many dimensions as `query`", value.shape());
  requireWidth("query", query, config_.embedDim, "embedDim");
  requireWidth("key", key, config_.kdim, "kdim");
  requireWidth("value", value, config_.vdim, "vdim");

  const bool batched = rank == 3;
  const std::size_t batch = batched ? query.shape(0) : 1;
  const std::size_t newKeys = key.shape(rank - 2);
  if (batched && key.shape(0) != batch) {
    throwShape("key", "have the batch size " + std::to_string(batch) + " of `query`", key.shape());
  }
  if (batched && value.shape(0) != batch) {
    throwShape("value", "have the batch size " + std::to_string(batch) + " of `query`", value.shape());
  }
  if (value.shape(rank - 2) != newKeys) {
    throwShape("value", "have the length " + std::to_string(newKeys) + " of `key`", value.shape());
  }
  const std::size_t keys = past + newKeys;
  return {batched, batch, query.shape(rank - 2), newKeys, keys, keys + appendedKeys()};
}

ScoreRules MultiHeadAttention::scoreRules(const CallSizes& sizes, const ForwardOptions& options) const {
  ScoreRules rules;
  rules.scale = options.scale.value_or(1.0F / std::sqrt(static_cast<float>(config_.headDim)));
  rules.softcap = options.softcap;
  if (options.alibi) rules.alibiSlopes = alibiSlopes(config_.numHeads);
  Masking& masking = rules.masking;
  masking.keys = sizes.keys;
  masking.causal = options.isCausal;
  masking.window = options.window;
  masking.firstPosition = sizes.keys - sizes.newKeys;
  masking.placements = options.placements;
  Shape target{sizes.batch, config_.numHeads, sizes.queries, sizes.keys};
  if (options.attnMask) {
    target.back() = maskedKeys(*options.attnMask, masking, sizes.batch);
    masking.masks.push_back(broadcastAttnMask(*options.attnMask, sizes.batched, target));
    target.back() = sizes.keys;
  }
  if (options.keyPaddingMask) {
    const View<std::uint8_t>& padding = *options.keyPaddingMask;
    const Shape expected = sizes.withBatching({sizes.batch, sizes.keys});
    if (Shape(padding.shape()) != expected) {
      const std::size_t past = sizes.keys - sizes.newKeys;
      const std::string cached = past > 0 ? ", with the " + std::to_string(past) + " keys of `cache`" : "";
      throwShape("keyPaddingMask", "have shape " + toText(expected) + cached, padding.shape());
    }
    const Shape perKey{sizes.batch, 1, 1, sizes.keys};
    masking.masks.push_back(broadcastMask("keyPaddingMask", viewOf(padding.data(), perKey), target));
  }
  return rules;
}

/// Projects packed x (count,in) to y (count,out).
void MultiHeadAttention::project(const Linear& linear, const float* packedX, std::size_t count,
                                 float* y) const {
  linear.apply(count, packedX, y);
  if (config_.activation == Activation::relu) relu(y, count * linear.outFeatures());
}

/// Writes the learned and the zero row to `rows`, if the configuration has them.
void MultiHeadAttention::append(const std::vector<float>& learned, std::size_t width, float* rows) const {
  if (config_.addBiasKv) rows = std::copy_n(learned.data(), width, rows);
  if (config_.addZeroAttn) std::fill_n(rows, width, 0.0F);
}

/// Projects the inputs into heads, without RoPE. Appends keys and values to `cache`, which has room.
MultiHeadAttention::CallHeads MultiHeadAttention::projectInputs(const TensorView& query,
                                                                const TensorView& key,
                                                                const TensorView& value,
                                                                const CallSizes& sizes, KvCache& cache) {
  const auto& [batched, batch, queries, newKeys, keys, columns] = sizes;
  const std::size_t past = keys - newKeys;
  float* q = q_.ensure(sizeOf({batch, queries, query_.outFeatures()}));
  float* context = context_.ensure(sizeOf({batch, queries, output_.inFeatures()}));
  const CallHeads heads{
      .query = splitHeads(q, queries, config_.numHeads, config_.headDim),
      .key = cache.keys(),
      .value = cache.values(),
      .context = splitHeads(context, queries, config_.numHeads, config_.valueHeadDim),
  };
  // In self-attention query, key and value are the same rows: they are packed once.
  const auto same = [](const TensorView& a, const TensorView& b) {
    return a.data() == b.data() && a.shape() == b.shape();
  };
  const float* packed = packed_(batch * queries, config_.embedDim, query.data());
  project(query_, packed, batch * queries, q);
  const auto appendTo = [&](const Linear& linear, const Heads<float>& rows) {
    applyToItems(batch, newKeys, linear.outFeatures(), rows.from(past), projected_,
                 [&](float* all) { project(linear, packed, batch * newKeys, all); });
  };
  if (!same(key, query)) packed = packed_(batch * newKeys, config_.kdim, key.data());
  appendTo(key_, heads.key);
  if (!same(value, key)) packed = packed_(batch * newKeys, config_.vdim, value.data());
  appendTo(value_, heads.value);
  for (std::size_t b = 0; b < batch; ++b) {
    append(biasK_, heads.key.row, heads.key.from(keys).at(b, 0));
    append(biasV_, heads.value.row, heads.value.from(keys).at(b, 0));
  }
  return heads;
}

/// Computes heads.context and the optional tensors of `result`. `record` may be null.
void MultiHeadAttention::attend(const CallHeads& heads, const CallSizes& sizes, const ScoreRules& rules,
                                const ForwardOptions& options, ForwardRecord* record,
                                AttentionResult& result) {
  std::optional<Dropout> dropout;
  if (options.training && config_.dropout > 0.0) dropout.emplace(config_.dropout, generator_);
  AttentionOutputs outputs = outputsOf(result, options.returnScores, heads.context, options.weightsSink);
  const std::size_t scores = sizeOf({sizes.batch, config_.numHeads, sizes.queries, sizes.columns});
  const bool recordsScaled = record != nullptr && rules.softcap != 0.0F;
  const bool returnsScaled = outputs.scaled != nullptr;
  if (record != nullptr) {
    if (!result.weights) outputs.weights = record->droppedWeights.ensure(scores);
    if (dropout) outputs.softmaxWeights = record->softmaxWeights.ensure(scores);
    if (recordsScaled && !returnsScaled) outputs.scaled = record->scaled.ensure(scores);
  }
  attention({sizes.batch, config_.numHeads, config_.numKvHeads, sizes.queries, sizes.columns, config_.headDim,
             config_.valueHeadDim},
            {heads.query, heads.key, heads.value}, rules, dropout ? &*dropout : nullptr, outputs,
            workspaces_);
  if (record == nullptr) return;
  if (result.weights) record->droppedWeights.store(outputs.weights, scores);
  if (recordsScaled && returnsScaled) record->scaled.store(outputs.scaled, scores);
  record->scale = rules.scale;
  record->softcap = rules.softcap;
  record->hasDropout = dropout.has_value();
}

void MultiHeadAttention::copySteps(const CallHeads& heads, const CallSizes& sizes,
                                   AttentionSteps& steps) const {
  const auto& [batched, batch, queries, newKeys, keys, columns] = sizes;
  const auto copy = [&](const Heads<const float>& rows, const Shape& shape) {
    return copyHeads(rows, shape, sizes.withBatching(shape));
  };
  steps.query = copy(heads.query, {batch, config_.numHeads, queries, config_.headDim});
  steps.key = copy(heads.key, {batch, config_.numKvHeads, columns, config_.headDim});
  steps.value = copy(heads.value, {batch, config_.numKvHeads, columns, config_.valueHeadDim});
  steps.context = copy(heads.context, {batch, config_.numHeads, queries, config_.valueHeadDim});
  steps.concat =
      viewOf<float>(heads.context.data, sizes.withBatching({batch, queries, output_.inFeatures()}));
}

AttentionResult MultiHeadAttention::forward(const TensorView& query, const TensorView& key,
                                            const TensorView& value, const ForwardOptions& options) {
  KvCache& cache = options.cache != nullptr ? *options.cache : uncachedRows_;
  const CallSizes sizes = check(query, key, value, cache.length());
  const auto& [batched, batch, queries, newKeys, keys, columns] = sizes;
  const ScoreRules rules = scoreRules(sizes, options);
  const std::span<const float> positions = options.positions;
  if (options.training) record_.valid = false;
  ForwardRecord* record = options.training && options.cache == nullptr ? &record_ : nullptr;

  const Shape scoresShape = sizes.withBatching({batch, config_.numHeads, queries, columns});
  AttentionResult result = allocateResult(sizes.withBatching({batch, queries, config_.outDim}), scoresShape,
                                          options.needWeights, options.returnScores);
  if (options.returnSteps) {
    result.steps.emplace();
    result.steps->scaled = allocate(scoresShape);
    result.steps->masked = allocate(scoresShape);
  }
  cache.reserve({id_, batch, config_.numKvHeads, config_.headDim, config_.valueHeadDim},
                columns - cache.length());
  const CallHeads heads = projectInputs(query, key, value, sizes, cache);
  if (record != nullptr) {
    record->q.store(heads.query.data, batch * heads.query.batch);
    record->k.store(heads.key.data, batch * heads.key.batch);
    record->v.store(heads.value.data, batch * heads.value.batch);
  }
  if (rotary_) {
    const std::size_t past = keys - newKeys;
    rotary_->apply(heads.query, batch, config_.numHeads, queries, past, positions);
    rotary_->apply(heads.key.from(past), batch, config_.numKvHeads, newKeys, past, positions);
  }
  attend(heads, sizes, rules, options, record, result);

  const float* concat = heads.context.data;
  project(output_, packed_(batch * queries, output_.inFeatures(), concat), batch * queries,
          result.output.data());
  if (result.steps) copySteps(heads, sizes, *result.steps);
  if (record != nullptr) {
    record->query.store(query.data(), query.size());
    record->key.store(key.data(), key.size());
    record->value.store(value.data(), value.size());
    record->concat.store(concat, batch * heads.context.batch);
    if (config_.activation == Activation::relu)
      record->output.store(result.output.data(), result.output.size());
    record->sizes = sizes;
    record->positions.assign(positions.begin(), positions.end());
    record->valid = true;
  }
  if (options.cache != nullptr) cache.commit(newKeys);
  return result;
}

}  // namespace mha
