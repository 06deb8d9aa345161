#include "elementwise.hpp"

#include "simd.hpp"

namespace mha {

using simd::kLanes;

void scaleBy(float* x, std::size_t n, float factor) {
  const simd::F32x4 factors = simd::splat(factor);
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) simd::store(x + i, simd::mul(simd::load(x + i), factors));
  for (; i < n; ++i) x[i] *= factor;
}

void addTo(float* x, const float* y, std::size_t n) {
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) simd::store(x + i, simd::add(simd::load(x + i), simd::load(y + i)));
  for (; i < n; ++i) x[i] += y[i];
}

}  // namespace mha
