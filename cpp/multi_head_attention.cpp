#include "multi_head_attention.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "alibi.hpp"
#include "wrong_argument.hpp"

namespace mha {
namespace {

void requirePositive(const char* name, std::size_t value) {
  if (value == 0) throw WrongArgument(name, "be at least 1, got 0");
}

MultiHeadAttentionConfig checked(const MultiHeadAttentionConfig& config) {
  requirePositive("embedDim", config.embedDim);
  requirePositive("numHeads", config.numHeads);
  requirePositive("numKvHeads", config.numKvHeads);
  requirePositive("headDim", config.headDim);
  requirePositive("valueHeadDim", config.valueHeadDim);
  requirePositive("kdim", config.kdim);
  requirePositive("vdim", config.vdim);
  requirePositive("outDim", config.outDim);
  if (config.numHeads % config.numKvHeads != 0) {
    throw WrongArgument("numKvHeads", "divide numHeads (" + std::to_string(config.numHeads) + "), got " +
                                          std::to_string(config.numKvHeads));
  }
  if (config.rope &&
      (config.rope->dim == 0 || config.rope->dim % 2 != 0 || config.rope->dim > config.headDim)) {
    throw WrongArgument("rope.dim", "be even and from 2 to headDim (" + std::to_string(config.headDim) +
                                        "), got " + std::to_string(config.rope->dim));
  }
  // The widths of the projections, which are multiplied below, must not wrap around.
  sizeOf({config.numHeads, config.headDim});
  sizeOf({config.numHeads, config.valueHeadDim});
  return config;
}

/// Draws `count` floats from U(−bound, bound).
std::vector<float> uniform(DefaultRng& generator, std::size_t count, double bound) {
  std::vector<double> draws(count);
  generator.random(draws);
  std::vector<float> values(count);
  std::ranges::transform(draws, values.begin(),
                         [bound](double u) { return static_cast<float>((2.0 * u - 1.0) * bound); });
  return values;
}

/// torch.nn.init.xavier_uniform_ (Glorot & Bengio, 2010).
double xavierBound(std::size_t fanIn, std::size_t fanOut) {
  return std::sqrt(6.0 / static_cast<double>(fanIn + fanOut));
}

/// Draws `count` floats from N(0, deviation²).
std::vector<float> normal(DefaultRng& generator, std::size_t count, double deviation) {
  std::vector<double> draws(count);
  generator.normal(0.0, deviation, draws);
  return {draws.begin(), draws.end()};
}

Tensor weightOf(const Linear& linear) {
  Tensor weight = allocate({linear.outFeatures(), linear.inFeatures()});
  linear.copyWeight(weight.data());
  return weight;
}

/// (n) → (1,1,n), as torch keeps the learned key and value.
Tensor learnedTensor(const std::vector<float>& values) {
  Tensor tensor = allocate({1, 1, values.size()});
  std::ranges::copy(values, tensor.data());
  return tensor;
}

void requireWidth(const char* name, const TensorView& tensor, std::size_t width, const char* widthName) {
  if (tensor.shape().back() != width) {
    throwShape(name, "have last dimension " + std::to_string(width) + " (" + widthName + ")", tensor.shape());
  }
}

void relu(float* values, std::size_t count) {
  // Written so that NaN stays NaN.
  for (std::size_t i = 0; i < count; ++i) values[i] = values[i] < 0.0F ? 0.0F : values[i];
}

/// A contiguous copy of heads of `shape` (B,heads,rows,dim), as a tensor of the same size and `copyShape`.
Tensor copyHeads(const Heads<const float>& heads, const Shape& shape, const Shape& copyShape) {
  Tensor copy = allocate(copyShape);
  float* next = copy.data();
  for (std::size_t b = 0; b < shape[0]; ++b) {
    for (std::size_t h = 0; h < shape[1]; ++h) {
      for (std::size_t i = 0; i < shape[2]; ++i) {
        next = std::copy_n(heads.at(b, h) + i * heads.row, shape[3], next);
      }
    }
  }
  return copy;
}

/// attnMask (L,S), (B,L,S) or (B,H,L,S), and (H,L,S) for unbatched calls, broadcast to `target` (B,H,L,S).
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

AttentionResult allocateResult(const ForwardOptions& options, const Shape& outputShape,
                               const Shape& scoresShape) {
  AttentionResult result;
  result.output = allocate(outputShape);
  if (options.needWeights) result.weights = allocate(scoresShape);
  if (options.returnScores) result.scores = allocate(scoresShape);
  if (options.returnSteps) {
    result.steps.emplace();
    result.steps->scaled = allocate(scoresShape);
    result.steps->masked = allocate(scoresShape);
  }
  return result;
}

/// Where attention() writes what `result` has room for.
AttentionOutputs outputsOf(AttentionResult& result, const Heads<float>& context, WeightsTaker* weightsTaker) {
  AttentionOutputs outputs{.context = context, .weightsTaker = weightsTaker};
  if (result.weights) outputs.weights = result.weights->data();
  if (result.scores) outputs.scores = result.scores->data();
  if (result.steps) {
    outputs.scaled = result.steps->scaled.data();
    outputs.masked = result.steps->masked.data();
  }
  return outputs;
}

/// Another number for every layer.
std::uint64_t nextId() {
  static std::uint64_t last = 0;
  return ++last;
}

}  // namespace

struct MultiHeadAttention::Sizes {
  bool batched;
  std::size_t batch;
  std::size_t queries;
  std::size_t newKeys;
  std::size_t keys;     // with those of the cache
  std::size_t columns;  // with the appended ones

