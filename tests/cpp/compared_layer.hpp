/// A layer and its reference: computes every call with both and compares the results.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "layer_reference.hpp"
#include "multi_head_attention.hpp"

namespace mha::test {

/// The tolerance of float32 results, relative to the largest value.
inline constexpr double kTolerance = 2e-6;

/// Draws small multiples of 1/8 (mulberry32), so that products and their sums are exact in float32 until RoPE
/// or the scale rounds them.
class Numbers {
 public:
  explicit Numbers(std::uint32_t seed) : state_(seed) {}

  std::uint32_t next() {
    std::uint32_t x = state_ += 0x6d2b79f5U;
    x = (x ^ x >> 15) * (x | 1U);
    x ^= x + (x ^ x >> 7) * (x | 61U);
    return x ^ x >> 14;
  }
  std::uint32_t below(std::uint32_t count) { return next() % count; }
  /// k/8 for a k from `min` to `max`.
  float eighths(int min, int max) {
    return static_cast<float>(min + static_cast<int>(below(static_cast<std::uint32_t>(max - min + 1)))) / 8;
  }
  bool chance(std::uint32_t percent) { return below(100) < percent; }
  float sign() { return chance(50) ? 1.0F : -1.0F; }

  template <class Draw>
  Tensor tensor(const Shape& shape, const Draw& draw) {
    Tensor result = allocate(shape);
    for (std::size_t n = 0; n < result.size(); ++n) result.data()[n] = draw(n);
    return result;
  }

 private:
  std::uint32_t state_;
};

enum class MaskKind : std::uint8_t { none, allowed, added };

struct MaskCase {
  MaskKind kind = MaskKind::none;
  std::size_t rank = 2;                // 2: (L,S); 3: (B,L,S), unbatched (H,L,S); 4: (B,H,L,S)
  std::array<bool, 4> broadcast = {};  // which of B, H, L, S have length 1
  std::uint32_t kept = 60;             // percentage of allowed elements
};

/// The sizes and options of one forward.
struct Call {
  std::size_t batch = 0;  // 0: unbatched
  std::size_t queries = 1;
  std::size_t keys = 1;
  bool selfAttention = false;  // then there are as many keys as queries
  bool cached = false;
  MaskCase mask = {};
  bool keyPadding = false;
  bool causal = false;
  std::optional<Window> window = {};
  bool alibi = false;
  float softcap = 0.0F;
  std::optional<float> scale = {};
  bool needWeights = true;
  ReturnedScores returnScores = ReturnedScores::none;
  bool returnSteps = false;
  bool placed = false;      // every batch item has its own position of query 0 and number of real keys
  bool positioned = false;  // tokens have their own positions for RoPE, of as many keys as queries
  bool training = false;    // then backward() follows, unless the call is cached
};

inline std::string toText(const Call& call) {
  std::ostringstream text;
  text << "batch " << call.batch << ", L " << call.queries << ", S " << call.keys << ", self "
       << call.selfAttention << ", cached " << call.cached << ", mask " << static_cast<int>(call.mask.kind)
       << " of rank " << call.mask.rank << " (";
  for (const bool broadcast : call.mask.broadcast) text << broadcast;
  text << "), padding " << call.keyPadding << ", causal " << call.causal << ", window ";
  if (call.window) text << call.window->left << ":" << call.window->right;
  text << ", alibi " << call.alibi << ", softcap " << call.softcap << ", scale " << call.scale.value_or(0)
       << ", weights " << call.needWeights << static_cast<int>(call.returnScores) << call.returnSteps
       << ", placed " << call.placed << ", positioned " << call.positioned << ", training " << call.training;
  return text.str();
}

inline std::string toText(const MultiHeadAttentionConfig& config) {
  std::ostringstream text;
  text << "E " << config.embedDim << ", H " << config.numHeads << "/" << config.numKvHeads << ", d_k "
       << config.headDim << ", d_v " << config.valueHeadDim << ", kdim " << config.kdim << ", vdim "
       << config.vdim << ", out " << config.outDim << ", bias " << config.bias << config.addBiasKv
       << config.addZeroAttn << ", dropout " << config.dropout << ", relu "
       << (config.activation == Activation::relu) << ", rope " << (config.rope ? config.rope->dim : 0);
  return text.str();
}

inline StateDictView viewsOf(const StateDict& dict) {
  StateDictView views;
  for (const auto& [name, tensor] : dict) views.emplace(name, viewOf(tensor));
  return views;
}

/// The tensors of a call. Inputs are not negative.
struct CallData {
  Tensor query;
  Tensor key;  // equal to query in self-attention, as is value
  Tensor value;
  Shape maskShape;
  std::vector<std::uint8_t> allowed;
  std::vector<float> added;
  std::vector<std::uint8_t> real;  // (B,S)
  Shape realShape;
  std::vector<Placement> placements;  // (B,)
  std::vector<float> positions;       // (B,L)

