#include "models/quantized_matrix.hpp"

#include <algorithm>
#include <cmath>

#include "simd.hpp"

namespace mha::models {

QuantizedMatrix::QuantizedMatrix(std::size_t k, std::size_t n, const float* packed)
    : k_(k), values_(k * wholeGroups(n)), factors_(wholeGroups(n)) {
  for (std::size_t c = 0; c < n; ++c) {
    const float* column = packed + packedIndex(k, 0, c);
    std::int8_t* values = values_.data() + c / kGroupColumns * k * kGroupColumns + c % kGroupColumns;
    float largest = 0.0F;
    for (std::size_t i = 0; i < k; ++i) largest = std::max(largest, std::abs(column[i * kPanelColumns]));
    factors_[c] = largest / 127.0F;
    const float inverse = largest > 0.0F ? 1.0F / factors_[c] : 0.0F;
    for (std::size_t i = 0; i < k; ++i) {
      const float scaled = std::clamp(column[i * kPanelColumns] * inverse, -127.0F, 127.0F);
      values[i * kGroupColumns] = static_cast<std::int8_t>(std::nearbyint(scaled));
    }
  }
}

void QuantizedMatrix::unpack(std::size_t group, std::size_t first, std::size_t count, float* panels) const {
  const std::int8_t* values = values_.data() + (group * k_ + first) * kGroupColumns;
  for (std::size_t p = 0; p < count; ++p) {
    const float* factors = factors_.data() + group * kGroupColumns;
    for (std::size_t j = 0; j < kGroupPanels; ++j) {
      simd::F32x4 left{};
      simd::F32x4 right{};
      simd::loadBytes(values, left, right);
      float* row = panels + (j * count + p) * kPanelColumns;
      simd::store(row, simd::mul(left, simd::load(factors)));
      simd::store(row + simd::kLanes, simd::mul(right, simd::load(factors + simd::kLanes)));
      values += kPanelColumns;
      factors += kPanelColumns;
    }
  }
}

}  // namespace mha::models
