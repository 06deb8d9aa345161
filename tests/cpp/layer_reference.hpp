/// The layer in plain loops over doubles, one batch item at a time: the reference of sweeps and fuzzers.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "multi_head_attention.hpp"

namespace mha::test {

/// A dual number: a value and its derivative along some direction (forward-mode differentiation).
struct Dual {
  double value = 0.0;
  double slope = 0.0;

  friend Dual operator+(Dual a, Dual b) { return {a.value + b.value, a.slope + b.slope}; }
  friend Dual operator-(Dual a, Dual b) { return {a.value - b.value, a.slope - b.slope}; }
  friend Dual operator*(Dual a, Dual b) { return {a.value * b.value, a.slope * b.value + a.value * b.slope}; }
  friend Dual operator/(Dual a, Dual b) {
    const double quotient = a.value / b.value;
    return {quotient, (a.slope - quotient * b.slope) / b.value};
  }
  friend Dual exp(Dual a) { return {std::exp(a.value), std::exp(a.value) * a.slope}; }
  friend Dual tanh(Dual a) {
    const double t = std::tanh(a.value);
    return {t, (1 - t * t) * a.slope};
  }
};

inline double valueOf(double x) { return x; }
inline double valueOf(Dual x) { return x.value; }

/// Rows of numbers, one after the other.
template <class Real>
struct Rows {
  Rows() = default;
  Rows(std::size_t rowCount, std::size_t rowWidth)
      : count(rowCount), width(rowWidth), values(rowCount * rowWidth) {}

  Real& operator()(std::size_t i, std::size_t j) { return values[i * width + j]; }
  const Real& operator()(std::size_t i, std::size_t j) const { return values[i * width + j]; }

  std::size_t count = 0;
  std::size_t width = 0;
  std::vector<Real> values;
};

/// By torch's names, with separate projections.
template <class Real>
using ParametersOf = std::map<std::string, std::vector<Real>>;

/// The inputs of one batch item; the keys and values of earlier calls come first.
template <class Real>
struct ReferenceInput {
  Rows<Real> query;
  Rows<Real> key;
  Rows<Real> value;
};

/// A number for head h, query i and key j.
using PerScore = std::function<double(std::size_t h, std::size_t i, std::size_t j)>;

struct ReferenceRules {
  std::ptrdiff_t first = 0;  // the position of query 0 among the keys
  std::size_t past = 0;      // number of earlier keys: the position of the first token of this call for RoPE
  std::vector<std::size_t> positions = {};                     // of the tokens of this call for RoPE
  std::size_t real = std::numeric_limits<std::size_t>::max();  // keys from this one on are forbidden
  std::size_t appended = 0;  // keys at the end to which masks, ALiBi and positions do not apply
  bool causal = false;
  std::optional<Window> window = {};
  std::vector<double> slopes = {};  // of ALiBi, by head; empty: none
  double softcap = 0.0;
  double scale = 1.0;
  PerScore added = {};  // the sum of the masks; −∞ = forbidden
  PerScore kept = {};   // the dropout factor of a weight

