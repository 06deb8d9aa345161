#include "models/transformer.hpp"

#include <algorithm>

#include "elementwise.hpp"
#include "wrong_argument.hpp"

namespace mha::models {
namespace {

/// x (rows,width) ← x·factors, row by row.
void scaleColumns(std::size_t rows, const std::vector<float>& factors, float* x) {
  for (std::size_t i = 0; i < rows; ++i, x += factors.size()) {
    for (std::size_t j = 0; j < factors.size(); ++j) x[j] *= factors[j];
  }
}

/// A mask (B,S) of the keys, where there is one.
BroadcastMask keyMask(const std::uint8_t* allowed, std::size_t batch, std::size_t keys) {
  BroadcastMask mask{.allowed = allowed, .batchOffsets = {}, .keyStride = 1};
  for (std::size_t b = 0; b < batch; ++b) mask.batchOffsets.push_back(b * keys);
  return mask;
}

}  // namespace

AttentionMaps::AttentionMaps(const TransformerConfig& config, std::size_t memoryWidth)
    : query(config.width, config.heads * config.headDim, config.storage),
      key(memoryWidth, config.kvHeads * config.headDim, config.storage),
      value(memoryWidth, config.kvHeads * config.headDim, config.storage),
      output(config.heads * config.headDim, config.width, config.storage) {}

void AttentionMaps::nameParameters(const std::string& prefix, Parameters& parameters) {
  parameters.addLinear(prefix + "query", query);
  parameters.addLinear(prefix + "key", key);
  parameters.addLinear(prefix + "value", value);
  parameters.addLinear(prefix + "output", output);
}

Block::Block(const TransformerConfig& config)
    : attention_(config, config.width),
      up_(config.width, config.innerWidth, config.storage),
      down_(config.innerWidth, config.width, config.storage),
      attentionNorm_(config.norm, config.width),
      feedForwardNorm_(config.norm, config.width) {
  if (config.memoryWidth) {
    cross_.emplace_back(config, *config.memoryWidth);
    crossNorm_.emplace_back(config.norm, config.width);
  }
  if (config.gated) gate_.emplace_back(config.width, config.innerWidth, config.storage);
  if (config.placement == NormPlacement::both) outputNorms_.assign(2, Norm(config.norm, config.width));
  if (config.headNorm) {
    const std::size_t dim = config.headDim;
    const bool isWide = config.headNormSpansHeads;
    headNorms_.emplace_back(*config.headNorm, isWide ? config.heads * dim : dim);
    headNorms_.emplace_back(*config.headNorm, isWide ? config.kvHeads * dim : dim);
  }
  if (config.layerScale) {
    attentionScale_.resize(config.width);
    feedForwardScale_.resize(config.width);
  }
}

void Block::nameParameters(const std::string& prefix, Parameters& parameters) {
  attention_.nameParameters(prefix, parameters);
  for (AttentionMaps& cross : cross_) cross.nameParameters(prefix + "cross_", parameters);
  for (Norm& norm : crossNorm_) norm.nameParameters(prefix + "cross_norm", parameters);
  for (LinearMap& gate : gate_) parameters.addLinear(prefix + "gate", gate);
  parameters.addLinear(prefix + "up", up_);
  parameters.addLinear(prefix + "down", down_);
  attentionNorm_.nameParameters(prefix + "attention_norm", parameters);
  feedForwardNorm_.nameParameters(prefix + "feed_forward_norm", parameters);
  if (!outputNorms_.empty()) {
    outputNorms_[0].nameParameters(prefix + "attention_output_norm", parameters);
    outputNorms_[1].nameParameters(prefix + "feed_forward_output_norm", parameters);
  }
  if (!headNorms_.empty()) {
    headNorms_[0].nameParameters(prefix + "query_norm", parameters);
    headNorms_[1].nameParameters(prefix + "key_norm", parameters);
  }
  if (!attentionScale_.empty()) {
    parameters.addVector(prefix + "attention_scale", attentionScale_);
    parameters.addVector(prefix + "feed_forward_scale", feedForwardScale_);
  }
}

/// What the layers of one forward() share.
struct Transformer::Call {
  std::size_t batch = 0;
  std::size_t length = 0;  // L
  std::size_t past = 0;
  TransformerCache& cache;
  BroadcastMask mask;                  // of keys; its pointers are null without one
  BroadcastMask bias;                  // of relative positions, likewise
  const std::uint8_t* real = nullptr;  // (B,S): 1 = a real token; null where all are
  std::span<const float> headMask;
  std::span<const std::size_t> positions;  // (B,L), or empty
  std::size_t firstLayer = 0;
  const float* memory = nullptr;  // (B,S',E'), if it is not in the cache
  std::size_t memoryLength = 0;   // S'

