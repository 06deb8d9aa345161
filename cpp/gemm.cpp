#include "gemm.hpp"

#include <algorithm>
#include <array>
#include <cassert>

#include "simd.hpp"

namespace mha {
namespace {

using simd::F32x4;
using simd::kLanes;

static_assert(kPanelColumns == 2 * kLanes);

/// `Rows` rows of C over one panel; writes the first `columns` ≤ 8 of each.
///
/// A small function on purpose: engines replace a wasm function by its optimised form only between calls. The
/// loop over k must not be unrolled: V8 would hoist the loads and spill the accumulators.
template <std::size_t Rows>
void tile(std::size_t k, const float* a, std::size_t aStride, const float* panel, float* c,
          std::size_t cStride, std::size_t columns) {
  std::array<F32x4, Rows> left{};
  std::array<F32x4, Rows> right{};
  left.fill(simd::load(panel));
  right.fill(simd::load(panel + kLanes));
#pragma clang loop unroll(disable)
  for (std::size_t p = 0; p < k; ++p) {
    panel += kPanelColumns;
    const F32x4 b0 = simd::load(panel);
    const F32x4 b1 = simd::load(panel + kLanes);
    for (std::size_t i = 0; i < Rows; ++i) {
      const F32x4 x = simd::loadSplat(a + i * aStride + p);
      left[i] = simd::madd(x, b0, left[i]);
      right[i] = simd::madd(x, b1, right[i]);
    }
  }
  for (std::size_t i = 0; i < Rows; ++i) {
    float* row = c + i * cStride;
    if (columns == kPanelColumns) {
      simd::store(row, left[i]);
      simd::store(row + kLanes, right[i]);
    } else {
      simd::storePart(row, left[i], std::min(columns, kLanes));
      if (columns > kLanes) simd::storePart(row + kLanes, right[i], columns - kLanes);
    }
  }
}

using Tile = decltype(&tile<kTileRows>);
constexpr std::array<Tile, kTileRows> kTiles = {tile<1>, tile<2>, tile<3>, tile<4>};

}  // namespace

void packTransposed(std::size_t k, std::size_t n, const float* b, std::size_t stride, const float* bias,
                    float* packed) {
  assert(packed != nullptr && stride >= k);
  for (std::size_t first = 0; first < n; first += kPanelColumns) {
    const std::size_t columns = std::min(kPanelColumns, n - first);
    const float* source = b + first * stride;
    std::fill_n(packed, (1 + k) * kPanelColumns, 0.0F);
    if (bias != nullptr) std::copy_n(bias + first, columns, packed);
    packed += kPanelColumns;
    for (std::size_t p = 0; p < k; ++p) {
      for (std::size_t j = 0; j < columns; ++j) packed[j] = source[j * stride + p];
      packed += kPanelColumns;
    }
  }
}

void packRows(std::size_t k, std::size_t n, const float* b, std::size_t stride, float* packed) {
  assert(packed != nullptr && stride >= n);
  for (std::size_t first = 0; first < n; first += kPanelColumns) {
    const std::size_t columns = std::min(kPanelColumns, n - first);
    std::fill_n(packed, kPanelColumns, 0.0F);
    packed += kPanelColumns;
    for (std::size_t p = 0; p < k; ++p) {
      std::copy_n(b + p * stride + first, columns, packed);
      std::fill(packed + columns, packed + kPanelColumns, 0.0F);
      packed += kPanelColumns;
    }
  }
}

void gemm(std::size_t m, std::size_t n, std::size_t k, const float* a, std::size_t aStride,
          const float* packed, float* c, std::size_t cStride) {
  assert(aStride >= k && cStride >= n);
  for (std::size_t first = 0; first < n; first += kPanelColumns) {
    const std::size_t columns = std::min(kPanelColumns, n - first);
    for (std::size_t i = 0; i < m; i += kTileRows) {
      const std::size_t rows = std::min(kTileRows, m - i);
      kTiles[rows - 1](k, a + i * aStride, aStride, packed, c + i * cStride + first, cStride, columns);
    }
    packed += (1 + k) * kPanelColumns;
  }
}

}  // namespace mha
