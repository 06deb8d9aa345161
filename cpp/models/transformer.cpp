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

}  // namespace

Block::Block(const TransformerConfig& config)
    : query_(config.width, config.heads * config.headDim, config.storage),
      key_(config.width, config.kvHeads * config.headDim, config.storage),
      value_(config.width, config.kvHeads * config.headDim, config.storage),
      output_(config.heads * config.headDim, config.width, config.storage),
      up_(config.width, config.innerWidth, config.storage),
      down_(config.innerWidth, config.width, config.storage),
      attentionNorm_(config.norm, config.width),
      feedForwardNorm_(config.norm, config.width) {
  if (config.gated) gate_.emplace_back(config.width, config.innerWidth, config.storage);
  if (config.placement == NormPlacement::both) outputNorms_.assign(2, Norm(config.norm, config.width));
  if (config.headNorm) headNorms_.assign(2, Norm(*config.headNorm, config.headDim));
  if (config.layerScale) {
    attentionScale_.resize(config.width);
    feedForwardScale_.resize(config.width);
  }
}

void Block::nameParameters(const std::string& prefix, Parameters& parameters) {
  parameters.addLinear(prefix + "query", query_);
  parameters.addLinear(prefix + "key", key_);
  parameters.addLinear(prefix + "value", value_);
  parameters.addLinear(prefix + "output", output_);
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
  BroadcastMask mask;  // of keys; its pointers are null without one
  std::span<const float> headMask;
  std::span<const std::size_t> positions;  // (B,L), or empty

  [[nodiscard]] std::size_t rows() const { return batch * length; }
  [[nodiscard]] std::size_t keys() const { return past + length; }
};

Transformer::Transformer(const TransformerConfig& config)
    : config_(config), id_(newLayerIds(config.layers.size())) {
  sizeOf({config.heads, config.headDim});
  for (std::size_t i = 0; i < config.blocks; ++i) blocks_.emplace_back(config);
  for (const std::vector<float>& angles : config.rotaries) {
    rotaries_.emplace_back(angles, RotaryConvention::half);
  }
}

void Transformer::nameParameters(Parameters& parameters) {
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    blocks_[i].nameParameters("layers." + std::to_string(i) + ".", parameters);
  }
}

/// y (B·L,E) ← attention of layer `layer` over x (B·L,E). `weights` (B,H,L,S) may be null.
void Transformer::attend(const Call& call, std::size_t layer, const float* x, float* y, float* weights) {
  const LayerRules& rules = config_.layers[layer];
  Block& block = blocks_[rules.block];
  const auto& [batch, length, past, caches, mask, headMask, positions] = call;
  const std::size_t dim = config_.headDim;
  KvCache& cache = caches[layer];
  cache.reserve({id_ + layer, batch, config_.kvHeads, dim, dim}, length);

  input_.set(call.rows(), config_.width, x);
  /// Projects to the first L rows of each batch item of `rows`.
  const auto project = [&](const LinearMap& linear, const Heads<float>& rows) {
    applyToItems(batch, length, linear.outFeatures(), rows, projected_,
                 [&](float* all) { linear.apply(input_, all); });
  };
  const Heads<float> q = splitHeads(query_.ensure(sizeOf({call.rows(), block.query_.outFeatures()})), length,
                                    config_.heads, dim);
  const Heads<float> k = cache.keys().from(past);
  project(block.query_, q);
  project(block.key_, k);
  project(block.value_, cache.values().from(past));
  for (std::size_t b = 0; b < batch; ++b) {
    if (!block.headNorms_.empty()) {
      block.headNorms_[0].apply(length * config_.heads, q.at(b, 0), q.at(b, 0));
      block.headNorms_[1].apply(length * config_.kvHeads, k.at(b, 0), k.at(b, 0));
    }
    if (rules.rotary) {
      Rotary& rotary = rotaries_[*rules.rotary];
      // A position each, or one run of them.
      const std::size_t run = positions.empty() ? length : 1;
      for (std::size_t i = 0; i < length; i += run) {
        const std::size_t first = positions.empty() ? past : positions[b * length + i];
        rotary.apply(q.from(i), b, config_.heads, run, first);
        rotary.apply(k.from(i), b, config_.kvHeads, run, first);
      }
    }
  }

  ScoreRules scores{.scale = rules.scale, .softcap = config_.softcap};
  scores.masking = {
      .keys = call.keys(), .causal = config_.causal, .window = rules.window, .firstPosition = past};
  if (mask.allowed != nullptr) scores.masking.masks.push_back(mask);
  float* context = context_.ensure(sizeOf({call.rows(), config_.heads * dim}));
  const Heads<float> contextHeads = splitHeads(context, length, config_.heads, dim);
  attention({batch, config_.heads, config_.kvHeads, length, call.keys(), dim, dim},
            {q, cache.keys(), cache.values()}, scores, nullptr, {.context = contextHeads, .weights = weights},
            workspaces_);
  // Scaling a head's context is scaling its weights, which are given as they were.
  for (std::size_t head = 0; head < config_.heads && !headMask.empty(); ++head) {
    const float factor = headMask[layer * config_.heads + head];
    for (std::size_t row = 0; row < call.rows() && factor != 1.0F; ++row) {
      scaleBy(context + (row * config_.heads + head) * dim, dim, factor);
    }
  }
  input_.set(call.rows(), config_.heads * dim, context);
  block.output_.apply(input_, y);
}

