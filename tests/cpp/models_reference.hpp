/// A stack of transformer blocks in plain loops and double precision: the reference of the tests of models.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "encoder_reference.hpp"
#include "models/transformer.hpp"

namespace mha::test {

/// One sequence at a time, without a cache.
class TransformerReference {
 public:
  TransformerReference(const models::TransformerConfig& config, const StateDict& parameters)
      : config_(config) {
    for (const auto& [name, tensor] : parameters) parameters_[name] = {tensor.begin(), tensor.end()};
  }

  struct Output {
    std::vector<std::vector<Matrix>> weights;  // [layer][head] (L,L)
    Matrix hidden;
    std::vector<std::vector<Matrix>> crossWeights;  // (L,S')
  };

  /// Rows that cross-attention sees, and which of them are real; empty: all are.
  struct Memory {
    Matrix rows;
    std::vector<std::uint8_t> real;
  };

  /// `real` (L,): 1 = a real token; empty: all are. `headMask` (layers,H): factors of the weights; empty: 1.
  /// `positions` (L,): of rotary embeddings; empty: 0 … L − 1.
  [[nodiscard]] Output run(Matrix h, const std::vector<std::uint8_t>& real,
                           const std::vector<float>& headMask = {},
                           const std::vector<std::size_t>& positions = {},
                           const Memory* memory = nullptr) const {
    using models::NormPlacement;
    Output output{.weights = {}, .hidden = h, .crossWeights = {}};
    std::vector<std::vector<Matrix>>& weights = output.weights;
    const NormPlacement placement = config_.placement;
    const bool before = placement == NormPlacement::before || placement == NormPlacement::both;
    for (std::size_t number = 0; number < config_.layers.size(); ++number) {
      const models::LayerRules& layer = config_.layers[number];
      std::vector<float> factors(config_.heads, 1.0F);
      for (std::size_t head = 0; head < config_.heads && !headMask.empty(); ++head)
        factors[head] = headMask[number * config_.heads + head];
      const std::string name = "layers." + std::to_string(layer.block) + ".";
      weights.emplace_back();
      const Matrix entering = h;
      const auto half = [&](const std::string& part, const Matrix& x, bool isNormed, const auto& f) {
        Matrix added = f(isNormed ? norm(x, name + part + "_norm", config_.norm) : x);
        if (placement == NormPlacement::outputs) added = norm(added, name + part + "_norm", config_.norm);
        if (placement == NormPlacement::both) added = norm(added, name + part + "_output_norm", config_.norm);
        for (std::size_t i = 0; i < h.values.size(); ++i) {
          const double factor = config_.layerScale ? at(name + part + "_scale", i % h.columns) : 1.0;
          h.values[i] += factor * added.values[i];
        }
        if (placement == NormPlacement::after) h = norm(h, name + part + "_norm", config_.norm);
      };
      half("attention", h, before && layer.normsInput,
           [&](const Matrix& x) { return attend(x, layer, name, real, factors, positions, weights.back()); });
      if (memory != nullptr) {
        output.crossWeights.emplace_back();
        half("cross", h, before, [&](const Matrix& x) {
          return attendMemory(x, layer, name, *memory, output.crossWeights.back());
        });
      }
      half("feed_forward", config_.parallel ? entering : h, before,
           [&](const Matrix& x) { return feedForward(x, name); });
    }
    output.hidden = h;
    return output;
  }

 private:
  [[nodiscard]] double at(const std::string& name, std::size_t i) const { return parameters_.at(name)[i]; }

  [[nodiscard]] Matrix linear(const Matrix& x, const std::string& name) const {
    const std::vector<double>& bias = parameters_.at(name + ".bias");
    Matrix y(x.rows, bias.size());
    for (std::size_t i = 0; i < y.rows; ++i) {
      for (std::size_t o = 0; o < y.columns; ++o) {
        y(i, o) = bias[o];
        for (std::size_t j = 0; j < x.columns; ++j)
          y(i, o) += x(i, j) * at(name + ".weight", o * x.columns + j);
      }
    }
    return y;
  }