  /// Views of the tensors, which must outlive them.
  [[nodiscard]] ForwardOptions options(const Call& call) const {
    ForwardOptions options;
    if (call.mask.kind == MaskKind::allowed) options.attnMask = viewOf(allowed.data(), maskShape);
    if (call.mask.kind == MaskKind::added) options.attnMask = viewOf(added.data(), maskShape);
    if (call.keyPadding) options.keyPaddingMask.emplace(viewOf(real.data(), realShape));
    options.isCausal = call.causal;
    options.window = call.window;
    options.alibi = call.alibi;
    options.softcap = call.softcap;
    options.scale = call.scale;
    options.needWeights = call.needWeights;
    options.returnScores = call.returnScores;
    options.returnSteps = call.returnSteps;
    if (call.placed) options.placements = placements.data();
    if (call.positioned) options.positions = positions;
    options.training = call.training;
    return options;
  }

  /// The sum of the masks for a score of batch item b; −∞ = forbidden.
  [[nodiscard]] double addedTo(const Call& call, std::size_t b, std::size_t h, std::size_t i,
                               std::size_t j) const {
    constexpr double kForbidden = -std::numeric_limits<double>::infinity();
    if (call.keyPadding && real[b * realShape.back() + j] == 0) return kForbidden;
    if (call.mask.kind == MaskKind::none) return 0.0;
    const std::array<std::size_t, 4> all{b, h, i, j};
    std::vector<std::size_t> place(all.end() - static_cast<std::ptrdiff_t>(maskShape.size()), all.end());
    if (maskShape.size() == 3 && call.batch > 0) place[0] = b;
    std::size_t index = 0;
    for (std::size_t d = 0; d < place.size(); ++d) {
      index = index * maskShape[d] + (maskShape[d] == 1 ? 0 : place[d]);
    }
    if (call.mask.kind == MaskKind::added) return static_cast<double>(added[index]);
    return allowed[index] == 0 ? kForbidden : 0.0;
  }
};

class ComparedLayer {
 public:
  /// Each component of the values keeps its sign, and the output projection has the same signs: sums have no
  /// cancellation, which would leave only rounding errors.
  ComparedLayer(const MultiHeadAttentionConfig& config, Numbers numbers)
      : config_(config), numbers_(numbers), layer_(config) {
    const std::size_t heads = config.numHeads;
    const std::size_t qWidth = heads * config.headDim;
    const std::size_t kWidth = config.numKvHeads * config.headDim;
    const std::size_t vWidth = config.numKvHeads * config.valueHeadDim;
    const auto small = [&](std::size_t) { return numbers_.eighths(-4, 4); };
    const Tensor signs = numbers_.tensor({vWidth}, [&](std::size_t) { return numbers_.sign(); });
    const Tensor outSigns = numbers_.tensor({config.outDim}, [&](std::size_t) { return numbers_.sign(); });
    parameters_["q_proj_weight"] = numbers_.tensor({qWidth, config.embedDim}, small);
    parameters_["k_proj_weight"] = numbers_.tensor({kWidth, config.kdim}, small);
    parameters_["v_proj_weight"] = numbers_.tensor({vWidth, config.vdim}, [&](std::size_t n) {
      return signs(n / config.vdim) * numbers_.eighths(0, 4);
    });
    const std::size_t concat = heads * config.valueHeadDim;
    parameters_["out_proj.weight"] = numbers_.tensor({config.outDim, concat}, [&](std::size_t n) {
      const std::size_t p = n % concat;
      const std::size_t group = config.valueHeadDim * (heads / config.numKvHeads);
      const float sign = signs(p / group * config.valueHeadDim + p % config.valueHeadDim);
      return outSigns(n / concat) * sign * numbers_.eighths(0, 4);
    });
    if (config.bias) {
      parameters_["in_proj_bias"] = numbers_.tensor({qWidth + kWidth + vWidth}, [&](std::size_t n) {
        const bool ofValue = n >= qWidth + kWidth;
        return ofValue ? signs(n - qWidth - kWidth) * numbers_.eighths(0, 4) : numbers_.eighths(-4, 4);
      });
      parameters_["out_proj.bias"] = numbers_.tensor(
          {config.outDim}, [&](std::size_t n) { return outSigns(n) * numbers_.eighths(0, 8); });
    }
    if (config.addBiasKv) {
      parameters_["bias_k"] = numbers_.tensor({1, 1, kWidth}, small);
      parameters_["bias_v"] =
          numbers_.tensor({1, 1, vWidth}, [&](std::size_t n) { return signs(n) * numbers_.eighths(0, 4); });
    }
    layer_.loadStateDict(viewsOf(parameters_));
    for (const auto& [name, tensor] : parameters_) exact_[name] = {tensor.begin(), tensor.end()};
  }