/// y (B·L,E) ← feed-forward network of x (B·L,E).
void Transformer::feedForward(const Call& call, Block& block, const float* x, float* y) {
  const std::size_t count = sizeOf({call.rows(), config_.innerWidth});
  input_.set(call.rows(), config_.width, x);
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
  input_.set(call.rows(), config_.innerWidth, inner);
  block.down_.apply(input_, y);
}

TransformerOutput Transformer::forward(const TransformerInput& input) {
  const Shape shape(input.hidden.shape());
  if (shape.size() != 3 || shape[2] != config_.width || input.hidden.size() == 0) {
    throwShape("hidden", "be (B, L, " + std::to_string(config_.width) + ")", shape);
  }
  TransformerCache& cache = input.cache != nullptr ? *input.cache : ownCache_;
  cache.resize(config_.layers.size());
  Call call{shape[0],       shape[1],       cache.empty() ? 0 : cache.front().length(), cache, {},
            input.headMask, input.positions};
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
    call.mask.allowed = input.mask->data();
    call.mask.keyStride = 1;
    for (std::size_t b = 0; b < call.batch; ++b) call.mask.batchOffsets.push_back(b * call.keys());
  }

  TransformerOutput output;
  Tensor hidden = input.hidden;
  float* h = hidden.data();
  const std::size_t rows = call.rows();
  const std::size_t count = hidden.size();
  const bool normsBefore = config_.placement != NormPlacement::after;
  for (std::size_t layer = 0; layer < config_.layers.size(); ++layer) {
    Block& block = blocks_[config_.layers[layer].block];
    if (input.hiddenStates) output.hiddenStates.push_back(hidden);
    Tensor& weights = output.attentions.emplace_back();
    if (layer < input.attentions.size() && input.attentions[layer] != 0) {
      weights = allocate({call.batch, config_.heads, call.length, call.keys()});
    }
    float* normed = normed_.ensure(count);
    float* added = added_.ensure(count);
    /// h ← h + f(norm(h)), with the norms where the model has them.
    const auto add = [&](Norm& norm, std::size_t half, const std::vector<float>& scale, const auto& f) {
      if (normsBefore) norm.apply(rows, h, normed);
      f(normsBefore ? normed : h, added);
      if (!block.outputNorms_.empty()) block.outputNorms_[half].apply(rows, added, added);
      if (!scale.empty()) scaleColumns(rows, scale, added);
      addTo(h, added, count);
      if (!normsBefore) norm.apply(rows, h, h);
    };
    add(block.attentionNorm_, 0, block.attentionScale_, [&](const float* x, float* y) {
      if (input.layerInputs) output.layerInputs.emplace_back(viewOf(x, shape));
      attend(call, layer, x, y, weights.dimension() == 0 ? nullptr : weights.data());
    });
    add(block.feedForwardNorm_, 1, block.feedForwardScale_,
        [&](const float* x, float* y) { feedForward(call, block, x, y); });
  }
  if (input.hiddenStates) output.hiddenStates.push_back(hidden);
  output.last = std::move(hidden);
  // All or nothing: nothing above has changed the length of a layer's cache.
  if (input.cache != nullptr) {
    for (KvCache& layer : cache) layer.commit(call.length);
  }
  return output;
}

}  // namespace mha::models
