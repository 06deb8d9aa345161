/// Attention in double precision as plain xtensor expressions: the reference of the kernels.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <xtensor/xarray.hpp>
#include <xtensor/xbuilder.hpp>
#include <xtensor/xmanipulation.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xview.hpp>

namespace mha::test {

using Reference = xt::xarray<double>;

/// a (…,M,K) · bᵀ (…,N,K) → (…,M,N)
inline Reference timesTransposed(const Reference& a, const Reference& b) {
  const std::size_t rank = a.dimension();
  return xt::sum(xt::expand_dims(a, rank - 1) * xt::expand_dims(b, rank - 2), {rank});
}

/// Softmax over the last axis; a row of −inf gives zeros.
inline Reference softmax(const Reference& scores) {
  const std::size_t last = scores.dimension() - 1;
  const Reference max = xt::amax(scores, {last}, xt::keep_dims);
  const Reference shifted = scores - xt::where(xt::isinf(max), 0.0, max);
  const Reference exponentials = xt::exp(shifted);
  const Reference sums = xt::sum(exponentials, {last}, xt::keep_dims);
  return exponentials / xt::where(xt::equal(sums, 0.0), 1.0, sums);
}

struct ReferenceResult {
  Reference output;
  Reference weights;
};

/// query (…,L,d_k), key (…,S,d_k), value (…,S,d_v), added (…,L,S): the sum of the masks.
inline ReferenceResult attention(const Reference& query, const Reference& key, const Reference& value,
                                 double scale, const Reference& added) {
  const Reference weights = softmax(timesTransposed(query, key) * scale + added);
  const auto rank = static_cast<std::ptrdiff_t>(value.dimension());
  return {timesTransposed(weights, xt::swapaxes(value, rank - 2, rank - 1)), weights};
}

/// (L,S) with −inf above the diagonal.
inline Reference causalMask(std::size_t queries, std::size_t keys) {
  Reference mask = xt::zeros<double>({queries, keys});
  for (std::size_t i = 0; i < queries; ++i) {
    for (std::size_t j = i + 1; j < keys; ++j) mask(i, j) = -std::numeric_limits<double>::infinity();
  }
  return mask;
}

/// Largest |a − b| over the largest |b|; infinite if the shapes differ or anything is NaN.
template <class A>
double relativeError(const A& a, const Reference& b) {
  if (!std::ranges::equal(a.shape(), b.shape())) return std::numeric_limits<double>::infinity();
  double difference = 0.0;
  double largest = 0.0;
  for (auto [x, y] = std::pair(a.begin(), b.begin()); y != b.end(); ++x, ++y) {
    const double here = std::abs(static_cast<double>(*x) - *y);
    if (std::isnan(here)) return std::numeric_limits<double>::infinity();
    difference = std::max(difference, here);
    largest = std::max(largest, std::abs(*y));
  }
  return difference / (largest > 0 ? largest : 1.0);
}

}  // namespace mha::test