  /// `shape` (B,…), without B for unbatched calls.
  [[nodiscard]] Shape withBatching(const Shape& shape) const {
    return batched ? shape : Shape(shape.begin() + 1, shape.end());
  }
};

MultiHeadAttention::MultiHeadAttention(const MultiHeadAttentionConfig& config)
    : config_(checked(config)),
      query_(config.embedDim, config.numHeads * config.headDim),
      key_(config.kdim, config.numKvHeads * config.headDim),
      value_(config.vdim, config.numKvHeads * config.valueHeadDim),
      output_(config.numHeads * config.valueHeadDim, config.outDim),
      id_(nextId()),
      generator_(config.seed) {
  // torch initialises the packed weight as one matrix, so its fan-out counts all three projections.
  const std::size_t packedOut = query_.outFeatures() + key_.outFeatures() + value_.outFeatures();
  for (Linear* projection : {&query_, &key_, &value_}) {
    const std::size_t in = projection->inFeatures();
    const std::size_t out = projection->outFeatures();
    const double bound = xavierBound(in, packsInProjection() ? packedOut : out);
    projection->set(uniform(generator_, in * out, bound).data(), nullptr);
  }
  const std::size_t in = output_.inFeatures();
  const double bound = 1.0 / std::sqrt(static_cast<double>(in));
  output_.set(uniform(generator_, in * output_.outFeatures(), bound).data(), nullptr);
  if (config.addBiasKv) {
    // xavier_normal_ takes both fans of a (1,1,n) tensor for n: the deviation is 1/√n.
    const auto learned = [this](std::size_t n) {
      return normal(generator_, n, 1.0 / std::sqrt(static_cast<double>(n)));
    };
    biasK_ = learned(key_.outFeatures());
    biasV_ = learned(value_.outFeatures());
  }
  if (config.rope) rotary_.emplace(*config.rope);
}

std::size_t MultiHeadAttention::appendedKeys() const {
  return static_cast<std::size_t>(config_.addBiasKv) + static_cast<std::size_t>(config_.addZeroAttn);
}

MultiHeadAttention::Sizes MultiHeadAttention::check(const TensorView& query, const TensorView& key,
                                                    const TensorView& value, std::size_t past) const {
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
  if (query.size() == 0) throwShape("query", "not be empty", query.shape());
  if (key.size() == 0) throwShape("key", "not be empty", key.shape());
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

ScoreRules MultiHeadAttention::scoreRules(const Sizes& sizes, const ForwardOptions& options) const {
  ScoreRules rules;
  rules.scale = options.scale.value_or(1.0F / std::sqrt(static_cast<float>(config_.headDim)));
  rules.softcap = options.softcap;
  if (options.alibi) rules.alibiSlopes = alibiSlopes(config_.numHeads);
  Masking& masking = rules.masking;
  masking.keys = sizes.keys;
  masking.causal = options.isCausal;
  masking.window = options.window;
  masking.firstPosition = sizes.keys - sizes.newKeys;
  const Shape target{sizes.batch, config_.numHeads, sizes.queries, sizes.keys};
  if (options.attnMask) masking.masks.push_back(broadcastAttnMask(*options.attnMask, sizes.batched, target));
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

/// Projects packed x (B·rows,in) to the first `rows` rows of each batch item of `y`. Where those are apart,
/// the product of all is scattered: as many products as items would each be too small to be fast.
void MultiHeadAttention::project(const Linear& linear, const float* packedX, std::size_t batch,
                                 std::size_t rows, const Heads<float>& y) {
  const std::size_t item = rows * linear.outFeatures();
  if (batch == 1 || y.batch == item) {
    project(linear, packedX, batch * rows, y.data);
    return;
  }
  float* all = projected_.take(sizeOf({batch, item}));
  project(linear, packedX, batch * rows, all);
  for (std::size_t b = 0; b < batch; ++b) std::copy_n(all + b * item, item, y.at(b, 0));
}

/// Writes the learned and the zero row that the configuration asks for.
void MultiHeadAttention::append(const std::vector<float>& learned, std::size_t width, float* rows) const {
  if (config_.addBiasKv) rows = std::copy_n(learned.data(), width, rows);
  if (config_.addZeroAttn) std::fill_n(rows, width, 0.0F);
}

AttentionResult MultiHeadAttention::forward(const TensorView& query, const TensorView& key,
                                            const TensorView& value, const ForwardOptions& options) {
  KvCache& cache = options.cache != nullptr ? *options.cache : ownRows_;
  const std::size_t past = cache.length();
  const Sizes sizes = check(query, key, value, past);
  const auto& [batched, batch, queries, newKeys, keys, columns] = sizes;
  const std::size_t heads = config_.numHeads;
  const std::size_t kvHeads = config_.numKvHeads;
  const ScoreRules rules = scoreRules(sizes, options);
  if (options.training) tape_.recorded = false;

  AttentionResult result = allocateResult(options, sizes.withBatching({batch, queries, config_.outDim}),
                                          sizes.withBatching({batch, heads, queries, columns}));
  cache.reserve({id_, batch, kvHeads, config_.headDim, config_.valueHeadDim}, columns - past);

  float* q = q_.take(sizeOf({batch, queries, query_.outFeatures()}));
  float* context = context_.take(sizeOf({batch, queries, output_.inFeatures()}));
  const float* packedFrom = nullptr;
  // In self-attention query, key and value are the same rows, packed once.
  const auto pack = [&](const float* x, std::size_t rows, std::size_t width) {
    float* packed = packed_.take(sizeOf({rows, width}));
    if (x != packedFrom) Linear::pack(rows, width, x, packed);
    packedFrom = x;
    return packed;
  };
  project(query_, pack(query.data(), batch * queries, config_.embedDim), batch * queries, q);
  const Heads<float> qHeads = splitHeads(q, queries, heads, config_.headDim);
  const Heads<float> kHeads = cache.keys();
  const Heads<float> vHeads = cache.values();
  project(key_, pack(key.data(), batch * newKeys, config_.kdim), batch, newKeys, kHeads.from(past));
  project(value_, pack(value.data(), batch * newKeys, config_.vdim), batch, newKeys, vHeads.from(past));
  for (std::size_t b = 0; b < batch; ++b) {
    append(biasK_, kHeads.row, kHeads.from(keys).at(b, 0));
    append(biasV_, vHeads.row, vHeads.from(keys).at(b, 0));
  }
  LayerTape* tape = options.training && options.cache == nullptr ? &tape_ : nullptr;
  if (tape != nullptr) {
    tape->q.keep(q, batch * queries * qHeads.row);
    tape->k.keep(kHeads.data, batch * columns * kHeads.row);
    tape->v.keep(vHeads.data, batch * columns * vHeads.row);
  }
  for (std::size_t b = 0; b < batch && rotary_; ++b) {
    rotary_->apply(qHeads, b, heads, queries, past);
    rotary_->apply(kHeads.from(past), b, kvHeads, newKeys, past);
  }

  const Heads<float> contextHeads = splitHeads(context, queries, heads, config_.valueHeadDim);
  std::optional<Dropout> dropout;
  if (options.training && config_.dropout > 0.0) dropout.emplace(config_.dropout, generator_);
  AttentionOutputs outputs = outputsOf(result, contextHeads, options.weightsTaker);
  const std::size_t maps = sizeOf({batch, heads, queries, columns});
  if (tape != nullptr) {
    if (outputs.weights == nullptr) outputs.weights = tape->dropped.take(maps);
    if (dropout) outputs.undropped = tape->weights.take(maps);
    if (rules.softcap != 0.0F && outputs.scaled == nullptr) outputs.scaled = tape->scaled.take(maps);
  }
  attention({batch, heads, kvHeads, queries, columns, config_.headDim, config_.valueHeadDim},
            {qHeads, kHeads, vHeads}, rules, dropout ? &*dropout : nullptr, outputs, workspaces_);
  project(output_, pack(context, batch * queries, output_.inFeatures()), batch * queries,
          result.output.data());

  if (result.steps) {
    const auto copy = [&](const Heads<const float>& rows, const Shape& shape) {
      return copyHeads(rows, shape, sizes.withBatching(shape));
    };
    result.steps->query = copy(qHeads, {batch, heads, queries, config_.headDim});
    result.steps->key = copy(kHeads, {batch, kvHeads, columns, config_.headDim});
    result.steps->value = copy(vHeads, {batch, kvHeads, columns, config_.valueHeadDim});
    result.steps->context = copy(contextHeads, {batch, heads, queries, config_.valueHeadDim});
    result.steps->concat = allocate(sizes.withBatching({batch, queries, output_.inFeatures()}));
    std::copy_n(context, result.steps->concat.size(), result.steps->concat.data());
  }
  if (tape != nullptr) {
    tape->query.keep(query.data(), query.size());
    tape->key.keep(key.data(), key.size());
    tape->value.keep(value.data(), value.size());
    if (result.weights) tape->dropped.keep(outputs.weights, maps);
    if (rules.softcap != 0.0F && result.steps) tape->scaled.keep(outputs.scaled, maps);
    tape->concat.keep(context, batch * queries * output_.inFeatures());
    if (config_.activation == Activation::relu) tape->output.keep(result.output.data(), result.output.size());
    tape->sizes = {.batched = batched, .batch = batch, .queries = queries, .keys = keys};
    tape->scale = rules.scale;
    tape->softcap = rules.softcap;
    tape->drops = dropout.has_value();
    tape->recorded = true;
  }
  if (options.cache != nullptr) cache.keep(newKeys);
  return result;
}

bool MultiHeadAttention::packsInProjection() const {
  const std::size_t e = config_.embedDim;
  return config_.kdim == e && config_.vdim == e && query_.outFeatures() == e && key_.outFeatures() == e &&
         value_.outFeatures() == e;
}

StateDict MultiHeadAttention::stateDict() const {
  StateDict dict;
  const std::array<const Linear*, 3> projections{&query_, &key_, &value_};
  if (packsInProjection()) {
    Tensor packed = allocate({3 * config_.embedDim, config_.embedDim});
    float* next = packed.data();
    for (const Linear* projection : projections) {
      projection->copyWeight(next);
      next += projection->outFeatures() * projection->inFeatures();
    }
    dict.emplace("in_proj_weight", std::move(packed));
  } else {
    dict.emplace("q_proj_weight", weightOf(query_));
    dict.emplace("k_proj_weight", weightOf(key_));
    dict.emplace("v_proj_weight", weightOf(value_));
  }
  dict.emplace("out_proj.weight", weightOf(output_));
  if (config_.bias) {
    Tensor inBias = allocate({query_.outFeatures() + key_.outFeatures() + value_.outFeatures()});
    float* next = inBias.data();
    for (const Linear* projection : projections) {
      projection->copyBias(next);
      next += projection->outFeatures();
    }
    dict.emplace("in_proj_bias", std::move(inBias));
    Tensor outBias = allocate({output_.outFeatures()});
    output_.copyBias(outBias.data());
    dict.emplace("out_proj.bias", std::move(outBias));
  }
  if (config_.addBiasKv) {
    dict.emplace("bias_k", learnedTensor(biasK_));
    dict.emplace("bias_v", learnedTensor(biasV_));
  }
  return dict;
}

std::map<std::string, Shape> MultiHeadAttention::expectedShapes(bool packed) const {
  const std::size_t inOut = query_.outFeatures() + key_.outFeatures() + value_.outFeatures();
  std::map<std::string, Shape> shapes{{"out_proj.weight", {output_.outFeatures(), output_.inFeatures()}}};
  if (packed) {
    shapes["in_proj_weight"] = {inOut, config_.embedDim};
  } else {
    shapes["q_proj_weight"] = {query_.outFeatures(), query_.inFeatures()};
    shapes["k_proj_weight"] = {key_.outFeatures(), key_.inFeatures()};
    shapes["v_proj_weight"] = {value_.outFeatures(), value_.inFeatures()};
  }
  if (config_.bias) {
    shapes["in_proj_bias"] = {inOut};
    shapes["out_proj.bias"] = {output_.outFeatures()};
  }
  if (config_.addBiasKv) {
    shapes["bias_k"] = {1, 1, key_.outFeatures()};
    shapes["bias_v"] = {1, 1, value_.outFeatures()};
  }
  return shapes;
}

void MultiHeadAttention::loadStateDict(const StateDictView& dict) {
  const bool packed = dict.contains("in_proj_weight");
  if (packed && (config_.kdim != config_.embedDim || config_.vdim != config_.embedDim)) {
    throw WrongArgument("in_proj_weight",
                        "not be used where kdim or vdim differ from embedDim; give q_proj_weight, "
                        "k_proj_weight and v_proj_weight");
  }
  const std::map<std::string, Shape> expected = expectedShapes(packed);
  std::string names;
  for (const auto& [name, shape] : expected) names += (names.empty() ? "" : ", ") + name;
  for (const auto& [name, shape] : expected) {
    const auto found = dict.find(name);
    if (found == dict.end()) {
      throw WrongArgument("dict", "hold " + names + "; " + name + " is missing");
    }
    if (Shape(found->second.shape()) != shape) {
      throwShape(name, "have shape " + toText(shape), Shape(found->second.shape()));
    }
  }
  for (const auto& [name, tensor] : dict) {
    if (!expected.contains(name)) {
      throw WrongArgument("dict", "hold " + names + " and nothing else, got " + name);
    }
  }

  tape_.recorded = false;
  const float* inBias = config_.bias ? dict.at("in_proj_bias").data() : nullptr;
  const float* packedWeight = packed ? dict.at("in_proj_weight").data() : nullptr;
  const std::array<std::pair<Linear*, const char*>, 3> projections{
      {{&query_, "q_proj_weight"}, {&key_, "k_proj_weight"}, {&value_, "v_proj_weight"}}};
  for (const auto& [projection, name] : projections) {
    projection->set(packed ? packedWeight : dict.at(name).data(), inBias);
    if (packed) packedWeight += projection->outFeatures() * projection->inFeatures();
    if (inBias != nullptr) inBias += projection->outFeatures();
  }
  output_.set(dict.at("out_proj.weight").data(), config_.bias ? dict.at("out_proj.bias").data() : nullptr);
  if (config_.addBiasKv) {
    std::copy_n(dict.at("bias_k").data(), biasK_.size(), biasK_.data());
    std::copy_n(dict.at("bias_v").data(), biasV_.size(), biasV_.data());
  }
}

std::size_t MultiHeadAttention::parameterCount() const {
  std::size_t count = 0;
  for (const auto& [name, shape] : expectedShapes(false)) count += sizeOf(shape);
  return count;
}

Flops MultiHeadAttention::flops(std::size_t queries, std::size_t keys, std::size_t batch) const {
  const auto product = [](std::initializer_list<std::size_t> sizes) {
    double result = 1.0;
    for (const std::size_t size : sizes) result *= static_cast<double>(size);
    return result;
  };
  const auto linear = [&](const Linear& map, std::size_t rows) {
    return product({batch, rows, map.inFeatures(), map.outFeatures()});
  };
  const std::size_t columns = keys + appendedKeys();
  const double maps = product({batch, config_.numHeads, queries, columns});
  return {
      .projections =
          linear(query_, queries) + linear(key_, keys) + linear(value_, keys) + linear(output_, queries),
      .scores = maps * static_cast<double>(config_.headDim),
      .context = maps * static_cast<double>(config_.valueHeadDim),
      .softmax = maps,
  };
}

}  // namespace mha
