#include "models/row_parts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "elementwise.hpp"
#include "sizes.hpp"
#include "wrong_argument.hpp"

namespace mha::models {

RowParts::RowParts(std::size_t count, std::size_t width)
    : count_(count), width_(width), values_(sizeOf({count, width})) {}

void RowParts::add(RowParts& summand, std::size_t first) {
  addTo(biases(), summand.biases(), width_);
  for (std::size_t part = 0; part + 1 < summand.count_; ++part) {
    addTo(at(first + part), summand.at(part), width_);
  }
}

void RowParts::scaleColumns(const std::vector<float>& factors) {
  for (std::size_t i = 0; i < values_.size(); ++i) values_[i] *= factors[i % width_];
}

void RowParts::apply(const Norm& norm) {
  const bool isCentred = norm.kind_ == NormKind::layer;
  const auto meanOf = [&](const float* values) {
    return isCentred ? std::accumulate(values, values + width_, 0.0) / static_cast<double>(width_) : 0.0;
  };
  const std::vector<float> row = sum();
  const double rowMean = meanOf(row.data());
  double squares = 0.0;
  for (const float value : row) squares += (value - rowMean) * (value - rowMean);
  const double inverse = 1.0 / std::sqrt(squares / static_cast<double>(width_) + norm.epsilon_);
  for (std::size_t part = 0; part < count_; ++part) {
    float* values = at(part);
    const double mean = meanOf(values);
    for (std::size_t j = 0; j < width_; ++j) {
      values[j] = static_cast<float>((values[j] - mean) * inverse * norm.weight_[j]);
    }
  }
  if (isCentred) addTo(biases(), norm.bias_.data(), width_);
}

void RowParts::apply(const LinearMap& linear) {
  RowParts result(count_, linear.outFeatures());
  MapInput input;
  input.set(count_, width_, values_.data());
  linear.apply(input, result.values_.data());
  std::vector<float> bias(result.width_);
  linear.copyBias(bias.data());
  for (std::size_t part = 0; part + 1 < count_; ++part) {
    for (std::size_t j = 0; j < result.width_; ++j) result.at(part)[j] -= bias[j];
  }
  *this = std::move(result);
}

void RowParts::applyColumns(const LinearMap& linear, std::span<const std::size_t> columns) {
  RowParts result(count_, columns.size());
  std::vector<float> bias(linear.outFeatures());
  linear.copyBias(bias.data());
  std::vector<float> weight(width_);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (columns[c] >= linear.outFeatures()) {
      throw WrongArgument("columns", "be below " + std::to_string(linear.outFeatures()));
    }
    linear.copyWeightRow(columns[c], weight.data());
    for (std::size_t part = 0; part < count_; ++part) {
      double total = 0.0;
      for (std::size_t j = 0; j < width_; ++j) total += static_cast<double>(at(part)[j]) * weight[j];
      result.at(part)[c] = static_cast<float>(total);
    }
    result.biases()[c] += bias[columns[c]];
  }
  *this = std::move(result);
}

/// Multiplies the parts by what an elementwise function multiplies their sum by.
template <class Function>
void RowParts::applyFunction(const Function& function) {
  const std::vector<float> before = sum();
  std::vector<float> factors = before;
  function(factors);
  for (std::size_t j = 0; j < width_; ++j) factors[j] = before[j] == 0.0F ? 0.0F : factors[j] / before[j];
  scaleColumns(factors);
}

std::vector<float> RowParts::sum() const {
  std::vector<float> total(width_);
  for (std::size_t j = 0; j < width_; ++j) {
    double all = 0.0;
    for (std::size_t part = 0; part < count_; ++part) all += values_[part * width_ + j];
    total[j] = static_cast<float>(all);
  }
  return total;
}

void RowParts::apply(const RowMap& map, std::span<const std::size_t> columns) {
  const LinearMap* last = columns.empty() ? nullptr : &map.lastLinear();
  for (const RowStage& stage : map.stages_) {
    for (const LinearMap& linear : stage.linear) {
      if (&linear == last) {
        applyColumns(linear, columns);
      } else {
        apply(linear);
      }
    }
    scaleBy(values_.data(), values_.size(), stage.scale);
    if (stage.activation != ActivationFunction::identity) {
      applyFunction([&](std::vector<float>& x) { activate(stage.activation, x.size(), x.data()); });
    }
    for (const Norm& norm : stage.norm) apply(norm);
    if (stage.softcap != 0.0F) {
      applyFunction([&](std::vector<float>& x) {
        for (float& value : x) value = stage.softcap * std::tanh(value / stage.softcap);
      });
    }
  }
}

RowParts RowParts::ofHeads(const LinearMap& linear, const float* input, std::size_t heads) {
  const std::size_t dim = linear.inFeatures() / heads;
  RowParts parts(heads + 1, linear.inFeatures());
  for (std::size_t h = 0; h < heads; ++h) std::copy_n(input + h * dim, dim, parts.at(h) + h * dim);
  parts.apply(linear);
  return parts;
}

}  // namespace mha::models