  [[nodiscard]] std::size_t rows() const { return batch * length; }
  [[nodiscard]] std::size_t keys() const { return past + length; }
  [[nodiscard]] RelativeSpan span() const { return {past, length, keys()}; }
  [[nodiscard]] bool isPadding(std::size_t b, std::size_t i) const {
    return real != nullptr && real[b * keys() + past + i] == 0;
  }
};

Transformer::Transformer(const TransformerConfig& config)
    : config_(config), id_(newLayerIds(2 * config.layers.size())) {
  sizeOf({config.heads, config.headDim});
  for (std::size_t i = 0; i < config.blocks; ++i) blocks_.emplace_back(config);
  for (const std::vector<float>& angles : config.rotaries) {
    rotaries_.emplace_back(angles, RotaryConvention::half);
  }
  if (config.relative) {
    relative_.emplace_back(*config.relative, config.relative->isBias ? config.heads : config.width);
  }
}

void Transformer::nameParameters(const std::string& prefix, Parameters& parameters) {
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    blocks_[i].nameParameters(prefix + "layers." + std::to_string(i) + ".", parameters);
  }
  for (RelativePositions& relative : relative_) relative.nameParameters(prefix, parameters);
}

/// Projects what was set in `input_` to the first L rows of each batch item of `rows`.
void Transformer::project(std::size_t batch, std::size_t length, const LinearMap& linear,
                          const Heads<float>& rows) {
  applyToItems(batch, length, linear.outFeatures(), rows, projected_,
               [&](float* all) { linear.apply(input_, all); });
}

void Transformer::normHeads(const Call& call, Block& block, const Heads<float>& q,
                            const Heads<float>& k) const {
  const bool isWide = config_.headNormSpansHeads;
  for (std::size_t b = 0; b < call.batch; ++b) {
    block.headNorms_[0].apply(call.length * (isWide ? 1 : config_.heads), q.at(b, 0), q.at(b, 0));
    block.headNorms_[1].apply(call.length * (isWide ? 1 : config_.kvHeads), k.at(b, 0), k.at(b, 0));
  }
}

/// Applies the rotary embedding to the new queries and keys.
void Transformer::turn(const Call& call, std::size_t rotary, const Heads<float>& q, const Heads<float>& k) {
  // A position each, or one run of them.
  const std::size_t run = call.positions.empty() ? call.length : 1;
  for (std::size_t b = 0; b < call.batch; ++b) {
    for (std::size_t i = 0; i < call.length; i += run) {
      const std::size_t first = call.positions.empty() ? call.past : call.positions[b * call.length + i];
      rotaries_[rotary].apply(q.from(i), b, config_.heads, run, first);
      rotaries_[rotary].apply(k.from(i), b, config_.kvHeads, run, first);
    }
  }
}

