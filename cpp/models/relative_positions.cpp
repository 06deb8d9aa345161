#include "models/relative_positions.hpp"

#include <algorithm>
#include <utility>

#include "sizes.hpp"
#include "wrong_argument.hpp"

namespace mha::models {

RelativePositions::RelativePositions(RelativeRules rules, std::size_t width)
    : rules_(std::move(rules)), width_(width), table_(sizeOf({rules_.count, width})) {
  const bool isInside = std::ranges::all_of(rules_.rows, [&](std::size_t row) { return row < rules_.count; });
  if (rules_.rows.size() % 2 == 0 || !isInside) {
    throw WrongArgument("relative", "give a row of the table for each distance from −D to D");
  }
  if (rules_.norm) norm_.emplace_back(*rules_.norm, width);
}

void RelativePositions::nameParameters(const std::string& prefix, Parameters& parameters) {
  parameters.addMatrix(prefix + "relative", table_, width_);
  for (Norm& norm : norm_) norm.nameParameters(prefix + "relative_norm", parameters);
}

std::size_t RelativePositions::rowOf(std::size_t query, std::size_t key) const {
  const std::size_t most = rules_.rows.size() / 2;
  const std::size_t distance = key > query ? key - query : query - key;
  const std::size_t near = std::min(distance, most);
  return rules_.rows[key > query ? most + near : most - near];
}

void RelativePositions::bias(const RelativeSpan& span, float* bias) const {
  for (std::size_t h = 0; h < width_; ++h) {
    for (std::size_t i = 0; i < span.queries; ++i) {
      for (std::size_t j = 0; j < span.keys; ++j) *bias++ = table_[rowOf(span.first + i, j) * width_ + h];
    }
  }
}

RelativePositions::Rows RelativePositions::rowsOf(const RelativeSpan& span) const {
  const auto [low, high] =
      std::minmax({rowOf(span.first + span.queries - 1, 0), rowOf(span.first, span.keys - 1)});
  return {low, high - low + 1};
}

const float* RelativePositions::vectors(const Rows& rows) {
  const float* vectors = table_.data() + rows.first * width_;
  if (norm_.empty()) return vectors;
  float* normed = normed_.ensure(rows.count * width_);
  norm_.front().apply(rows.count, vectors, normed);
  return normed;
}

void RelativePositions::disentangled(const RelativeSpan& span, const Rows& rows, std::size_t dim,
                                     const Factor& q, const Factor& k, const Factor& keys,
                                     const Factor& queries, float scale, float* bias) {
  const std::size_t count = rows.count;
  float* products = products_.ensure(sizeOf({std::max(span.queries, span.keys), count}));
  multiply_(span.queries, dim, count, q, keys, products, count);
  for (std::size_t i = 0; i < span.queries; ++i) {
    for (std::size_t j = 0; j < span.keys; ++j) {
      bias[i * span.keys + j] = scale * products[i * count + rowOf(span.first + i, j) - rows.first];
    }
  }
  multiply_(span.keys, dim, count, k, queries, products, count);
  for (std::size_t i = 0; i < span.queries; ++i) {
    for (std::size_t j = 0; j < span.keys; ++j) {
      bias[i * span.keys + j] += scale * products[j * count + rowOf(span.first + i, j) - rows.first];
    }
  }
}

}  // namespace mha::models
