#include "transformer/norm.hpp"

#include <cmath>

#include "elementwise.hpp"
#include "row_sums.hpp"
#include "simd.hpp"
#include "vectors.hpp"

namespace mha {

using simd::F32x4;

void layerNorm(std::size_t rows, std::size_t width, const float* x, const float* weight, const float* bias,
               float* y, float* normalized, float* inverseDeviations, float epsilon) {
  const auto count = static_cast<float>(width);
  for (std::size_t i = 0; i < rows; ++i) {
    const float* row = x + i * width;
    float* unit = normalized + i * width;
    const F32x4 mean = simd::splat(sumOver(width, [](F32x4 a) { return a; }, row) / count);
    mapInto(unit, width, [&](F32x4 a) { return simd::sub(a, mean); }, row);
    const float variance = sumOver(width, [](F32x4 a) { return simd::mul(a, a); }, unit) / count;
    inverseDeviations[i] = 1.0F / std::sqrt(variance + epsilon);
    scaleBy(unit, width, inverseDeviations[i]);
    mapInto(
        y + i * width, width, [](F32x4 a, F32x4 w, F32x4 b) { return simd::madd(a, w, b); }, unit, weight,
        bias);
  }
}

void layerNormBackward(std::size_t rows, std::size_t width, const float* normalized,
                       const float* inverseDeviations, const float* weight, const float* gradY, float* gradX,
                       float* gradWeight, float* gradBias) {
  const auto count = static_cast<float>(width);
  for (std::size_t i = 0; i < rows; ++i) {
    const float* unit = normalized + i * width;
    const float* grad = gradY + i * width;
    const F32x4 mean = simd::splat(sumOver(width, simd::mul, grad, weight) / count);
    const auto project = [](F32x4 g, F32x4 w, F32x4 u) { return simd::mul(simd::mul(g, w), u); };
    const F32x4 slope = simd::splat(sumOver(width, project, grad, weight, unit) / count);
    const F32x4 scale = simd::splat(inverseDeviations[i]);
    const auto back = [&](F32x4 sum, F32x4 g, F32x4 w, F32x4 u) {
      const F32x4 centred = simd::sub(simd::sub(simd::mul(g, w), mean), simd::mul(u, slope));
      return simd::madd(centred, scale, sum);
    };
    mapInto(gradX + i * width, width, back, gradX + i * width, grad, weight, unit);
  }
  addRowProducts(rows, width, gradY, normalized, gradWeight);
  addRows(rows, width, gradY, width, gradBias);
}

void rmsNorm(std::size_t rows, std::size_t width, const float* x, const float* weight, float epsilon,
             float* y) {
  for (std::size_t i = 0; i < rows; ++i) {
    const float* row = x + i * width;
    // In double precision, because every later product of the row inherits its error.
    double squares = 0.0;
    for (std::size_t j = 0; j < width; ++j) squares += static_cast<double>(row[j]) * row[j];
    const double scale = 1.0 / std::sqrt(squares / static_cast<double>(width) + epsilon);
    float* normed = y + i * width;
    for (std::size_t j = 0; j < width; ++j) normed[j] = static_cast<float>(row[j] * scale) * weight[j];
  }
}

}  // namespace mha