/// The bias (B,H,L,S) of a layer's vectors of distances.
const float* Transformer::disentangledBias(const Call& call, std::size_t layer, const Heads<float>& q,
                                           KvCache& cache) {
  const LayerRules& rules = config_.layers[layer];
  const AttentionMaps& maps = blocks_[rules.block].attention_;
  RelativePositions& relative = relative_.front();
  const RelativeSpan span = call.span();
  const RelativePositions::Rows rows = relative.rowsOf(span);
  input_.set(rows.count, config_.width, relative.vectors(rows));
  const std::size_t keyWidth = maps.key.outFeatures();
  const std::size_t queryWidth = maps.query.outFeatures();
  float* keys = positionKeys_.ensure(sizeOf({rows.count, keyWidth}));
  float* queries = positionQueries_.ensure(sizeOf({rows.count, queryWidth}));
  maps.key.apply(input_, keys);
  maps.query.apply(input_, queries);
  const std::size_t size = sizeOf({span.queries, span.keys});
  float* bias = bias_.ensure(sizeOf({call.batch, config_.heads, size}));
  const Heads<float> k = cache.keys();
  for (std::size_t b = 0; b < call.batch; ++b) {
    for (std::size_t h = 0; h < config_.heads; ++h) {
      const std::size_t kvHead = h / (config_.heads / config_.kvHeads);
      relative.disentangled(span, rows, config_.headDim, {q.at(b, h), q.row}, {k.at(b, kvHead), k.row},
                            {keys + kvHead * config_.headDim, keyWidth, true},
                            {queries + h * config_.headDim, queryWidth, true}, rules.scale,
                            bias + (b * config_.heads + h) * size);
      // Padding attends to all keys alike, as in transformers.
      for (std::size_t i = 0; i < call.length; ++i) {
        if (!call.isPadding(b, i)) continue;
        std::fill_n(q.at(b, h) + i * q.row, config_.headDim, 0.0F);
        std::fill_n(bias + (b * config_.heads + h) * size + i * span.keys, span.keys, 0.0F);
      }
    }
  }
  return bias;
}

/// context (B·L,H·d) ← what the heads of layer `layer` take from x (B·L,E). `weights` (B,H,L,S) may be null.
void Transformer::attend(const Call& call, std::size_t layer, const float* x, float* context,
                         float* weights) {
  const LayerRules& rules = config_.layers[layer];
  Block& block = blocks_[rules.block];
  const AttentionMaps& maps = block.attention_;
  const std::size_t dim = config_.headDim;
  const std::size_t size = sizeOf({call.rows(), config_.heads * dim});
  KvCache& cache = call.cache.layers[layer];
  cache.reserve({id_ + layer, call.batch, config_.kvHeads, dim, dim}, call.length);

  input_.set(call.rows(), config_.width, x);
  const Heads<float> q = splitHeads(query_.ensure(size), call.length, config_.heads, dim);
  const Heads<float> k = cache.keys().from(call.past);
  project(call.batch, call.length, maps.query, q);
  project(call.batch, call.length, maps.key, k);
  project(call.batch, call.length, maps.value, cache.values().from(call.past));
  if (!block.headNorms_.empty()) normHeads(call, block, q, k);
  if (rules.rotary) turn(call, *rules.rotary, q, k);

  ScoreRules scores{.scale = rules.scale, .softcap = config_.softcap};
  scores.masking = {
      .keys = call.keys(), .causal = config_.causal, .window = rules.window, .firstPosition = call.past};
  if (call.mask.allowed != nullptr) scores.masking.masks.push_back(call.mask);
  if (!relative_.empty()) {
    BroadcastMask bias = call.bias;
    if (bias.added == nullptr) bias.added = disentangledBias(call, layer, q, cache);
    scores.masking.masks.push_back(bias);
  }
  attention({call.batch, config_.heads, config_.kvHeads, call.length, call.keys(), dim, dim},
            {q, cache.keys(), cache.values()}, scores, nullptr,
            {.context = splitHeads(context, call.length, config_.heads, dim), .weights = weights},
            workspaces_);
  // Scaling a head's context is scaling its weights, which are given as they were.
  for (std::size_t head = 0; head < config_.heads && !call.headMask.empty(); ++head) {
    const float factor = call.headMask[layer * config_.heads + head];
    for (std::size_t row = 0; row < call.rows() && factor != 1.0F; ++row) {
      scaleBy(context + (row * config_.heads + head) * dim, dim, factor);
    }
  }
}

