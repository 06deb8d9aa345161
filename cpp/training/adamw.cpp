#include "training/adamw.hpp"

#include <algorithm>
#include <cmath>

#include "elementwise.hpp"
#include "simd.hpp"
#include "vectors.hpp"

namespace mha::training {

using simd::F32x4;

void adamW(std::size_t n, const float* gradients, const AdamWOptions& options, std::size_t step,
           const Moments& moments, float* parameters) {
  const auto splat = [](double x) { return simd::splat(static_cast<float>(x)); };
  const auto steps = static_cast<double>(step);
  const F32x4 keptMean = splat(options.beta1);
  const F32x4 newMean = splat(1.0 - options.beta1);
  mapInto(
      moments.mean, n, [&](F32x4 m, F32x4 g) { return simd::madd(newMean, g, simd::mul(keptMean, m)); },
      moments.mean, gradients);
  const F32x4 keptSquares = splat(options.beta2);
  const F32x4 newSquares = splat(1.0 - options.beta2);
  mapInto(
      moments.meanOfSquares, n,
      [&](F32x4 v, F32x4 g) { return simd::madd(simd::mul(newSquares, g), g, simd::mul(keptSquares, v)); },
      moments.meanOfSquares, gradients);

  const F32x4 kept = splat(1.0 - options.learningRate * options.weightDecay);
  const F32x4 minusRate = splat(-options.learningRate / (1.0 - std::pow(options.beta1, steps)));
  const F32x4 rootCorrection = splat(1.0 / std::sqrt(1.0 - std::pow(options.beta2, steps)));
  const F32x4 eps = splat(options.eps);
  mapInto(
      parameters, n,
      [&](F32x4 p, F32x4 m, F32x4 v) {
        const F32x4 deviation = simd::madd(simd::sqrt(v), rootCorrection, eps);
        return simd::madd(minusRate, simd::div(m, deviation), simd::mul(kept, p));
      },
      parameters, moments.mean, moments.meanOfSquares);
}

double clipNorm(std::span<float> gradients, double maxNorm) {
  double squares = 0.0;
  for (const float g : gradients) squares += static_cast<double>(g) * static_cast<double>(g);
  const double norm = std::sqrt(squares);
  // torch adds 1e-6 against a division by 0.
  const double factor = maxNorm / (norm + 1e-6);
  if (factor < 1.0) scaleBy(gradients.data(), gradients.size(), static_cast<float>(factor));
  return norm;
}

}  // namespace mha::training
