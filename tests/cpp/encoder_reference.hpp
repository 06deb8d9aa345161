/// The encoder's loss in plain loops and double precision: the reference of the training tests.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "training/transformer_encoder.hpp"

namespace mha::test {

/// A matrix of doubles, its rows one after the other.
struct Matrix {
  Matrix(std::size_t rowCount, std::size_t columnCount)
      : rows(rowCount), columns(columnCount), values(rowCount * columnCount) {}

  double& operator()(std::size_t i, std::size_t j) { return values[i * columns + j]; }
  double operator()(std::size_t i, std::size_t j) const { return values[i * columns + j]; }

  std::size_t rows;
  std::size_t columns;
  std::vector<double> values;
};

/// A batch of sentences with targets; `real` (B·L) may be empty.
struct EncoderBatch {
  Shape shape;  // (B,L)
  std::vector<std::int32_t> tokens;
  std::vector<std::int32_t> targets;
  std::vector<std::uint8_t> real;

  [[nodiscard]] training::Sentences sentences() const {
    training::Sentences result{.tokens = viewOf(tokens.data(), shape)};
    if (!real.empty()) result.keyPaddingMask.emplace(viewOf(real.data(), shape));
    return result;
  }
  [[nodiscard]] View<std::int32_t> targetView() const { return viewOf(targets.data(), shape); }
};

class EncoderReference {
 public:
  EncoderReference(const training::TransformerEncoderConfig& config, const StateDict& parameters)
      : config_(config) {
    for (const auto& [name, tensor] : parameters) parameters_[name] = {tensor.begin(), tensor.end()};
  }

  std::vector<double>& parameter(const std::string& name) { return parameters_.at(name); }

  [[nodiscard]] double loss(const EncoderBatch& batch) const {
    const std::size_t length = batch.shape[1];
    double sum = 0.0;
    std::size_t count = 0;
    for (std::size_t b = 0; b < batch.shape[0]; ++b) {
      const Matrix logits = logitsOf(batch, b);
      for (std::size_t i = 0; i < length; ++i) {
        const std::int32_t target = batch.targets[b * length + i];
        if (target == training::kIgnoredTarget) continue;
        double total = 0.0;
        for (std::size_t v = 0; v < logits.columns; ++v) total += std::exp(logits(i, v));
        sum += std::log(total) - logits(i, static_cast<std::size_t>(target));
        ++count;
      }
    }
    return sum / static_cast<double>(count);
  }

 private:
  [[nodiscard]] const std::vector<double>& at(const std::string& name) const { return parameters_.at(name); }

  /// x·Wᵀ + b for the weight's rows from `first` on.
  static Matrix linear(const Matrix& x, std::size_t out, const std::vector<double>& weight,
                       const std::vector<double>& bias, std::size_t first = 0) {
    Matrix y(x.rows, out);
    for (std::size_t i = 0; i < x.rows; ++i) {
      for (std::size_t o = 0; o < out; ++o) {
        double sum = bias[first + o];
        for (std::size_t j = 0; j < x.columns; ++j) sum += x(i, j) * weight[(first + o) * x.columns + j];
        y(i, o) = sum;
      }
    }
    return y;
  }

  [[nodiscard]] Matrix norm(const Matrix& x, const std::string& name) const {
    const auto width = static_cast<double>(x.columns);
    Matrix y(x.rows, x.columns);
    for (std::size_t i = 0; i < x.rows; ++i) {
      double mean = 0.0;
      for (std::size_t j = 0; j < x.columns; ++j) mean += x(i, j) / width;
      double variance = 0.0;
      for (std::size_t j = 0; j < x.columns; ++j) variance += (x(i, j) - mean) * (x(i, j) - mean) / width;
      for (std::size_t j = 0; j < x.columns; ++j) {
        y(i, j) =
            (x(i, j) - mean) / std::sqrt(variance + 1e-5) * at(name + ".weight")[j] + at(name + ".bias")[j];
      }
    }
    return y;
  }

  [[nodiscard]] Matrix attention(const Matrix& x, const std::string& prefix, const EncoderBatch& batch,
                                 std::size_t b) const {
    const std::size_t width = x.columns;
    const std::size_t headDim = width / config_.numHeads;
    const auto project = [&](std::size_t part) {
      return linear(x, width, at(prefix + "in_proj_weight"), at(prefix + "in_proj_bias"), part * width);
    };
    const Matrix q = project(0);
    const Matrix k = project(1);
    const Matrix v = project(2);
    Matrix context(x.rows, width);
    for (std::size_t first = 0; first < width; first += headDim) {
      for (std::size_t i = 0; i < x.rows; ++i) {
        std::vector<double> weights(x.rows);
        double total = 0.0;
        for (std::size_t j = 0; j < x.rows; ++j) {
          if (!batch.real.empty() && batch.real[b * x.rows + j] == 0) continue;
          double score = 0.0;
          for (std::size_t d = first; d < first + headDim; ++d) score += q(i, d) * k(j, d);
          weights[j] = std::exp(score / std::sqrt(static_cast<double>(headDim)));
          total += weights[j];
        }
        if (total == 0.0) continue;  // all keys are padding
        for (std::size_t j = 0; j < x.rows; ++j) {
          for (std::size_t d = first; d < first + headDim; ++d) context(i, d) += weights[j] / total * v(j, d);
        }
      }
    }
    return linear(context, width, at(prefix + "out_proj.weight"), at(prefix + "out_proj.bias"));
  }

  [[nodiscard]] Matrix logitsOf(const EncoderBatch& batch, std::size_t b) const {
    const std::size_t length = batch.shape[1];
    const std::size_t width = config_.embedDim;
    Matrix h(length, width);
    for (std::size_t i = 0; i < length; ++i) {
      const auto id = static_cast<std::size_t>(batch.tokens[b * length + i]);
      for (std::size_t j = 0; j < width; ++j) {
        h(i, j) =
            at("token_embedding.weight")[id * width + j] + at("position_embedding.weight")[i * width + j];
      }
    }
    const auto add = [&](const Matrix& x) {
      for (std::size_t i = 0; i < h.values.size(); ++i) h.values[i] += x.values[i];
    };
    for (std::size_t l = 0; l < config_.numLayers; ++l) {
      const std::string prefix = "layers." + std::to_string(l) + ".";
      add(attention(norm(h, prefix + "norm1"), prefix + "self_attn.", batch, b));
      Matrix inner = linear(norm(h, prefix + "norm2"), config_.feedForwardDim, at(prefix + "linear1.weight"),
                            at(prefix + "linear1.bias"));
      for (double& x : inner.values) x *= 0.5 * std::erfc(-x / std::sqrt(2.0));
      add(linear(inner, width, at(prefix + "linear2.weight"), at(prefix + "linear2.bias")));
    }
    return linear(norm(h, "norm"), config_.vocabSize, at("token_embedding.weight"), at("output.bias"));
  }

  training::TransformerEncoderConfig config_;
  std::map<std::string, std::vector<double>> parameters_;
};

}  // namespace mha::test