/// weighted (B,H,L,S) ← weights (B,H,L,S), each times the length of what its head takes from the value.
void Transformer::weighByValues(const Call& call, std::size_t layer, const float* weights, float* weighted) {
  const AttentionMaps& maps = blocks_[config_.layers[layer].block].attention_;
  const std::size_t dim = config_.headDim;
  std::vector<float> weight(sizeOf({config_.width, config_.heads * dim}));
  for (std::size_t e = 0; e < config_.width; ++e) {
    maps.output.copyWeightRow(e, weight.data() + e * config_.heads * dim);
  }
  const std::size_t keys = call.keys();
  std::vector<float> norms(sizeOf({call.batch, config_.heads, keys}));
  valueNorms_({call.batch, config_.heads, config_.kvHeads, call.length, keys, dim, dim},
              call.cache.layers[layer].values(), weight, norms.data());
  for (std::size_t head = 0; head < call.batch * config_.heads; ++head) {
    for (std::size_t i = 0; i < call.length; ++i) {
      for (std::size_t j = 0; j < keys; ++j, ++weights) {
        // A masked key passes on nothing, whatever its value is.
        *weighted++ = *weights == 0.0F ? 0.0F : *weights * norms[head * keys + j];
      }
    }
  }
}

/// y (B·L,E) ← attention of x (B·L,E) to the memory. `weights` (B,H,L,S') may be null.
void Transformer::attendMemory(const Call& call, std::size_t layer, const float* x, float* y,
                               float* weights) {
  const LayerRules& rules = config_.layers[layer];
  const AttentionMaps& maps = blocks_[rules.block].cross_.front();
  const std::size_t dim = config_.headDim;
  const std::size_t size = sizeOf({call.rows(), config_.heads * dim});
  KvCache& cache = call.cache.memory[layer];
  if (call.memory != nullptr) {
    cache.truncate(0);
    cache.reserve({id_ + config_.layers.size() + layer, call.batch, config_.kvHeads, dim, dim},
                  call.memoryLength);
    input_.set(call.batch * call.memoryLength, maps.key.inFeatures(), call.memory);
    project(call.batch, call.memoryLength, maps.key, cache.keys());
    project(call.batch, call.memoryLength, maps.value, cache.values());
    cache.commit(call.memoryLength);
  }
  input_.set(call.rows(), config_.width, x);
  float* query = query_.ensure(size);
  maps.query.apply(input_, query);
  ScoreRules scores{.scale = rules.scale};
  scores.masking = {.keys = call.memoryLength};
  if (const std::vector<std::uint8_t>& mask = call.cache.memoryMask; !mask.empty()) {
    scores.masking.masks.push_back(keyMask(mask.data(), call.batch, call.memoryLength));
  }
  float* context = context_.ensure(size);
  attention({call.batch, config_.heads, config_.kvHeads, call.length, call.memoryLength, dim, dim},
            {splitHeads(query, call.length, config_.heads, dim), cache.keys(), cache.values()}, scores,
            nullptr, {.context = splitHeads(context, call.length, config_.heads, dim), .weights = weights},
            workspaces_);
  input_.set(call.rows(), config_.heads * dim, context);
  maps.output.apply(input_, y);
}

/// y (rows,E) ← feed-forward network of x (rows,E).
void Transformer::feedForward(std::size_t rows, Block& block, const float* x, float* y) {
  const std::size_t count = sizeOf({rows, config_.innerWidth});
  input_.set(rows, config_.width, x);
  float* inner = inner_.ensure(count);
  if (config_.gated) {
    float* up = up_.ensure(count);
    block.up_.apply(input_, up);
    block.gate_.front().apply(input_, inner);
    activateGated(config_.activation, count, inner, up);
  } else {
    block.up_.apply(input_, inner);
    activate(config_.activation, count, inner);
  }
  input_.set(rows, config_.innerWidth, inner);
  block.down_.apply(input_, y);
}

