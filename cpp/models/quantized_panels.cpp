#include "models/quantized_panels.hpp"

#include <algorithm>
#include <cmath>

#include "gemm.hpp"

namespace mha::models {
namespace {

constexpr std::size_t wholePanels(std::size_t n) {
  return (n + kPanelColumns - 1) / kPanelColumns * kPanelColumns;
}

}  // namespace

void QuantizedPanels::quantize(std::size_t k, std::size_t n, const float* packed) {
  k_ = k;
  const std::size_t columns = wholePanels(n);
  values_.resize(k * columns);
  factors_.assign(columns, 0.0F);
  bias_.resize(columns);
  for (std::size_t panel = 0; panel < columns / kPanelColumns; ++panel) {
    const float* rows = packed + (panel * (1 + k) + 1) * kPanelColumns;
    std::int8_t* values = values_.data() + panel * k * kPanelColumns;
    for (std::size_t c = 0; c < kPanelColumns; ++c) {
      float largest = 0.0F;
      for (std::size_t i = 0; i < k; ++i) largest = std::max(largest, std::abs(rows[i * kPanelColumns + c]));
      const float factor = largest / 127.0F;
      factors_[panel * kPanelColumns + c] = factor;
      const float inverse = factor > 0.0F ? 1.0F / factor : 0.0F;
      for (std::size_t i = 0; i < k; ++i) {
        const float scaled = std::clamp(rows[i * kPanelColumns + c] * inverse, -127.0F, 127.0F);
        values[i * kPanelColumns + c] = static_cast<std::int8_t>(std::nearbyint(scaled));
      }
    }
  }
}

void QuantizedPanels::setBias(std::size_t n, const float* bias) {
  bias_.assign(wholePanels(n), 0.0F);
  std::copy_n(bias, n, bias_.data());
}

void QuantizedPanels::unpack(std::size_t first, std::size_t count, float* packed) const {
  const std::int8_t* values = values_.data() + first * k_ * kPanelColumns;
  for (std::size_t panel = first; panel < first + count; ++panel) {
    const float* factors = factors_.data() + panel * kPanelColumns;
    packed = std::copy_n(bias_.data() + panel * kPanelColumns, kPanelColumns, packed);
    for (std::size_t i = 0; i < k_; ++i) {
      for (std::size_t c = 0; c < kPanelColumns; ++c) packed[c] = static_cast<float>(values[c]) * factors[c];
      values += kPanelColumns;
      packed += kPanelColumns;
    }
  }
}

void QuantizedPanels::copyColumn(std::size_t column, float* values) const {
  const std::int8_t* panel = values_.data() + column / kPanelColumns * k_ * kPanelColumns;
  for (std::size_t i = 0; i < k_; ++i) {
    values[i] = static_cast<float>(panel[i * kPanelColumns + column % kPanelColumns]) * factors_[column];
  }
}

}  // namespace mha::models
