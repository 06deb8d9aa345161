#include "models/half_matrix.hpp"

#include <bit>
#include <optional>

#include "simd.hpp"
#include "sizes.hpp"

namespace mha::models {
namespace {

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

}  // namespace mha::models
