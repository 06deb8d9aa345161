#include "softmax.hpp"

#include <array>
#include <cassert>
#include <cmath>

#include "elementwise.hpp"
#include "exp.hpp"
#include "simd.hpp"

namespace mha {
namespace {

using simd::F32x4;
using simd::kLanes;

}  // namespace

float rowMax(const float* row, std::size_t n) {
  F32x4 max = simd::splat(kMinusInfinity);
  std::size_t j = 0;
  for (; j + kLanes <= n; j += kLanes) max = simd::max(max, simd::load(row + j));
  if (j < n) max = simd::max(max, simd::loadPart(row + j, n - j, kMinusInfinity));
  return simd::largest(max);
}

float expRow(float* row, std::size_t n, float max) {
  // In a fully masked row, −inf − (−inf) would be NaN.
  const F32x4 shifts = simd::splat(max == kMinusInfinity ? 0.0F : max);
  const simd::ExpOfNonPositive exp;
  F32x4 sums = simd::splat(0.0F);
  std::size_t j = 0;
  for (; j + kLanes <= n; j += kLanes) {
    const F32x4 e = exp(simd::sub(simd::load(row + j), shifts));
    sums = simd::add(sums, e);
    simd::store(row + j, e);
  }
  if (j < n) {
    const F32x4 e = exp(simd::sub(simd::loadPart(row + j, n - j, kMinusInfinity), shifts));
    sums = simd::add(sums, e);
    simd::storePart(row + j, e, n - j);
  }
  return simd::sum(sums);
}

void softmaxRow(float* row, std::size_t n) {
  assert(row != nullptr || n == 0);
  const float total = expRow(row, n, rowMax(row, n));
  scaleBy(row, n, total == 0.0F ? 0.0F : 1.0F / total);
}

void softmaxGradientRow(const float* softmaxWeights, const float* droppedWeights, std::size_t n, float scale,
                        float* grad) {
  const auto share = [=](std::size_t j) {
    return static_cast<double>(droppedWeights[j]) * (droppedWeights[j] == 0.0F ? 0.0F : grad[j]);
  };
  std::array<double, kLanes> shares{};
  std::array<double, kLanes> totals{};
  const auto addLane = [&](std::size_t j, std::size_t lane) {
    shares[lane] += share(j);
    totals[lane] += softmaxWeights[j];
  };
  std::size_t j = 0;
  for (; j + kLanes <= n; j += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) addLane(j + lane, lane);
  }
  for (; j < n; ++j) addLane(j, 0);
  const auto sum = [](const auto& lanes) { return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]); };
  const double mean = sum(shares) / sum(totals);
  for (j = 0; j < n; ++j) {
    const auto slope = static_cast<float>((share(j) - softmaxWeights[j] * mean) * scale);
    grad[j] = softmaxWeights[j] == 0.0F ? 0.0F : slope;
  }
}

}  // namespace mha