  [[nodiscard]] const MultiHeadAttentionConfig& config() const { return config_; }
  [[nodiscard]] const StateDict& parameters() const { return parameters_; }
  [[nodiscard]] MultiHeadAttention& layer() { return layer_; }
  [[nodiscard]] KvCache& cache() { return cache_; }

  /// Shortens the cache to `rows` rows.
  void truncate(std::size_t rows) {
    cache_.truncate(rows);
    past_.resize(rows == 0 ? 0 : past_.size());
    for (Past& past : past_) {
      past.keys.resize(rows * config_.kdim);
      past.values.resize(rows * config_.vdim);
    }
  }

  [[nodiscard]] CallData draw(const Call& call) {
    const std::size_t batch = std::max<std::size_t>(call.batch, 1);
    const std::size_t keys = call.selfAttention ? call.queries : call.keys;
    const std::size_t all = keys + (call.cached ? cache_.length() : 0);
    const auto tokens = [&](std::size_t rows, std::size_t width) {
      const Shape shape = call.batch > 0 ? Shape{batch, rows, width} : Shape{rows, width};
      return numbers_.tensor(shape, [&](std::size_t) { return numbers_.eighths(0, 8); });
    };
    CallData data;
    data.query = tokens(call.queries, config_.embedDim);
    data.key = call.selfAttention ? data.query : tokens(keys, config_.kdim);
    data.value = call.selfAttention ? data.query : tokens(keys, config_.vdim);
    const std::array<std::size_t, 4> lengths{batch, config_.numHeads, call.queries, all};
    std::vector<std::size_t> dimensions{2, 3};
    if (call.mask.rank == 3) dimensions.insert(dimensions.begin(), call.batch > 0 ? 0 : 1);
    if (call.mask.rank == 4) dimensions = {0, 1, 2, 3};
    for (const std::size_t d : dimensions) data.maskShape.push_back(call.mask.broadcast[d] ? 1 : lengths[d]);
    const std::size_t size = sizeOf(data.maskShape);
    for (std::size_t n = 0; n < size && call.mask.kind != MaskKind::none; ++n) {
      const bool allowed = numbers_.chance(call.mask.kept);
      if (call.mask.kind == MaskKind::allowed) {
        data.allowed.push_back(allowed ? 1 : 0);
      } else {
        data.added.push_back(allowed ? numbers_.eighths(-16, 16) : -std::numeric_limits<float>::infinity());
      }
    }
    data.realShape = call.batch > 0 ? Shape{batch, all} : Shape{all};
    for (std::size_t n = 0; n < batch * all && call.keyPadding; ++n) {
      data.real.push_back(numbers_.chance(80) ? 1 : 0);
    }
    for (std::size_t b = 0; b < batch && call.placed; ++b) {
      const auto below = [&](std::size_t count) {
        return static_cast<float>(numbers_.below(static_cast<std::uint32_t>(count)));
      };
      data.placements.push_back({.firstPosition = below(all + 5) - 3.0F, .keys = below(all + 1)});
    }
    for (std::size_t n = 0; n < batch * call.queries && call.positioned; ++n) {
      data.positions.push_back(static_cast<float>(numbers_.below(9)));
    }
    return data;
  }

  /// Computes the call; returns the differences from the reference, "" if there are none.
  [[nodiscard]] std::string differences(const Call& call, const CallData& data) {
    ForwardOptions options = data.options(call);
    options.cache = call.cached ? &cache_ : nullptr;
    const std::size_t past = call.cached ? cache_.length() : 0;
    const AttentionResult result =
        layer_.forward(viewOf(data.query), viewOf(data.key), viewOf(data.value), options);
    if (call.cached) remember(call, data);
    std::string problems;
    for (std::size_t b = 0; b < std::max<std::size_t>(call.batch, 1); ++b) {
      compare(call, data, past, b, result, problems);
    }
    if (call.training && !call.cached) compareGradients(call, data, result, problems);
    if (!problems.empty()) problems += "\n  " + toText(config_) + "\n  " + toText(call);
    return problems;
  }

