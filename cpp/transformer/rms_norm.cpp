#include "transformer/rms_norm.hpp"

#include <cmath>

#include "simd.hpp"
#include "vectors.hpp"

namespace mha {

using simd::F32x4;

void rmsNorm(std::size_t rows, std::size_t width, std::size_t stride, const float* x, const float* weight,
             float epsilon, float* y) {
  for (std::size_t i = 0; i < rows; ++i) {
    const float* row = x + i * stride;
    const float squares = sumOver(width, [](F32x4 a) { return simd::mul(a, a); }, row);
    const F32x4 scale = simd::splat(1.0F / std::sqrt(squares / static_cast<float>(width) + epsilon));
    const auto normalize = [&](F32x4 a, F32x4 w) { return simd::mul(simd::mul(a, scale), w); };
    mapInto(y + i * stride, width, normalize, row, weight);
  }
}

}  // namespace mha