  /// The sum of ALiBi and masks for a score; −∞ = forbidden.
  [[nodiscard]] double bias(std::size_t h, std::size_t i, std::size_t j, std::size_t keys) const {
    constexpr double kForbidden = -std::numeric_limits<double>::infinity();
    if (j >= keys - appended) return 0.0;
    if (j >= real) return kForbidden;
    const double distance = static_cast<double>(first) + static_cast<double>(i) - static_cast<double>(j);
    if (causal && distance < 0) return kForbidden;
    if (window && distance > static_cast<double>(window->left)) return kForbidden;
    if (window && -distance > static_cast<double>(window->right)) return kForbidden;
    return (added ? added(h, i, j) : 0.0) - (slopes.empty() ? 0.0 : slopes[h] * std::abs(distance));
  }
};

/// One matrix (L,S) per head.
template <class Real>
using Maps = std::vector<Rows<Real>>;

/// The intermediate results.
template <class Real>
struct ReferenceTrace {
  Rows<Real> q = {};  // (L,H·d_k)
  Rows<Real> k = {};  // (S,H_kv·d_k)
  Rows<Real> v = {};  // (S,H_kv·d_v)
  Maps<Real> scores = {};
  Maps<Real> scaled = {};
  Maps<Real> masked = {};
  Maps<Real> weights = {};
  Rows<Real> context = {};  // (L,H·d_v)
  Rows<Real> output = {};
};

/// Computes scores to context of `trace` from its q, k and v.
template <class Real>
void attend(ReferenceTrace<Real>& trace, std::size_t heads, std::size_t kvHeads,
            const ReferenceRules& rules) {
  using std::exp;
  using std::tanh;
  const std::size_t queries = trace.q.count;
  const std::size_t keys = trace.k.count;
  const std::size_t headDim = trace.q.width / heads;
  const std::size_t valueHeadDim = trace.v.width / kvHeads;
  trace.context = Rows<Real>(queries, heads * valueHeadDim);
  for (std::size_t h = 0; h < heads; ++h) {
    const std::size_t g = h / (heads / kvHeads);
    Rows<Real> scores(queries, keys);
    Rows<Real> scaled(queries, keys);
    Rows<Real> masked(queries, keys);
    Rows<Real> weights(queries, keys);
    for (std::size_t i = 0; i < queries; ++i) {
      double max = -std::numeric_limits<double>::infinity();
      for (std::size_t j = 0; j < keys; ++j) {
        Real& score = scores(i, j);
        for (std::size_t p = 0; p < headDim; ++p) {
          score = score + trace.q(i, h * headDim + p) * trace.k(j, g * headDim + p);
        }
        scaled(i, j) = score * Real{rules.scale};
        const Real cap{rules.softcap};
        if (rules.softcap != 0.0) scaled(i, j) = cap * tanh(scaled(i, j) / cap);
        masked(i, j) = scaled(i, j) + Real{rules.bias(h, i, j, keys)};
        max = std::max(max, valueOf(masked(i, j)));
      }
      Real total{};
      for (std::size_t j = 0; j < keys; ++j) {
        if (std::isinf(valueOf(masked(i, j)))) continue;
        weights(i, j) = exp(masked(i, j) - Real{max});
        total = total + weights(i, j);
      }
      for (std::size_t j = 0; j < keys; ++j) {
        if (std::isinf(valueOf(masked(i, j)))) continue;
        weights(i, j) = weights(i, j) / total;
        if (rules.kept) weights(i, j) = weights(i, j) * Real{rules.kept(h, i, j)};
        for (std::size_t p = 0; p < valueHeadDim; ++p) {
          Real& sum = trace.context(i, h * valueHeadDim + p);
          sum = sum + weights(i, j) * trace.v(j, g * valueHeadDim + p);
        }
      }
    }
    trace.scores.push_back(std::move(scores));
    trace.scaled.push_back(std::move(scaled));
    trace.masked.push_back(std::move(masked));
    trace.weights.push_back(std::move(weights));
  }
}

/// act(x·Wᵀ + b) for W (out,…); b starts at `firstBias` and may be empty.
template <class Real>
Rows<Real> project(const Rows<Real>& x, std::size_t out, const std::vector<Real>& weight,
                   const std::vector<Real>& bias, std::size_t firstBias, Activation activation) {
  Rows<Real> y(x.count, out);
  for (std::size_t i = 0; i < x.count; ++i) {
    for (std::size_t o = 0; o < out; ++o) {
      Real sum = bias.empty() ? Real{} : bias[firstBias + o];
      for (std::size_t j = 0; j < x.width; ++j) sum = sum + x(i, j) * weight[o * x.width + j];
      y(i, o) = activation == Activation::relu && valueOf(sum) <= 0.0 ? Real{} : sum;
    }
  }
  return y;
}

/// Applies RoPE to the rows of every head; row i has the position first + i, or from row `given` on one of
/// `positions`.
template <class Real>
void turn(Rows<Real>& x, std::size_t headDim, std::size_t first, std::size_t given,
          const std::vector<std::size_t>& positions, const RotaryConfig& rope) {
  const std::size_t pairs = rope.dim / 2;
  const bool half = rope.convention == RotaryConvention::half;
  for (std::size_t i = 0; i < x.count; ++i) {
    for (std::size_t head = 0; head < x.width; head += headDim) {
      for (std::size_t t = 0; t < pairs; ++t) {
        const double exponent = -2.0 * static_cast<double>(t) / static_cast<double>(rope.dim);
        const std::size_t position = positions.empty() || i < given ? first + i : positions[i - given];
        const double angle = static_cast<double>(position) * std::pow(rope.base, exponent);
        const Real cosine{std::cos(angle)};
        const Real sine{std::sin(angle)};
        Real& p = x(i, head + (half ? t : 2 * t));
        Real& q = x(i, head + (half ? t + pairs : 2 * t + 1));
        const Real turned = p * cosine - q * sine;
        q = p * sine + q * cosine;
        p = turned;
      }
    }
  }
}

/// The published slopes: those of the next lower power of two, then every second one of the next higher.
inline std::vector<double> referenceSlopes(std::size_t heads) {
  std::size_t power = 1;
  while (2 * power <= heads) power *= 2;
  std::vector<double> slopes;
  for (std::size_t h = 0; h < heads; ++h) {
    const auto n = static_cast<double>(h < power ? power : 2 * power);
    const auto rank = static_cast<double>(h < power ? h + 1 : 2 * (h - power) + 1);
    slopes.push_back(std::pow(2.0, -8.0 * rank / n));
  }
  return slopes;
}

/// The layer for one batch item. Adds the appended keys of the configuration to `rules`.
template <class Real>
ReferenceTrace<Real> layerReference(const MultiHeadAttentionConfig& config,
                                    const ParametersOf<Real>& parameters, const ReferenceInput<Real>& input,
                                    ReferenceRules rules) {
  const std::vector<Real> none;
  const auto named = [&](const char* name) -> const std::vector<Real>& {
    const auto found = parameters.find(name);
    return found == parameters.end() ? none : found->second;
  };
  const std::size_t qWidth = config.numHeads * config.headDim;
  const std::size_t kWidth = config.numKvHeads * config.headDim;
  const std::size_t vWidth = config.numKvHeads * config.valueHeadDim;
  const std::vector<Real>& inBias = named("in_proj_bias");
  const Activation activation = config.activation;
  ReferenceTrace<Real> trace;
  trace.q = project(input.query, qWidth, named("q_proj_weight"), inBias, 0, activation);
  trace.k = project(input.key, kWidth, named("k_proj_weight"), inBias, qWidth, activation);
  trace.v = project(input.value, vWidth, named("v_proj_weight"), inBias, qWidth + kWidth, activation);
  if (config.rope) {
    turn(trace.q, config.headDim, rules.past, 0, rules.positions, *config.rope);
    turn(trace.k, config.headDim, 0, rules.past, rules.positions, *config.rope);
  }
  const auto append = [&](Rows<Real>& rows, const std::vector<Real>& learned) {
    rows.values.insert(rows.values.end(), learned.begin(), learned.end());
    rows.count += static_cast<std::size_t>(config.addBiasKv) + static_cast<std::size_t>(config.addZeroAttn);
    rows.values.resize(rows.count * rows.width);
  };
  rules.appended = static_cast<std::size_t>(config.addBiasKv) + static_cast<std::size_t>(config.addZeroAttn);
  append(trace.k, named("bias_k"));
  append(trace.v, named("bias_v"));
  attend(trace, config.numHeads, config.numKvHeads, rules);
  trace.output =
      project(trace.context, config.outDim, named("out_proj.weight"), named("out_proj.bias"), 0, activation);
  return trace;
}

}  // namespace mha::test