  [[nodiscard]] std::string differences(const Call& call) { return differences(call, draw(call)); }

 private:
  /// The inputs of the cached rows of one batch item.
  struct Past {
    std::vector<float> keys;
    std::vector<float> values;
  };

  void remember(const Call& call, const CallData& data) {
    const std::size_t batch = std::max<std::size_t>(call.batch, 1);
    past_.resize(batch);
    const auto append = [&](const Tensor& from, std::size_t b, std::vector<float>& to) {
      const auto each = static_cast<std::ptrdiff_t>(from.size() / batch);
      const auto begin = from.begin() + static_cast<std::ptrdiff_t>(b) * each;
      to.insert(to.end(), begin, begin + each);
    };
    for (std::size_t b = 0; b < batch; ++b) {
      append(data.key, b, past_[b].keys);
      append(data.value, b, past_[b].values);
    }
  }

  /// The rows of batch item b of `x`.
  static Rows<double> rowsOf(const Tensor& x, std::size_t batch, std::size_t b) {
    Rows<double> rows(x.size() / batch / x.shape().back(), x.shape().back());
    std::copy_n(x.data() + b * rows.values.size(), rows.values.size(), rows.values.begin());
    return rows;
  }

  static Rows<double> rowsOf(const std::vector<float>& x, std::size_t width) {
    Rows<double> rows(x.size() / width, width);
    std::ranges::copy(x, rows.values.begin());
    return rows;
  }

  [[nodiscard]] ReferenceInput<double> inputOf(const Call& call, const CallData& data, std::size_t b) const {
    const std::size_t batch = std::max<std::size_t>(call.batch, 1);
    if (call.cached) {  // all rows, also those of this call
      return {rowsOf(data.query, batch, b), rowsOf(past_[b].keys, config_.kdim),
              rowsOf(past_[b].values, config_.vdim)};
    }
    return {rowsOf(data.query, batch, b), rowsOf(data.key, batch, b), rowsOf(data.value, batch, b)};
  }

  /// `weights` are those of the result: the reference drops where they are zero.
  [[nodiscard]] ReferenceRules rulesOf(const Call& call, const CallData& data, std::size_t past,
                                       std::size_t b, const AttentionResult& result) const {
    ReferenceRules rules{.first = static_cast<std::ptrdiff_t>(past),
                         .past = past,
                         .causal = call.causal,
                         .window = call.window};
    if (call.placed) {
      rules.first = static_cast<std::ptrdiff_t>(data.placements[b].firstPosition);
      rules.real = static_cast<std::size_t>(data.placements[b].keys);
    }
    for (std::size_t i = 0; i < call.queries && call.positioned; ++i) {
      rules.positions.push_back(static_cast<std::size_t>(data.positions[b * call.queries + i]));
    }
    rules.softcap = static_cast<double>(call.softcap);
    rules.scale =
        call.scale ? static_cast<double>(*call.scale) : 1.0 / std::sqrt(static_cast<double>(config_.headDim));
    if (call.alibi) rules.slopes = referenceSlopes(config_.numHeads);
    if (call.keyPadding || call.mask.kind != MaskKind::none) {
      rules.added = [&call, &data, b](std::size_t h, std::size_t i, std::size_t j) {
        return data.addedTo(call, b, h, i, j);
      };
    }
    if (call.training && config_.dropout > 0.0) {
      const float* weights = result.weights->data();
      const std::size_t columns = result.weights->shape().back();
      rules.kept = [this, &call, b, weights, columns](std::size_t h, std::size_t i, std::size_t j) {
        const std::size_t row = (b * config_.numHeads + h) * call.queries + i;
        return weights[row * columns + j] == 0.0F ? 0.0 : 1.0 / (1.0 - config_.dropout);
      };
    }
    return rules;
  }

  /// Records where `actual` differs from `expected` by more than the tolerance times `size`.
  static void expectNear(const char* name, const float* actual, const std::vector<double>& expected,
                         double size, std::string& problems) {
    double error = 0.0;
    for (std::size_t n = 0; n < expected.size(); ++n) {
      const auto got = static_cast<double>(actual[n]);
      if (got == expected[n]) continue;  // also infinities
      const double difference = std::abs(got - expected[n]);
      error = std::max(error, std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference);
    }
    if (error <= kTolerance * size) return;
    std::ostringstream text;
    text << "`" << name << "` differs by " << error << " where values are up to " << size << "; ";
    problems += text.str();
  }

