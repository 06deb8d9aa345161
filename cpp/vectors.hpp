/// Loops over arrays, four values at a time.
#pragma once

#include <array>
#include <cstddef>

#include "simd.hpp"

namespace mha {

/// y[i] = f(x[i], …) for i < n; f maps vectors to a vector. y may be one of the x.
template <class F, class... X>
void mapInto(float* y, std::size_t n, const F& f, const X*... x) {
  std::size_t i = 0;
  for (; i + simd::kLanes <= n; i += simd::kLanes) simd::store(y + i, f(simd::load(x + i)...));
  if (i < n) simd::storePart(y + i, f(simd::loadPart(x + i, n - i, 0.0F)...), n - i);
}

/// Σ f(x[i], …) over i < n; f maps vectors to a vector.
template <class F, class... X>
float sumOver(std::size_t n, const F& f, const X*... x) {
  simd::F32x4 sums = simd::splat(0.0F);
  std::size_t i = 0;
  for (; i + simd::kLanes <= n; i += simd::kLanes) sums = simd::add(sums, f(simd::load(x + i)...));
  if (i < n) {
    std::array<float, simd::kLanes> last{};
    simd::storePart(last.data(), f(simd::loadPart(x + i, n - i, 0.0F)...), n - i);
    sums = simd::add(sums, simd::load(last.data()));
  }
  return simd::sum(sums);
}

}  // namespace mha
