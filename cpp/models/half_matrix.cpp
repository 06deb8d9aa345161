#include "models/half_matrix.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <optional>

#include "simd.hpp"
#include "sizes.hpp"

namespace mha::models {
namespace {

using simd::F32x4;
using simd::kLanes;

/// The exponent of 2⁰ in float32 and in our float16, and the bits that a fraction loses there.
constexpr std::uint32_t kFloatBias = 127;
constexpr std::uint32_t kHalfBias = 25;
constexpr std::uint32_t kLostBits = 13;
constexpr std::uint32_t kLostExponent = kFloatBias - kHalfBias;

/// The number in 16 bits, if these are enough.
std::optional<std::uint16_t> narrowed(HalfFormat format, float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
  const std::uint32_t lost = format == HalfFormat::bfloat16 ? 16U : kLostBits;
  if ((bits & ((1U << lost) - 1U)) != 0) return {};
  if (format == HalfFormat::bfloat16) return static_cast<std::uint16_t>(bits >> lost);
  const std::uint32_t sign = (bits ^ magnitude) >> 16U;
  if (magnitude == 0) return static_cast<std::uint16_t>(sign);
  // Exponent 0 is for zero alone.
  const std::uint32_t exponent = magnitude >> 23U;
  if (exponent <= kLostExponent || exponent > kLostExponent + 31U) return {};
  return static_cast<std::uint16_t>(sign | (magnitude - (kLostExponent << 23U)) >> lost);
}

float widened(HalfFormat format, std::uint32_t half) {
  if (format == HalfFormat::bfloat16) return std::bit_cast<float>(half << 16U);
  const std::uint32_t magnitude = half & 0x7FFFU;
  const std::uint32_t bits = magnitude == 0 ? 0 : (magnitude << kLostBits) + (kLostExponent << 23U);
  return std::bit_cast<float>((half & 0x8000U) << 16U | bits);
}

template <float unit>
F32x4 scaled(F32x4 values) {
  return unit == 1.0F ? values : simd::mul(values, simd::splat(unit));
}

/// Unpacks `count` rows of a group. `load` gives its numbers divided by `unit`.
template <auto load, float unit>
void unpackRows(const std::uint16_t* values, std::size_t count, float* panels) {
  for (std::size_t p = 0; p < count; ++p) {
#pragma clang loop unroll(full)
    for (std::size_t j = 0; j < kGroupPanels; ++j) {
      F32x4 left{};
      F32x4 right{};
      load(values + j * kPanelColumns, left, right);
      float* row = panels + (j * count + p) * kPanelColumns;
      simd::store(row, scaled<unit>(left));
      simd::store(row + kLanes, scaled<unit>(right));
    }
    values += kGroupColumns;
  }
}

/// y (32) = unit·x (k,) · a group divided by `unit`, + bias (32). All 32 sums are computed together: each
/// depends on the one before, so that fewer would leave the processor waiting.
template <auto load, float unit>
void multiply(const std::uint16_t* values, std::size_t k, const float* x, const float* bias, float* y) {
  std::array<F32x4, kGroupPanels> left{};
  std::array<F32x4, kGroupPanels> right{};
#pragma clang loop unroll(full)
  for (std::size_t j = 0; j < kGroupPanels; ++j) {
    left[j] = simd::load(bias + j * kPanelColumns);
    right[j] = simd::load(bias + j * kPanelColumns + kLanes);
  }
#pragma clang loop unroll(disable)
  for (std::size_t p = 0; p < k; ++p) {
    const F32x4 splat = scaled<unit>(simd::loadSplat(x + p));
#pragma clang loop unroll(full)
    for (std::size_t j = 0; j < kGroupPanels; ++j) {
      F32x4 first{};
      F32x4 second{};
      load(values + j * kPanelColumns, first, second);
      left[j] = simd::madd(splat, first, left[j]);
      right[j] = simd::madd(splat, second, right[j]);
    }
    values += kGroupColumns;
  }
#pragma clang loop unroll(full)
  for (std::size_t j = 0; j < kGroupPanels; ++j) {
    simd::store(y + j * kPanelColumns, left[j]);
    simd::store(y + j * kPanelColumns + kLanes, right[j]);
  }
}

}  // namespace

HalfMatrix::HalfMatrix(HalfFormat format, std::size_t k, std::size_t n)
    : format_(format), k_(k), values_(sizeOf({k, wholeGroups(n)})) {}

bool HalfMatrix::write(const Linear::Features& outputs, const Linear::Features& inputs, const float* weight,
                       std::size_t outStride, std::size_t inStride) {
  for (std::size_t o = 0; o < outputs.count; ++o) {
    std::uint16_t* column = values_.data() + indexOf(inputs.first, outputs.first + o);
    for (std::size_t i = 0; i < inputs.count; ++i) {
      const auto half = narrowed(format_, weight[o * outStride + i * inStride]);
      if (!half) return false;
      column[i * kGroupColumns] = *half;
    }
  }
  return true;
}

std::size_t HalfMatrix::indexOf(std::size_t row, std::size_t column) const {
  const std::size_t inPanel = column % kPanelColumns;
  const std::size_t place = 2 * (inPanel % kLanes) + inPanel / kLanes;
  return (column / kGroupColumns * k_ + row) * kGroupColumns + column % kGroupColumns - inPanel + place;
}

float HalfMatrix::at(std::size_t row, std::size_t column) const {
  return widened(format_, values_[indexOf(row, column)]);
}

void HalfMatrix::unpack(std::size_t group, std::size_t first, std::size_t count, float* panels) const {
  const std::uint16_t* values = values_.data() + (group * k_ + first) * kGroupColumns;
  if (format_ == HalfFormat::float16) {
    unpackRows<simd::loadHalves, simd::kHalfUnit>(values, count, panels);
  } else {
    unpackRows<simd::loadBfloats, 1.0F>(values, count, panels);
  }
}

bool HalfMatrix::multiplyRow(std::size_t group, const float* x, const float* bias, float* y) const {
  const std::uint16_t* values = values_.data() + group * k_ * kGroupColumns;
  if (format_ == HalfFormat::bfloat16) {
    multiply<simd::loadBfloats, 1.0F>(values, k_, x, bias, y);
    return true;
  }
  // Instead of each weight, x is multiplied by the unit: one number for all columns, with the same products,
  // unless it overflows.
  bool fits = true;
  for (std::size_t i = 0; i < k_; ++i) fits &= std::abs(x[i]) < 0x1p25F;
  if (!fits) return false;
  multiply<simd::loadHalves, simd::kHalfUnit>(values, k_, x, bias, y);
  return true;
}

}  // namespace mha::models