  static double largest(const std::vector<double>& values) {
    double max = 0.0;
    for (const double x : values) {
      if (std::isfinite(x)) max = std::max(max, std::abs(x));
    }
    return max;
  }

  /// The largest norm of a row of any head.
  static double longest(const Rows<double>& rows, std::size_t dim) {
    double max = 0.0;
    for (std::size_t first = 0; first < rows.values.size(); first += dim) {
      double squares = 0.0;
      for (std::size_t p = 0; p < dim; ++p) squares += rows.values[first + p] * rows.values[first + p];
      max = std::max(max, squares);
    }
    return std::sqrt(max);
  }

  /// The rows of all heads, one head after the other.
  static std::vector<double> byHead(const Rows<double>& rows, std::size_t dim) {
    std::vector<double> result;
    for (std::size_t head = 0; head < rows.width; head += dim) {
      for (std::size_t i = 0; i < rows.count; ++i) {
        for (std::size_t p = 0; p < dim; ++p) result.push_back(rows(i, head + p));
      }
    }
    return result;
  }

  static std::vector<double> flat(const Maps<double>& maps) {
    std::vector<double> result;
    for (const Rows<double>& map : maps) result.insert(result.end(), map.values.begin(), map.values.end());
    return result;
  }

  void compare(const Call& call, const CallData& data, std::size_t past, std::size_t b,
               const AttentionResult& result, std::string& problems) const {
    const auto trace =
        layerReference<double>(config_, exact_, inputOf(call, data, b), rulesOf(call, data, past, b, result));
    // The rounding error of a score, relative to its largest possible value, becomes the relative error of
    // the weight; and the terms of a long sum may all be rounded in the same direction.
    const double product = longest(trace.q, config_.headDim) * longest(trace.k, config_.headDim);
    const double scaled = product * std::abs(rulesOf(call, data, past, b, result).scale);
    const std::vector<double> masked = flat(trace.masked);
    const double terms = static_cast<double>(trace.k.count);
    const double steepness = std::max({1.0, (scaled + largest(masked)) / 16, terms / 64});
    const auto item = [b](const Tensor& tensor, const std::vector<double>& values) {
      return tensor.data() + b * values.size();
    };
    const auto expect = [&](const char* name, const Tensor& tensor, const std::vector<double>& values,
                            double size) {
      if ((b + 1) * values.size() > tensor.size()) {
        problems += "`" + std::string(name) + "` has shape " + mha::toText(Shape(tensor.shape())) + "; ";
      } else {
        expectNear(name, item(tensor, values), values, size, problems);
      }
    };
    expect("output", result.output, trace.output.values, steepness * largest(trace.output.values));
    if (result.weights)
      expect("weights", *result.weights, flat(trace.weights), steepness * largest(flat(trace.weights)));
    if (call.returnScores == ReturnedScores::raw) {
      expect("scores", *result.scores, flat(trace.scores), product);
    } else if (call.returnScores == ReturnedScores::scaled) {
      expect("scaled scores", *result.scores, flat(trace.scaled), scaled);
    } else if (call.returnScores == ReturnedScores::masked) {
      expect("masked scores", *result.scores, masked, scaled + largest(masked));
    }
    if (!result.steps) return;
    const AttentionSteps& steps = *result.steps;
    const std::vector<double> q = byHead(trace.q, config_.headDim);
    const std::vector<double> k = byHead(trace.k, config_.headDim);
    const std::vector<double> v = byHead(trace.v, config_.valueHeadDim);
    expect("q", steps.query, q, largest(q));
    expect("k", steps.key, k, largest(k));
    expect("v", steps.value, v, largest(v));
    expect("scaled", steps.scaled, flat(trace.scaled), scaled);
    expect("masked", steps.masked, masked, scaled + largest(masked));
    const std::vector<double>& concat = trace.context.values;
    expect("concat", steps.concat, concat, steepness * largest(concat));
    expect("context", steps.context, byHead(trace.context, config_.valueHeadDim),
           steepness * largest(concat));
  }

  template <class Values>
  static std::vector<Dual> dualsOf(const Values& values) {
    std::vector<Dual> duals;
    for (const auto x : values) duals.push_back({static_cast<double>(x), 0.0});
    return duals;
  }

