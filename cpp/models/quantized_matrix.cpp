#include "models/quantized_matrix.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "parallel.hpp"
#include "simd.hpp"
#include "sizes.hpp"

namespace mha::models {
namespace {

using simd::F32x4;
using simd::I16x8;
using simd::I32x4;
using simd::kLanes;

/// Rows of x that are multiplied together: with two vectors of sums each, they leave registers for operands.
constexpr std::size_t kTile = 4;

/// Pairs of rows of B whose products are summed in 32 bits: 2·256·128·32767 is below 2³¹.
constexpr std::size_t kMostPairs = 256;

constexpr std::size_t pairsOf(std::size_t k) { return (k + 1) / 2; }

/// Rounds to whole numbers of 16 bits: the lower bits of the sum.
std::uint32_t rounded(float value) { return std::bit_cast<std::uint32_t>(value + simd::kRounder) & 0xFFFFU; }

/// Quantises a row of k numbers, a pair every `stride` places. Returns its factor.
float quantizeRow(std::size_t k, const float* x, std::size_t stride, std::int32_t* pairs) {
  float largest = 0.0F;
  float zero = 0.0F;  // NaN if x has NaN or ±∞
  for (std::size_t i = 0; i < k; ++i) {
    largest = std::max(largest, std::abs(x[i]));
    zero += 0.0F * x[i];
  }
  const float factor = largest / 32767.0F;
  const float inverse = factor > 0.0F ? 1.0F / factor : 0.0F;
  for (std::size_t i = 0; i < k; i += 2) {
    const std::uint32_t low = rounded(x[i] * inverse);
    const std::uint32_t high = i + 1 < k ? rounded(x[i + 1] * inverse) : 0U;
    pairs[i / 2 * stride] = static_cast<std::int32_t>(low | high << 16U);
  }
  return factor + zero;
}

/// What a tile adds to.
struct Sums {
  const float* rowFactors;
  const float* columnFactors;
  const float* bias;  // null: the sums so far are in y
  float* y;
  std::size_t yStride;
};

/// Multiplies `pairs` pairs of a tile of Rows rows by Panels panels of 8 columns.
template <std::size_t Rows, std::size_t Panels>
[[gnu::noinline]] void multiplyTile(std::size_t pairs, const std::int32_t* x, const std::int8_t* values,
                                    const Sums& sums) {
  constexpr std::size_t kVectors = 2 * Panels;
  std::array<std::array<I32x4, kVectors>, Rows> dots{};
#pragma clang loop unroll(disable)
  for (std::size_t p = 0; p < pairs; ++p) {
    std::array<I16x8, kVectors> b{};
#pragma clang loop unroll(full)
    for (std::size_t j = 0; j < kVectors; ++j) b[j] = simd::loadBytes(values + j * 2 * kLanes);
#pragma clang loop unroll(full)
    for (std::size_t i = 0; i < Rows; ++i) {
      const I16x8 pair = simd::splatPair(x[i]);
#pragma clang loop unroll(full)
      for (std::size_t j = 0; j < kVectors; ++j) dots[i][j] = simd::addDots(pair, b[j], dots[i][j]);
    }
    x += Rows;
    values += 2 * kGroupColumns;
  }
#pragma clang loop unroll(full)
  for (std::size_t i = 0; i < Rows; ++i) {
    const F32x4 factor = simd::splat(sums.rowFactors[i]);
    float* y = sums.y + i * sums.yStride;
#pragma clang loop unroll(full)
    for (std::size_t j = 0; j < kVectors; ++j) {
      const F32x4 before = simd::load((sums.bias != nullptr ? sums.bias : y) + j * kLanes);
      const F32x4 scaled = simd::mul(simd::toFloats(dots[i][j]), simd::load(sums.columnFactors + j * kLanes));
      simd::store(y + j * kLanes, simd::madd(scaled, factor, before));
    }
  }
}

/// multiplyTile() of a tile of any height over a group.
void multiplyGroup(std::size_t rows, std::size_t pairs, const std::int32_t* x, const std::int8_t* values,
                   const Sums& sums) {
  if (rows == 1) {
    multiplyTile<1, kGroupPanels>(pairs, x, values, sums);
    return;
  }
  for (std::size_t j = 0; j < kGroupPanels; ++j) {
    const std::size_t column = j * kPanelColumns;
    const Sums part{sums.rowFactors, sums.columnFactors + column,
                    sums.bias != nullptr ? sums.bias + column : nullptr, sums.y + column, sums.yStride};
    const std::int8_t* panel = values + 2 * column;
    if (rows == 2) {
      multiplyTile<2, 1>(pairs, x, panel, part);
    } else if (rows == 3) {
      multiplyTile<3, 1>(pairs, x, panel, part);
    } else {
      multiplyTile<kTile, 1>(pairs, x, panel, part);
    }
  }
}

}  // namespace

void QuantizedRows::quantize(std::size_t rows, std::size_t k, const float* x) {
  rows_ = rows;
  const std::size_t pairs = pairsOf(k);
  pairs_.resize(sizeOf({rows, pairs}));
  factors_.resize(rows);
  parallelFor((rows + kTile - 1) / kTile, [&](std::size_t tile, std::size_t /*thread*/) {
    const std::size_t first = tile * kTile;
    const std::size_t height = std::min(kTile, rows - first);
    for (std::size_t i = 0; i < height; ++i) {
      factors_[first + i] = quantizeRow(k, x + (first + i) * k, height, pairs_.data() + first * pairs + i);
    }
  });
}

QuantizedMatrix::QuantizedMatrix(std::size_t k, std::size_t n, const float* packed, const float* factors)
    : k_(k), n_(n), values_(sizeOf({2, pairsOf(k), wholeGroups(n)})), factors_(wholeGroups(n)) {
  for (std::size_t c = 0; c < n; ++c) {
    const float* column = packed + packedIndex(k, 0, c);
    float largest = 0.0F;
    for (std::size_t i = 0; i < k; ++i) largest = std::max(largest, std::abs(column[i * kPanelColumns]));
    factors_[c] = factors != nullptr ? factors[c] : largest / 127.0F;
    const float inverse = largest > 0.0F ? 1.0F / factors_[c] : 0.0F;
    const float toWhole = factors != nullptr ? 1.0F : inverse;
    for (std::size_t i = 0; i < k; ++i) {
      const float scaled = std::clamp(column[i * kPanelColumns] * toWhole, -128.0F, 127.0F);
      values_[indexOf(i, c)] = static_cast<std::int8_t>(std::nearbyint(scaled));
    }
  }
}

void QuantizedMatrix::multiply(const QuantizedRows& x, std::size_t column, const float* bias,
                               float* y) const {
  const std::size_t pairs = pairsOf(k_);
  const std::int8_t* values = values_.data() + indexOf(0, column);
  for (std::size_t first = 0; first < x.rows_; first += kTile) {
    const std::size_t height = std::min(kTile, x.rows_ - first);
    const std::int32_t* tile = x.pairs_.data() + first * pairs;
    // The last columns of y may be fewer than a group's.
    std::array<float, kTile * kGroupColumns> sums{};
    for (std::size_t p = 0; p < pairs; p += kMostPairs) {
      multiplyGroup(height, std::min(kMostPairs, pairs - p), tile + p * height,
                    values + 2 * p * kGroupColumns,
                    {x.factors_.data() + first, factors_.data() + column, p == 0 ? bias : nullptr,
                     sums.data(), kGroupColumns});
    }
    for (std::size_t i = 0; i < height; ++i) {
      std::copy_n(sums.data() + i * kGroupColumns, std::min(kGroupColumns, n_ - column),
                  y + (first + i) * n_ + column);
    }
  }
}

std::size_t QuantizedMatrix::indexOf(std::size_t row, std::size_t column) const {
  const std::size_t group = column / kGroupColumns;
  return ((group * pairsOf(k_) + row / 2) * kGroupColumns + column % kGroupColumns) * 2 + row % 2;
}

float QuantizedMatrix::at(std::size_t row, std::size_t column) const {
  return static_cast<float>(values_[indexOf(row, column)]) * factors_[column];
}

}  // namespace mha::models