/// Checks the memory of a call, or finds that of its cache.
void Transformer::readMemory(const TransformerInput& input, Call& call) {
  TransformerCache& cache = call.cache;
  if (!config_.memoryWidth) {
    if (input.memory) throw WrongArgument("memory", "be left out: this model has no cross-attention");
    return;
  }
  if (input.memory) {
    const Shape shape(input.memory->shape());
    if (shape.size() != 3 || shape[0] != call.batch || shape[1] == 0 || shape[2] != *config_.memoryWidth) {
      throwShape("memory",
                 "be (" + std::to_string(call.batch) + ", S, " + std::to_string(*config_.memoryWidth) + ")",
                 shape);
    }
    const Shape expected{shape[0], shape[1]};
    if (input.memoryMask && Shape(input.memoryMask->shape()) != expected) {
      throwShape("memoryMask", "have shape " + toText(expected), input.memoryMask->shape());
    }
    cache.memory.resize(config_.layers.size());
    cache.memoryMask.clear();
    if (input.memoryMask) {
      cache.memoryMask.assign(input.memoryMask->data(), input.memoryMask->data() + input.memoryMask->size());
    }
    call.memory = input.memory->data();
    call.memoryLength = shape[1];
    return;
  }
  const bool isKept = input.cache != nullptr && !cache.memory.empty() && cache.memory.back().length() > 0 &&
                      cache.memory.back().batch() == call.batch;
  if (!isKept) throw WrongArgument("memory", "be given, or kept by the cache for this batch size");
  call.memoryLength = cache.memory.back().length();
}

void Transformer::checkInspection(const TransformerInput& input, const Call& call) const {
  if (input.traced && *input.traced >= call.rows()) {
    throw WrongArgument("traced", "be below " + std::to_string(call.rows()));
  }
  if (input.firstLayer >= config_.layers.size()) {
    throw WrongArgument("firstLayer", "be below " + std::to_string(config_.layers.size()));
  }
  if (input.onlyRow) {
    if (*input.onlyRow >= call.length) {
      throw WrongArgument("onlyRow", "be below " + std::to_string(call.length));
    }
    if (input.traced || input.hiddenStates || input.contexts || config_.memoryWidth) {
      throw WrongArgument("onlyRow", "be left out where all rows are wanted");
    }
  }
  if (input.context.empty()) return;
  const std::size_t width = config_.heads * config_.headDim;
  if (input.context.size() != call.rows() * width) {
    throwShape("context", "have shape " + toText({call.batch, call.length, width}),
               Shape{input.context.size()});
  }
  if (input.firstLayer < input.attentions.size() && input.attentions[input.firstLayer] != 0) {
    throw WrongArgument("attentions", "leave out the layer whose context is given");
  }
}