  static Rows<Dual> dualsOf(const Rows<double>& rows) {
    Rows<Dual> result(rows.count, rows.width);
    result.values = dualsOf(rows.values);
    return result;
  }

  /// Compares the gradient of one randomly chosen tensor with the slope of the loss along a random direction
  /// of that tensor. Gradients are sums with cancellation: the tolerance is relative to the norm of the whole
  /// gradient.
  void compareGradients(const Call& call, const CallData& data, const AttentionResult& result,
                        std::string& problems) {
    const std::size_t batch = std::max<std::size_t>(call.batch, 1);
    const Tensor gradOutput =
        numbers_.tensor(Shape(result.output.shape()), [&](std::size_t) { return numbers_.eighths(-8, 8); });
    const LayerGradients gradients = layer_.backward(viewOf(gradOutput));
    const std::vector<std::pair<std::string, std::vector<float>>> all = separate(gradients);
    const auto& [name, gradient] = all[numbers_.below(static_cast<std::uint32_t>(all.size()))];
    std::vector<double> direction(gradient.size());
    std::ranges::generate(direction, [&] { return static_cast<double>(numbers_.sign()); });

    ParametersOf<Dual> parameters;
    for (const auto& [parameter, tensor] : parameters_) parameters[parameter] = dualsOf(tensor);
    const auto point = [&](std::vector<Dual>& values, std::size_t from) {
      for (std::size_t n = 0; n < values.size(); ++n) values[n].slope = direction[from + n];
    };
    if (parameters.contains(name)) point(parameters.at(name), 0);
    double slope = 0.0;
    for (std::size_t b = 0; b < batch; ++b) {
      const ReferenceInput<double> exact = inputOf(call, data, b);
      ReferenceInput<Dual> input{dualsOf(exact.query), dualsOf(exact.key), dualsOf(exact.value)};
      if (name == "query") point(input.query.values, b * input.query.values.size());
      if (name == "key") point(input.key.values, b * input.key.values.size());
      if (name == "value") point(input.value.values, b * input.value.values.size());
      const auto trace = layerReference<Dual>(config_, parameters, input, rulesOf(call, data, 0, b, result));
      const std::vector<Dual>& output = trace.output.values;
      for (std::size_t n = 0; n < output.size(); ++n) {
        slope += output[n].slope * static_cast<double>(gradOutput.data()[b * output.size() + n]);
      }
    }
    double along = 0.0;
    double squares = 0.0;
    for (const float x : gradOutput) squares += static_cast<double>(x) * static_cast<double>(x);
    for (std::size_t n = 0; n < gradient.size(); ++n)
      along += static_cast<double>(gradient[n]) * direction[n];
    for (const auto& [other, values] : all) {
      for (const float x : values) squares += static_cast<double>(x) * static_cast<double>(x);
    }
    const double size = std::sqrt(squares * static_cast<double>(direction.size()));
    if (std::abs(along - slope) <= kTolerance * size) return;
    std::ostringstream text;
    text << "the gradient of `" << name << "` gives a slope of " << along << " instead of " << slope
         << " (of " << size << "); ";
    problems += text.str();
  }

  /// The gradients by name, with separate projections.
  [[nodiscard]] std::vector<std::pair<std::string, std::vector<float>>> separate(
      const LayerGradients& gradients) const {
    std::vector<std::pair<std::string, std::vector<float>>> result;
    const auto add = [&](const std::string& name, const float* first, std::size_t count) {
      result.emplace_back(name, std::vector<float>(first, first + count));
    };
    const auto addAll = [&](const std::string& name, const Tensor& tensor) {
      add(name, tensor.data(), tensor.size());
    };
    addAll("query", gradients.query);
    addAll("key", gradients.key);
    addAll("value", gradients.value);
    for (const auto& [name, tensor] : gradients.parameters) {
      if (name != "in_proj_weight") {
        addAll(name, tensor);
        continue;
      }
      const float* next = tensor.data();
      for (const char* part : {"q_proj_weight", "k_proj_weight", "v_proj_weight"}) {
        const std::size_t count = parameters_.at(part).size();
        add(part, next, count);
        next += count;
      }
    }
    return result;
  }

  MultiHeadAttentionConfig config_;
  Numbers numbers_;
  StateDict parameters_;
  ParametersOf<double> exact_;
  MultiHeadAttention layer_;
  KvCache cache_;
  std::vector<Past> past_;  // by batch item
};

}  // namespace mha::test