  /// Normalises each row of x, or each of its parts as wide as the weight.
  [[nodiscard]] Matrix norm(Matrix x, const std::string& name, const models::NormRules& rules) const {
    const std::vector<double>& weight = parameters_.at(name + ".weight");
    const std::size_t width = weight.size();
    const auto count = static_cast<double>(width);
    for (std::size_t first = 0; first < x.values.size(); first += width) {
      double* row = x.values.data() + first;
      double mean = 0.0;
      if (rules.kind == models::NormKind::layer) {
        for (std::size_t j = 0; j < width; ++j) mean += row[j] / count;
      }
      double variance = 0.0;
      for (std::size_t j = 0; j < width; ++j) variance += (row[j] - mean) * (row[j] - mean) / count;
      for (std::size_t j = 0; j < width; ++j) {
        row[j] = (row[j] - mean) / std::sqrt(variance + rules.epsilon) * (weight[j] + rules.offset);
        if (rules.kind == models::NormKind::layer) row[j] += at(name + ".bias", j);
      }
    }
    return x;
  }

  /// What a score gains by the distance of key j from query i.
  [[nodiscard]] double relative(const Matrix& q, const Matrix& k, const models::LayerRules& layer,
                                const std::string& name, std::size_t head, std::size_t i,
                                std::size_t j) const {
    if (!config_.relative) return 0.0;
    const models::RelativeRules& rules = *config_.relative;
    const auto most = static_cast<std::ptrdiff_t>(rules.rows.size() / 2);
    const std::ptrdiff_t distance = static_cast<std::ptrdiff_t>(j) - static_cast<std::ptrdiff_t>(i);
    const std::size_t row = rules.rows[static_cast<std::size_t>(std::clamp(distance, -most, most) + most)];
    if (rules.isBias) return at("relative", row * config_.heads + head);
    Matrix vector(1, config_.width);
    for (std::size_t p = 0; p < config_.width; ++p) vector(0, p) = at("relative", row * config_.width + p);
    if (rules.norm) vector = norm(vector, "relative_norm", *rules.norm);
    const Matrix key = linear(vector, name + "key");
    const Matrix query = linear(vector, name + "query");
    const std::size_t dim = config_.headDim;
    const std::size_t kvHead = head / (config_.heads / config_.kvHeads);
    double sum = 0.0;
    for (std::size_t d = 0; d < dim; ++d) {
      sum +=
          q(i, head * dim + d) * key(0, kvHead * dim + d) + k(j, kvHead * dim + d) * query(0, head * dim + d);
    }
    return sum * layer.scale;
  }

  [[nodiscard]] Matrix attendMemory(const Matrix& x, const models::LayerRules& layer, const std::string& name,
                                    const Memory& memory, std::vector<Matrix>& weights) const {
    const Matrix q = linear(x, name + "cross_query");
    const Matrix k = linear(memory.rows, name + "cross_key");
    const Matrix v = linear(memory.rows, name + "cross_value");
    const std::size_t dim = config_.headDim;
    Matrix context(x.rows, config_.heads * dim);
    for (std::size_t head = 0; head < config_.heads; ++head) {
      const std::size_t kvHead = head / (config_.heads / config_.kvHeads);
      Matrix& w = weights.emplace_back(x.rows, memory.rows.rows);
      for (std::size_t i = 0; i < x.rows; ++i) {
        double sum = 0.0;
        for (std::size_t j = 0; j < w.columns; ++j) {
          if (!memory.real.empty() && memory.real[j] == 0) continue;
          double score = 0.0;
          for (std::size_t d = 0; d < dim; ++d) score += q(i, head * dim + d) * k(j, kvHead * dim + d);
          w(i, j) = std::exp(score * layer.scale);
          sum += w(i, j);
        }
        for (std::size_t j = 0; j < w.columns; ++j) {
          w(i, j) /= sum;
          for (std::size_t d = 0; d < dim; ++d)
            context(i, head * dim + d) += w(i, j) * v(j, kvHead * dim + d);
        }
      }
    }
    return linear(context, name + "cross_output");
  }

