#include "gemm.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

namespace mha {
namespace {

using simd::F32x4;
using simd::kLanes;

static_assert(kPanelColumns == 2 * kLanes);

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): decided once, when the module is loaded
std::size_t tileRows = kTileRows;

/// Rows of the next tile when so many are left. Less than kTileRows would be slow: the last tiles share
/// evenly.
std::size_t nextTile(std::size_t left) {
  if (left <= tileRows) return left;
  return left < tileRows + kTileRows ? (left + 1) / 2 : tileRows;
}

/// Tiles of one height that follow one another.
struct Strip {
  std::size_t firstRow;
  std::size_t tileRows;
  std::size_t tiles;
};

/// The strips of C's m rows: all the tiles of the usual height, then at most two lower ones.
struct Strips {
  std::array<Strip, 3> strips{};
  std::size_t count = 0;

  explicit Strips(std::size_t m) {
    for (std::size_t row = 0; row < m;) {
      const std::size_t rows = nextTile(m - row);
      if (count == 0 || strips[count - 1].tileRows != rows) strips[count++] = {row, rows, 0};
      ++strips[count - 1].tiles;
      row += rows;
    }
  }
};

/// Steps over k between two jumps back. More than one pay where a step takes twice the instructions.
constexpr std::size_t kSteps = simd::kFusedMadd ? 1 : 4;

/// `tiles` tiles of `Rows` rows of C over one panel; writes the first `columns` ≤ 8 of each row.
///
/// A small function on purpose, never inlined: engines replace a wasm function by its optimised form only
/// between calls, and allocate its registers better alone.
template <std::size_t Rows>
[[gnu::noinline]] void multiplyStrip(std::size_t tiles, std::size_t k, const float* a, const float* bias,
                                     const float* panel, float* c, std::size_t cStride, std::size_t columns) {
  for (; tiles > 0; --tiles) {
    std::array<F32x4, Rows> left{};
    std::array<F32x4, Rows> right{};
    left.fill(simd::load(bias));
    right.fill(simd::load(bias + kLanes));
    const float* b = panel;
    const auto step = [&](std::size_t p) {
      const F32x4 b0 = simd::load(b + p * kPanelColumns);
      const F32x4 b1 = simd::load(b + p * kPanelColumns + kLanes);
#pragma clang loop unroll(full)
      for (std::size_t i = 0; i < Rows; ++i) {
        const F32x4 x = simd::loadSplat(a + p * Rows + i);
        left[i] = simd::madd(x, b0, left[i]);
        right[i] = simd::madd(x, b1, right[i]);
      }
    };
    // Every step may be the last: without a branch between them V8 would load the operands of all steps
    // first, and spill.
    const auto ends = [&]<std::size_t... Step>(std::index_sequence<Step...>, std::size_t rest) {
      return ((step(Step), rest == Step + 1) || ...);
    };
    std::size_t rest = k;
#pragma clang loop unroll(disable)
    do {
      if (ends(std::make_index_sequence<kSteps - 1>{}, rest)) {
        a += rest * Rows;
        break;
      }
      step(kSteps - 1);
      a += kSteps * Rows;
      b += kSteps * kPanelColumns;
      rest -= kSteps;
    } while (rest > 0);
#pragma clang loop unroll(full)
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
    c += Rows * cStride;
  }
}

using MultiplyStrip = decltype(&multiplyStrip<1>);
constexpr auto kMultiplyStrip = []<std::size_t... Less>(std::index_sequence<Less...>) {
  return std::array<MultiplyStrip, sizeof...(Less)>{multiplyStrip<Less + 1>...};
}(std::make_index_sequence<kTallTileRows>{});

/// packed[p·width + i] = rows[i·stride + p] for i < count and p < k.
void interleave(std::size_t count, std::size_t k, const float* rows, std::size_t stride, float* packed,
                std::size_t width) {
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const float* source = rows + i * stride;
    std::size_t p = 0;
    for (; p + kLanes <= k; p += kLanes) {
      F32x4 a = simd::load(source + p);
      F32x4 b = simd::load(source + stride + p);
      F32x4 c = simd::load(source + 2 * stride + p);
      F32x4 d = simd::load(source + 3 * stride + p);
      simd::transpose(a, b, c, d);
      float* target = packed + p * width + i;
      simd::store(target, a);
      simd::store(target + width, b);
      simd::store(target + 2 * width, c);
      simd::store(target + 3 * width, d);
    }
    for (; p < k; ++p) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        packed[p * width + i + lane] = source[lane * stride + p];
      }
    }
  }
  for (; i < count; ++i) {
    for (std::size_t p = 0; p < k; ++p) packed[p * width + i] = rows[i * stride + p];
  }
}

}  // namespace

void useTallTiles() { tileRows = kTallTileRows; }

void packLeft(std::size_t m, std::size_t k, const float* a, std::size_t stride, float* packed) {
  assert(stride >= k);
  for (std::size_t i = 0; i < m;) {
    const std::size_t rows = nextTile(m - i);
    interleave(rows, k, a + i * stride, stride, packed + i * k, rows);
    i += rows;
  }
}

void packTransposed(std::size_t k, std::size_t n, const float* b, std::size_t stride, const float* bias,
                    float* packed) {
  assert(packed != nullptr && stride >= k);
  for (std::size_t first = 0; first < n; first += kPanelColumns) {
    const std::size_t columns = std::min(kPanelColumns, n - first);
    if (columns < kPanelColumns) std::fill_n(packed, (1 + k) * kPanelColumns, 0.0F);
    if (bias != nullptr) {
      std::copy_n(bias + first, columns, packed);
    } else {
      std::fill_n(packed, kPanelColumns, 0.0F);
    }
    packed += kPanelColumns;
    interleave(columns, k, b + first * stride, stride, packed, kPanelColumns);
    packed += k * kPanelColumns;
  }
}

void packRows(std::size_t k, std::size_t n, const float* b, std::size_t stride, float* packed) {
  assert(packed != nullptr && stride >= n);
  for (std::size_t first = 0; first < n; first += kPanelColumns) {
    const std::size_t columns = std::min(kPanelColumns, n - first);
    std::fill_n(packed, kPanelColumns, 0.0F);
    packed += kPanelColumns;
    for (std::size_t p = 0; p < k; ++p) {
      const float* row = b + p * stride + first;
      if (columns == kPanelColumns) {
        simd::store(packed, simd::load(row));
        simd::store(packed + kLanes, simd::load(row + kLanes));
      } else {
        std::fill_n(std::copy_n(row, columns, packed), kPanelColumns - columns, 0.0F);
      }
      packed += kPanelColumns;
    }
  }
}

void gemm(std::size_t m, std::size_t n, const float* a, const PackedRows& b, float* c, std::size_t cStride) {
  assert(b.count > 0 && b.first + b.count <= b.all && cStride >= n);
  const Strips strips(m);
  const float* panel = b.packed;
  for (std::size_t first = 0; first < n; first += kPanelColumns) {
    const std::size_t columns = std::min(kPanelColumns, n - first);
    const float* rows = panel + (1 + b.first) * kPanelColumns;
    for (std::size_t i = 0; i < strips.count; ++i) {
      const Strip& strip = strips.strips[i];
      kMultiplyStrip[strip.tileRows - 1](strip.tiles, b.count, a + strip.firstRow * b.count, panel, rows,
                                         c + strip.firstRow * cStride + first, cStride, columns);
    }
    panel += (1 + b.all) * kPanelColumns;
  }
}

}  // namespace mha