TransformerOutput Transformer::forward(const TransformerInput& input) {
  const Shape shape(input.hidden.shape());
  if (shape.size() != 3 || shape[2] != config_.width || input.hidden.size() == 0) {
    throwShape("hidden", "be (B, L, " + std::to_string(config_.width) + ")", shape);
  }
  TransformerCache& cache = input.cache != nullptr ? *input.cache : ownCache_;
  cache.layers.resize(config_.layers.size());
  Call call{.batch = shape[0],
            .length = shape[1],
            .past = cache.length(),
            .cache = cache,
            .mask = {},
            .bias = {},
            .headMask = input.headMask,
            .positions = input.positions,
            .firstLayer = input.firstLayer};
  if (!input.headMask.empty() && input.headMask.size() != config_.layers.size() * config_.heads) {
    throwShape("headMask", "have shape " + toText({config_.layers.size(), config_.heads}),
               Shape{input.headMask.size()});
  }
  if (!input.positions.empty() && input.positions.size() != call.rows()) {
    throwShape("positionIds", "have shape " + toText({call.batch, call.length}),
               Shape{input.positions.size()});
  }
  if (input.mask) {
    const Shape expected{call.batch, call.keys()};
    if (Shape(input.mask->shape()) != expected) {
      throwShape("attentionMask", "have shape " + toText(expected), input.mask->shape());
    }
    call.real = input.mask->data();
    call.mask = keyMask(call.real, call.batch, call.keys());
  }
  readMemory(input, call);
  checkInspection(input, call);
  std::vector<std::uint8_t> queryMask;  // (B,L,S)
  if (!relative_.empty() && !relative_.front().isBias() && call.real != nullptr) {
    queryMask.resize(sizeOf({call.rows(), call.keys()}));
    for (std::size_t row = 0; row < call.rows(); ++row) {
      const std::size_t b = row / call.length;
      std::uint8_t* keys = queryMask.data() + row * call.keys();
      if (call.isPadding(b, row % call.length)) {
        std::fill_n(keys, call.keys(), std::uint8_t{1});
      } else {
        std::copy_n(call.real + b * call.keys(), call.keys(), keys);
      }
    }
    call.mask = keyMask(queryMask.data(), call.batch, call.length * call.keys());
    call.mask.queryStride = call.keys();
  }
  if (!relative_.empty()) {
    const bool isShared = relative_.front().isBias();
    const std::size_t size = sizeOf({call.length, call.keys()});
    call.bias = {.batchOffsets = {}, .headStride = size, .queryStride = call.keys(), .keyStride = 1};
    for (std::size_t b = 0; b < call.batch; ++b) {
      call.bias.batchOffsets.push_back(isShared ? 0 : b * config_.heads * size);
    }
    if (isShared) {
      float* bias = bias_.ensure(sizeOf({config_.heads, size}));
      relative_.front().bias(call.span(), bias);
      call.bias.added = bias;
    }
  }

  TransformerOutput output;
  Tensor hidden = input.hidden;
  float* h = hidden.data();
  std::size_t rows = call.rows();
  std::size_t count = hidden.size();
  const std::size_t contextWidth = config_.heads * config_.headDim;
  const std::size_t contextSize = sizeOf({rows, contextWidth});
  const NormPlacement placement = config_.placement;
  const bool normsBefore = placement == NormPlacement::before || placement == NormPlacement::both;
  /// Memory for the weights of a layer, which are null where they are not wanted.
  const auto weightsOf = [&](std::vector<Tensor>& all, std::span<const std::uint8_t> wanted,
                             std::size_t layer, std::size_t keys) -> float* {
    Tensor& weights = all.emplace_back();
    if (layer >= wanted.size() || wanted[layer] == 0) return nullptr;
    weights = allocate({call.batch, config_.heads, call.length, keys});
    return weights.data();
  };
  const std::size_t heads = config_.heads * (config_.memoryWidth ? 2 : 1);
  std::optional<RowParts>& parts = output.parts;
  const std::size_t tracedRow = input.traced.value_or(0);
  std::size_t part = 1;
  if (input.traced) {
    parts.emplace(2 + config_.layers.size() * (heads + 1), config_.width);
    std::copy_n(h + tracedRow * config_.width, config_.width, parts->at(0));
  }
  for (std::size_t layer = input.firstLayer; layer < config_.layers.size(); ++layer) {
    const LayerRules& rules = config_.layers[layer];
    Block& block = blocks_[rules.block];
    if (input.hiddenStates) output.hiddenStates.push_back(hidden);
    float* added = added_.ensure(count);
    /// What a part of the block takes: norm(h), or h.
    const auto normed = [&](Norm& norm, Scratch& scratch) -> const float* {
      if (!normsBefore) return h;
      float* result = scratch.ensure(count);
      norm.apply(rows, h, result);
      return result;
    };
    /// Adds what a part gave to h, with the norms where the model has them. `traced`: the same of one row.
    const auto add = [&](Norm& norm, Norm* outputNorm, const std::vector<float>& scale,
                         std::optional<RowParts> traced) {
      const auto normAdded = [&](Norm& one) {
        if (traced) traced->apply(one);
        one.apply(rows, added, added);
      };
      if (placement == NormPlacement::outputs) normAdded(norm);
      if (outputNorm != nullptr) normAdded(*outputNorm);
      if (!scale.empty()) {
        if (traced) traced->scaleColumns(scale);
        scaleColumns(rows, scale, added);
      }
      addTo(h, added, count);
      if (traced) {
        parts->add(*traced, part);
        part += traced->count() - 1;
      }
      if (placement == NormPlacement::after) {
        if (parts) parts->apply(norm);
        norm.apply(rows, h, h);
      }
    };
    /// By head, what an attention added to the traced row.
    const auto tracedHeads = [&](const AttentionMaps& maps, const float* taken) -> std::optional<RowParts> {
      if (!parts) return std::nullopt;
      return RowParts::ofHeads(maps.output, taken + tracedRow * maps.output.inFeatures(), config_.heads);
    };
    const auto tracedFeedForward = [&]() -> std::optional<RowParts> {
      if (!parts) return std::nullopt;
      RowParts traced(2, config_.width);
      std::copy_n(added + tracedRow * config_.width, config_.width, traced.at(0));
      return traced;
    };
    const auto outputNorm = [&](std::size_t half) {
      return block.outputNorms_.empty() ? nullptr : &block.outputNorms_[half];
    };

    const float* x = rules.normsInput ? normed(block.attentionNorm_, normed_) : h;
    if (input.layerInputs) output.layerInputs.emplace_back(viewOf(x, shape));
    float* weights = weightsOf(output.attentions, input.attentions, layer, call.keys());
    const float* context = input.context.data();
    if (layer > input.firstLayer || input.context.empty()) {
      float* computed = context_.ensure(contextSize);
      attend(call, layer, x, computed, weights);
      context = computed;
    }
    if (input.onlyRow && layer + 1 == config_.layers.size()) {
      const auto keepRow = [&](const float* from, std::size_t width, float* to) {
        for (std::size_t b = 0; b < call.batch; ++b) {
          std::copy_n(from + (b * call.length + *input.onlyRow) * width, width, to + b * width);
        }
      };
      float* kept = context_.ensure(contextSize);
      keepRow(context, contextWidth, kept);
      keepRow(h, config_.width, h);
      context = kept;
      rows = call.batch;
      count = rows * config_.width;
    }
    const float* parallel = config_.parallel ? normed(block.feedForwardNorm_, parallelNormed_) : nullptr;
    input_.set(rows, contextWidth, context);
    block.attention_.output.apply(input_, added);
    if (input.valueWeighted) {
      float* weighted = weightsOf(output.valueWeighted, input.attentions, layer, call.keys());
      if (weighted != nullptr) weighByValues(call, layer, output.attentions.back().data(), weighted);
    }
    if (input.contexts) {
      output.contexts.emplace_back(
          viewOf(context, Shape{call.batch, call.length, config_.heads * config_.headDim}));
    }
    add(block.attentionNorm_, outputNorm(0), block.attentionScale_, tracedHeads(block.attention_, context));
    if (config_.memoryWidth) {
      Norm& norm = block.crossNorm_.front();
      float* weights = weightsOf(output.crossAttentions, input.crossAttentions, layer, call.memoryLength);
      attendMemory(call, layer, normed(norm, normed_), added, weights);
      add(norm, nullptr, {}, tracedHeads(block.cross_.front(), context_.data()));
    }
    feedForward(rows, block, parallel != nullptr ? parallel : normed(block.feedForwardNorm_, normed_), added);
    add(block.feedForwardNorm_, outputNorm(1), block.feedForwardScale_, tracedFeedForward());
  }
  if (input.hiddenStates) output.hiddenStates.push_back(hidden);
  if (input.onlyRow) {
    output.last = Tensor(viewOf(h, Shape{call.batch, 1, config_.width}));
  } else {
    output.last = std::move(hidden);
  }
  // All or nothing: nothing above has changed the length of a layer's cache. A run with the context of
  // another text is no part of the text.
  if (input.cache != nullptr && input.context.empty()) {
    for (KvCache& layer : cache.layers) layer.commit(call.length);
  }
  return output;
}

}  // namespace mha::models
