#include "transformer/gelu.hpp"

#include "simd.hpp"
#include "transformer/gelu_vector.hpp"
#include "vectors.hpp"

namespace mha {

using simd::F32x4;

void gelu(std::size_t n, const float* x, float* y, float* slope) {
  const Gelu gelu;
  std::size_t i = 0;
  for (; i + simd::kLanes <= n; i += simd::kLanes) {
    const Gelu::Values values = gelu(simd::load(x + i));
    simd::store(y + i, values.y);
    simd::store(slope + i, values.slope);
  }
  if (i < n) {
    const Gelu::Values values = gelu(simd::loadPart(x + i, n - i, 0.0F));
    simd::storePart(y + i, values.y, n - i);
    simd::storePart(slope + i, values.slope, n - i);
  }
}

void geluBackward(std::size_t n, const float* slope, float* grad) {
  mapInto(grad, n, [](F32x4 g, F32x4 s) { return simd::mul(g, s); }, grad, slope);
}

}  // namespace mha
