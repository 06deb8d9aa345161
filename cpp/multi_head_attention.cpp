#include "multi_head_attention.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "numpy_random.hpp"

namespace mha {
namespace {

void requirePositive(const char* name, std::size_t value) {
  if (value == 0) throw std::out_of_range("`" + std::string(name) + "` must be at least 1, got 0");
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
    throw std::out_of_range("`numKvHeads` must divide numHeads (" + std::to_string(config.numHeads) +
                            "), got " + std::to_string(config.numKvHeads));
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

Tensor weightOf(const Linear& linear) {
  Tensor weight = allocate({linear.outFeatures(), linear.inFeatures()});
  linear.copyWeight(weight.data());
  return weight;
}

void requireWidth(const char* name, const TensorView& tensor, std::size_t width, const char* widthName) {
  if (tensor.shape().back() != width) {
    throwShape(name, "have last dimension " + std::to_string(width) + " (" + widthName + ")", tensor.shape());
  }
}

/// Views a (rows, heads·dim) projection as separate heads.
template <class T>
Heads<T> splitHeads(T* data, std::size_t rows, std::size_t heads, std::size_t dim) {
  return {data, rows * heads * dim, dim, heads * dim};
}

/// attnMask (L,S), (B,L,S) or (B,H,L,S), broadcast to `target` (B,H,L,S).
BroadcastMask broadcastAttnMask(const MaskTensor& mask, const Shape& target) {
  const Shape shape = shapeOf(mask);
  if (shape.size() < 2) throwShape("attnMask", "be (L, S), (B, L, S) or (B, H, L, S)", shape);
  if (shape.size() != 3) return broadcastMask("attnMask", mask, target);
  const Shape perBatch{target[0], target[2], target[3]};
  if (!broadcasts(shape, perBatch)) throwShape("attnMask", "broadcast to " + toText(perBatch), shape);
  const Shape withHeads{shape[0], 1, shape[1], shape[2]};
  return std::visit(
      [&](const auto& view) { return broadcastMask("attnMask", viewOf(view.data(), withHeads), target); },
      mask);
}

}  // namespace

struct MultiHeadAttention::Sizes {
  bool batched;
  std::size_t batch;
  std::size_t queries;
  std::size_t keys;
};

MultiHeadAttention::MultiHeadAttention(const MultiHeadAttentionConfig& config)
    : config_(checked(config)),
      query_(config.embedDim, config.numHeads * config.headDim),
      key_(config.kdim, config.numKvHeads * config.headDim),
      value_(config.vdim, config.numKvHeads * config.valueHeadDim),
      output_(config.numHeads * config.valueHeadDim, config.outDim) {
  DefaultRng generator(config.seed);
  // torch initialises the packed weight as one matrix, so its fan-out counts all three projections.
  const std::size_t packedOut = query_.outFeatures() + key_.outFeatures() + value_.outFeatures();
  for (Linear* projection : {&query_, &key_, &value_}) {
    const std::size_t in = projection->inFeatures();
    const std::size_t out = projection->outFeatures();
    const double bound = xavierBound(in, packsInProjection() ? packedOut : out);
    projection->set(uniform(generator, in * out, bound).data(), nullptr);
  }
  const std::size_t in = output_.inFeatures();
  const double bound = 1.0 / std::sqrt(static_cast<double>(in));
  output_.set(uniform(generator, in * output_.outFeatures(), bound).data(), nullptr);
}

MultiHeadAttention::Sizes MultiHeadAttention::check(const TensorView& query, const TensorView& key,
                                                    const TensorView& value) const {
  const std::size_t rank = query.dimension();
  if (rank != 2 && rank != 3) throwShape("query", "be (L, E) or (B, L, E)", query.shape());
  if (key.dimension() != rank) throwShape("key", "have as many dimensions as `query`", key.shape());
  if (value.dimension() != rank) throwShape("value", "have as many dimensions as `query`", value.shape());
  requireWidth("query", query, config_.embedDim, "embedDim");
  requireWidth("key", key, config_.kdim, "kdim");
  requireWidth("value", value, config_.vdim, "vdim");

  const bool batched = rank == 3;
  const Sizes sizes{batched, batched ? query.shape(0) : 1, query.shape(rank - 2), key.shape(rank - 2)};
  if (query.size() == 0) throwShape("query", "not be empty", query.shape());
  if (key.size() == 0) throwShape("key", "not be empty", key.shape());
  if (batched && key.shape(0) != sizes.batch) {
    throwShape("key", "have the batch size " + std::to_string(sizes.batch) + " of `query`", key.shape());
  }
  if (batched && value.shape(0) != sizes.batch) {
    throwShape("value", "have the batch size " + std::to_string(sizes.batch) + " of `query`", value.shape());
  }
  if (value.shape(rank - 2) != sizes.keys) {
    throwShape("value", "have the length " + std::to_string(sizes.keys) + " of `key`", value.shape());
  }
  return sizes;
}

AttentionResult MultiHeadAttention::forward(const TensorView& query, const TensorView& key,
                                            const TensorView& value, const ForwardOptions& options) {
  const auto [batched, batch, queries, keys] = check(query, key, value);
  Masking masking;
  masking.causal = options.isCausal;
  const Shape scoresShape{batch, config_.numHeads, queries, keys};
  if (options.attnMask) masking.masks.push_back(broadcastAttnMask(*options.attnMask, scoresShape));
  if (options.keyPaddingMask) {
    const View<std::uint8_t>& padding = *options.keyPaddingMask;
    const Shape expected = batched ? Shape{batch, keys} : Shape{keys};
    if (Shape(padding.shape()) != expected) {
      throwShape("keyPaddingMask", "have shape " + toText(expected), padding.shape());
    }
    masking.masks.push_back(
        broadcastMask("keyPaddingMask", viewOf(padding.data(), Shape{batch, 1, 1, keys}), scoresShape));
  }

  AttentionResult result;
  result.output = allocate(batched ? Shape{batch, queries, config_.outDim} : Shape{queries, config_.outDim});
  if (options.needWeights) {
    result.weights = allocate(batched ? scoresShape : Shape{config_.numHeads, queries, keys});
  }

  float* q = q_.take(sizeOf({batch, queries, query_.outFeatures()}));
  float* k = k_.take(sizeOf({batch, keys, key_.outFeatures()}));
  float* v = v_.take(sizeOf({batch, keys, value_.outFeatures()}));
  float* context = context_.take(sizeOf({batch, queries, output_.inFeatures()}));
  query_.apply(batch * queries, query.data(), q);
  key_.apply(batch * keys, key.data(), k);
  value_.apply(batch * keys, value.data(), v);
  const AttentionSizes sizes{batch, config_.numHeads, config_.numKvHeads,  queries,
                             keys,  config_.headDim,  config_.valueHeadDim};
  const float scale = options.scale.value_or(1.0F / std::sqrt(static_cast<float>(config_.headDim)));
  attention(sizes, splitHeads<const float>(q, queries, config_.numHeads, config_.headDim),
            splitHeads<const float>(k, keys, config_.numKvHeads, config_.headDim),
            splitHeads<const float>(v, keys, config_.numKvHeads, config_.valueHeadDim), scale, masking,
            splitHeads(context, queries, config_.numHeads, config_.valueHeadDim),
            result.weights ? result.weights->data() : nullptr, workspace_);
  output_.apply(batch * queries, context, result.output.data());
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
  return shapes;
}

void MultiHeadAttention::loadStateDict(const StateDictView& dict) {
  const bool packed = dict.contains("in_proj_weight");
  if (packed && (config_.kdim != config_.embedDim || config_.vdim != config_.embedDim)) {
    throw std::out_of_range(
        "`in_proj_weight` must not be used where kdim or vdim differ from embedDim; give q_proj_weight, "
        "k_proj_weight and v_proj_weight");
  }
  const std::map<std::string, Shape> expected = expectedShapes(packed);
  std::string names;
  for (const auto& [name, shape] : expected) names += (names.empty() ? "" : ", ") + name;
  for (const auto& [name, shape] : expected) {
    const auto found = dict.find(name);
    if (found == dict.end()) {
      throw std::out_of_range("`dict` must hold " + names + "; " + name + " is missing");
    }
    if (Shape(found->second.shape()) != shape) {
      throwShape(name, "have shape " + toText(shape), Shape(found->second.shape()));
    }
  }
  for (const auto& [name, tensor] : dict) {
    if (!expected.contains(name)) {
      throw std::out_of_range("`dict` must hold " + names + " and nothing else, got " + name);
    }
  }

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
}

std::size_t MultiHeadAttention::parameterCount() const {
  std::size_t count = 0;
  for (const auto& [name, shape] : expectedShapes(false)) count += sizeOf(shape);
  return count;
}

}  // namespace mha