  void rotate(Matrix& x, std::size_t rotary, const std::vector<std::size_t>& positions) const {
    const std::vector<float>& angles = config_.rotaries[rotary];
    const std::size_t pairs = angles.size();
    for (std::size_t i = 0; i < x.rows; ++i) {
      for (std::size_t head = 0; head < x.columns; head += config_.headDim) {
        for (std::size_t j = 0; j < pairs; ++j) {
          const double angle = static_cast<double>(positions.empty() ? i : positions[i]) * angles[j];
          double& p = x(i, head + j);
          double& q = x(i, head + j + pairs);
          const double rotated = p * std::cos(angle) - q * std::sin(angle);
          q = p * std::sin(angle) + q * std::cos(angle);
          p = rotated;
        }
      }
    }
  }

  [[nodiscard]] bool sees(const models::LayerRules& layer, std::size_t i, std::size_t j) const {
    if (config_.causal && j > i) return false;
    return !layer.window || (j + layer.window->left >= i && j <= i + layer.window->right);
  }

  [[nodiscard]] Matrix attend(const Matrix& x, const models::LayerRules& layer, const std::string& name,
                              const std::vector<std::uint8_t>& real, const std::vector<float>& factors,
                              const std::vector<std::size_t>& positions, std::vector<Matrix>& weights) const {
    Matrix q = linear(x, name + "query");
    Matrix k = linear(x, name + "key");
    const Matrix v = linear(x, name + "value");
    if (config_.headNorm) {
      q = norm(q, name + "query_norm", *config_.headNorm);
      k = norm(k, name + "key_norm", *config_.headNorm);
    }
    if (layer.rotary) {
      rotate(q, *layer.rotary, positions);
      rotate(k, *layer.rotary, positions);
    }
    const std::size_t dim = config_.headDim;
    Matrix context(x.rows, config_.heads * dim);
    for (std::size_t head = 0; head < config_.heads; ++head) {
      const std::size_t kvHead = head / (config_.heads / config_.kvHeads);
      Matrix& w = weights.emplace_back(x.rows, x.rows);
      for (std::size_t i = 0; i < x.rows; ++i) {
        double sum = 0.0;
        // Of padding, disentangled attention sees every key alike.
        const bool isEven = config_.relative && !config_.relative->isBias && !real.empty() && real[i] == 0;
        for (std::size_t j = 0; j < x.rows; ++j) {
          if (!isEven && (!sees(layer, i, j) || (!real.empty() && real[j] == 0))) continue;
          double score = 0.0;
          for (std::size_t d = 0; d < dim; ++d) score += q(i, head * dim + d) * k(j, kvHead * dim + d);
          score *= layer.scale;
          if (config_.softcap > 0.0F) score = config_.softcap * std::tanh(score / config_.softcap);
          score += relative(q, k, layer, name, head, i, j);
          w(i, j) = isEven ? 1.0 : std::exp(score);
          sum += w(i, j);
        }
        for (std::size_t j = 0; j < x.rows && sum > 0.0; ++j) {
          w(i, j) /= sum;
          for (std::size_t d = 0; d < dim; ++d)
            context(i, head * dim + d) += w(i, j) * factors[head] * v(j, kvHead * dim + d);
        }
      }
    }
    return linear(context, name + "output");
  }

  [[nodiscard]] double activate(double x) const {
    switch (config_.activation) {
      case ActivationFunction::identity:
        return x;
      case ActivationFunction::relu:
        return x < 0.0 ? 0.0 : x;
      case ActivationFunction::gelu:
        return 0.5 * x * std::erfc(-x / std::sqrt(2.0));
      case ActivationFunction::geluTanh:
        return 0.5 * x * (1.0 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
      case ActivationFunction::silu:
        return x / (1.0 + std::exp(-x));
      case ActivationFunction::tanh:
        return std::tanh(x);
      case ActivationFunction::quickGelu:
        return x / (1.0 + std::exp(-1.702 * x));
    }
    return x;
  }

  [[nodiscard]] Matrix feedForward(const Matrix& x, const std::string& name) const {
    Matrix inner = linear(x, name + (config_.gated ? "gate" : "up"));
    for (double& value : inner.values) value = activate(value);
    if (config_.gated) {
      const Matrix up = linear(x, name + "up");
      for (std::size_t i = 0; i < inner.values.size(); ++i) inner.values[i] *= up.values[i];
    }
    return linear(inner, name + "down");
  }

  models::TransformerConfig config_;
  std::map<std::string, std::vector<double>> parameters_;
};

}  // namespace mha::test
