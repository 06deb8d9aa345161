#include "gemm.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>
#include <vector>

namespace mha {
namespace {

using simd::F32x4;
using simd::kLanes;

static_assert(kPanelColumns == 2 * kLanes);

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): decided once, when the module is loaded
std::size_t tileRows = kTileRows;

/// Consecutive tiles of the same height.
struct Strip {
  std::size_t firstRow;
  std::size_t tileRows;
  std::size_t tiles;
};

/// Divides m rows of C into as few tiles as possible, of two heights that differ by one.
std::array<Strip, 2> stripsOf(std::size_t m) {
  const std::size_t tiles = leftTiles(m);
  if (tiles == 0) return {};
  const std::size_t rows = m / tiles;
  const std::size_t taller = m % tiles;
  return {Strip{0, rows + 1, taller}, Strip{taller * (rows + 1), rows, tiles - taller}};
}

/// V8 register-spill workaround: V8 before 13 (Node 20) loads all operands of a basic block at once. Tiles of
/// 5 rows then need 17 of 15 vector registers and spill. A branch before rows 2 and 4 that is never taken,
/// which the compiler cannot know, splits the block (196x2304x768, relaxed SIMD: 54.9 instead of 53.1
/// GFLOP/s).
constexpr bool needsOpaqueBranch(std::size_t rows, std::size_t i) { return rows == 5 && (i == 2 || i == 4); }

/// Numbers of 16 bits are unpacked in parts of a panel, which stay in the first-level cache (of 32 KB) beside
/// what is read: for 10.6 million weights and 13 rows, 2.1 ms instead of the 2.9 of four panels of 192 rows.
/// Shorter parts read and write the sums in C more often.
constexpr std::size_t kUnpackedDepth = 384;

/// The condition of that branch: a row count from here on exceeds every possible memory.
constexpr std::size_t kImpossibleRow = ~std::size_t{0} / 2;

/// Which rows of B a strip takes: `count` of all `k`, which A has too. `first` ones begin with the bias,
/// later ones with what is in C.
struct Depth {
  std::size_t k;
  std::size_t count;
  bool first;
};

/// Computes `tiles` tiles of `Rows` rows of C over one panel; writes the first `columns` ≤ 8 of each row.
///
/// Never inlined: engines replace a wasm function by its optimised code only between calls, and allocate
/// registers better in small functions.
template <std::size_t Rows>
[[gnu::noinline]] void multiplyStrip(std::size_t tiles, const Depth& depth, const float* a, const float* bias,
                                     const float* panel, float* c, std::size_t cStride, std::size_t columns) {
  const std::size_t k = depth.count;
  for (; tiles > 0; --tiles) {
    std::array<F32x4, Rows> left{};
    std::array<F32x4, Rows> right{};
#pragma clang loop unroll(full)
    for (std::size_t i = 0; i < Rows; ++i) {
      const float* start = depth.first ? bias : c + i * cStride;
      left[i] = simd::load(start);
      right[i] = simd::load(start + kLanes);
    }
    const float* x = a;
    const float* b = panel;
    /// Adds the product of column x[ahead] and row b[ahead]. Returns false only in the opaque branch, which
    /// is never taken.
    const auto step = [&](std::size_t p, std::size_t ahead) {
      const F32x4 b0 = simd::load(b + ahead * kPanelColumns);
      const F32x4 b1 = simd::load(b + ahead * kPanelColumns + kLanes);
#pragma clang loop unroll(full)
      for (std::size_t i = 0; i < Rows; ++i) {
        if (needsOpaqueBranch(Rows, i) && p == kImpossibleRow + i) return false;
        const F32x4 splat = simd::loadSplat(x + ahead * Rows + i);
        left[i] = simd::madd(splat, b0, left[i]);
        right[i] = simd::madd(splat, b1, right[i]);
      }
      return true;
    };
    if constexpr (simd::kFusedMadd) {
#pragma clang loop unroll(disable)
      for (std::size_t p = 0; p < k && step(p, 0); ++p) {
        x += Rows;
        b += kPanelColumns;
      }
    } else {
      // Unrolled four times to amortise the loop's own instructions.
#pragma clang loop unroll(disable)
      for (std::size_t rest = k;; rest -= 4) {
        if (!step(rest, 0) || rest == 1 || !step(rest, 1) || rest == 2) break;
        if (!step(rest, 2) || rest == 3 || !step(rest, 3) || rest == 4) break;
        x += 4 * Rows;
        b += 4 * kPanelColumns;
      }
    }
#pragma clang loop unroll(full)
    for (std::size_t i = 0; i < Rows; ++i) {
      float* row = c + i * cStride;
      // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): to clear it costs instructions in every tile
      std::array<float, kPanelColumns> part;
      float* whole = columns == kPanelColumns ? row : part.data();
      simd::store(whole, left[i]);
      simd::store(whole + kLanes, right[i]);
      if (whole != row) std::copy_n(whole, columns, row);
    }
    a += Rows * depth.k;
    c += Rows * cStride;
  }
}

constexpr auto kMultiplyStrip = []<std::size_t... Less>(std::index_sequence<Less...>) {
  return std::array{&multiplyStrip<Less + 1>...};
}(std::make_index_sequence<kTallTileRows>{});

/// Part of a product: rows of a panel from row p on, and the columns of C that belong to the panel.
struct Part {
  std::size_t p;
  Depth depth;
  const float* bias;
  const float* rows;
  float* c;
  std::size_t cStride;
  std::size_t columns;
};

/// Adds the product of packed A and part of a panel to C.
void multiplyPart(const std::array<Strip, 2>& strips, const float* a, const Part& part) {
  for (const auto& [firstRow, height, tiles] : strips) {
    if (tiles == 0) continue;
    kMultiplyStrip[height - 1](tiles, part.depth, a + firstRow * part.depth.k + part.p * height, part.bias,
                               part.rows, part.c + firstRow * part.cStride, part.cStride, part.columns);
  }
}

/// y (n,) = x (k,) · a group + bias, n ≤ 32. All 32 sums are computed together: each depends on the one
/// before, so that fewer would leave the processor waiting.
template <auto loadRow>
void multiplyRow(std::size_t n, const float* x, const HalfGroup& b, float* y) {
  std::array<F32x4, kGroupPanels> left{};
  std::array<F32x4, kGroupPanels> right{};
#pragma clang loop unroll(full)
  for (std::size_t j = 0; j < kGroupPanels; ++j) {
    left[j] = simd::load(b.bias + j * kPanelColumns);
    right[j] = simd::load(b.bias + j * kPanelColumns + kLanes);
  }
  const std::uint16_t* values = b.values;
#pragma clang loop unroll(disable)
  for (std::size_t p = 0; p < b.k; ++p) {
    const F32x4 splat = simd::loadSplat(x + p);
#pragma clang loop unroll(full)
    for (std::size_t j = 0; j < kGroupPanels; ++j) {
      F32x4 first{};
      F32x4 second{};
      loadRow(values + j * kPanelColumns, first, second);
      left[j] = simd::madd(splat, first, left[j]);
      right[j] = simd::madd(splat, second, right[j]);
    }
    values += kGroupColumns;
  }
  std::array<float, kGroupColumns> sums{};
#pragma clang loop unroll(full)
  for (std::size_t j = 0; j < kGroupPanels; ++j) {
    simd::store(sums.data() + j * kPanelColumns, left[j]);
    simd::store(sums.data() + j * kPanelColumns + kLanes, right[j]);
  }
  std::copy_n(sums.data(), n, y);
}

template <auto loadRow>
void unpackPanel(std::size_t count, const std::uint16_t* values, float* panel) {
  for (std::size_t p = 0; p < count; ++p) {
    F32x4 left{};
    F32x4 right{};
    loadRow(values + p * kGroupColumns, left, right);
    simd::store(panel + p * kPanelColumns, left);
    simd::store(panel + p * kPanelColumns + kLanes, right);
  }
}

/// The functions that read a format.
struct HalfFunctions {
  decltype(&multiplyRow<simd::loadHalves>) multiplyRow;
  decltype(&unpackPanel<simd::loadHalves>) unpackPanel;
};

HalfFunctions functionsOf(HalfFormat format) {
  if (format == HalfFormat::bfloat16) return {multiplyRow<simd::loadBfloats>, unpackPanel<simd::loadBfloats>};
  return {multiplyRow<simd::loadHalves>, unpackPanel<simd::loadHalves>};
}

/// Writes packed[p·width + i] = rows[i·stride + p] for i < count and p < k.
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

std::size_t leftTiles(std::size_t m) { return (m + tileRows - 1) / tileRows; }

void packLeftTiles(std::size_t m, std::size_t k, const float* a, std::size_t stride, float* packed,
                   std::size_t first, std::size_t count) {
  assert(stride >= k);
  const auto& [taller, lower] = stripsOf(m);
  for (std::size_t tile = first; tile < first + count; ++tile) {
    const bool tall = tile < taller.tiles;
    const std::size_t rows = tall ? taller.tileRows : lower.tileRows;
    const std::size_t i = tall ? tile * rows : lower.firstRow + (tile - taller.tiles) * rows;
    interleave(rows, k, a + i * stride, stride, packed + i * k, rows);
  }
}

void packLeft(std::size_t m, std::size_t k, const float* a, std::size_t stride, float* packed) {
  packLeftTiles(m, k, a, stride, packed, 0, leftTiles(m));
}

void packLeftTransposed(std::size_t m, std::size_t k, const float* a, std::size_t stride, float* packed) {
  assert(stride >= m);
  for (const auto& [firstRow, height, tiles] : stripsOf(m)) {
    for (std::size_t i = firstRow; i < firstRow + tiles * height; i += height) {
      for (std::size_t p = 0; p < k; ++p) packed = std::copy_n(a + p * stride + i, height, packed);
    }
  }
}

void packTransposed(std::size_t k, std::size_t n, const float* b, std::size_t stride, const float* bias,
                    float* packed) {
  assert((n == 0 || packed != nullptr) && stride >= k);
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
  assert((n == 0 || packed != nullptr) && stride >= n);
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
  const std::array<Strip, 2> strips = stripsOf(m);
  const float* panel = b.packed;
  for (std::size_t first = 0; first < n; first += kPanelColumns) {
    const std::size_t columns = std::min(kPanelColumns, n - first);
    multiplyPart(strips, a,
                 {0,
                  {b.count, b.count, true},
                  panel,
                  panel + (1 + b.first) * kPanelColumns,
                  c + first,
                  cStride,
                  columns});
    panel += (1 + b.all) * kPanelColumns;
  }
}

void gemm(std::size_t m, std::size_t n, const float* a, const HalfGroup& b, float* c, std::size_t cStride) {
  assert(b.k > 0 && n <= kGroupColumns && cStride >= n);
  const HalfFunctions functions = functionsOf(b.format);
  if (m == 1) {
    functions.multiplyRow(n, a, b, c);
    return;
  }
  const std::array<Strip, 2> strips = stripsOf(m);
  // Only what has been unpacked is read: to clear 12 KB is much beside a few rows.
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init)
  alignas(16) std::array<float, kUnpackedDepth * kPanelColumns> panel;
  // Sums of the last panel, of which C lacks columns: all of them are needed for the next part.
  const std::size_t whole = n / kPanelColumns * kPanelColumns;
  std::vector<float> sums(whole < n ? m * kPanelColumns : 0);
  for (std::size_t p = 0; p < b.k; p += kUnpackedDepth) {
    const Depth depth{b.k, std::min(kUnpackedDepth, b.k - p), p == 0};
    for (std::size_t first = 0; first < n; first += kPanelColumns) {
      functions.unpackPanel(depth.count, b.values + p * kGroupColumns + first, panel.data());
      const bool isWhole = first < whole;
      multiplyPart(strips, a,
                   {p, depth, b.bias + first, panel.data(), isWhole ? c + first : sums.data(),
                    isWhole ? cStride : kPanelColumns, kPanelColumns});
    }
  }
  for (std::size_t i = 0; i < m && whole < n; ++i) {
    std::copy_n(sums.data() + i * kPanelColumns, n - whole, c + i * cStride + whole);
  }
}

void dotRows(std::size_t k, std::size_t n, const float* x, const float* b, std::size_t stride, float* y) {
  assert(n >= kLeastDots && k % kLanes == 0);
  for (std::size_t first = 0; first < n; first += kLeastDots) {
    const std::size_t start = std::min(first, n - kLeastDots);  // the last sums are computed twice
    std::array<F32x4, kLeastDots / kLanes> sums{};
    for (std::size_t p = 0; p < k; p += kLanes) {
#pragma clang loop unroll(full)
      for (std::size_t i = 0; i < sums.size(); ++i) {
        const float* row = b + (start + i * kLanes) * stride + p;
        std::array<F32x4, kLanes> rows{simd::load(row), simd::load(row + stride),
                                       simd::load(row + 2 * stride), simd::load(row + 3 * stride)};
        simd::transpose(rows[0], rows[1], rows[2], rows[3]);
#pragma clang loop unroll(full)
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
          sums[i] = simd::madd(simd::loadSplat(x + p + lane), rows[lane], sums[i]);
        }
      }
    }
    for (std::size_t i = 0; i < sums.size(); ++i) simd::store(y + start + i * kLanes, sums[i]);
  }
}

void sumRows(std::size_t k, std::size_t n, const float* x, const float* b, std::size_t stride, float* y) {
  assert(n >= kLeastColumns);
  for (std::size_t first = 0; first < n; first += kLeastColumns) {
    const std::size_t start = std::min(first, n - kLeastColumns);
    std::array<F32x4, kLeastColumns / kLanes> sums{};
    const float* row = b + start;
#pragma clang loop unroll(disable)
    for (std::size_t p = 0; p < k; ++p) {
      const F32x4 splat = simd::loadSplat(x + p);
#pragma clang loop unroll(full)
      for (std::size_t i = 0; i < sums.size(); ++i) {
        sums[i] = simd::madd(splat, simd::load(row + i * kLanes), sums[i]);
      }
      row += stride;
    }
    for (std::size_t i = 0; i < sums.size(); ++i) simd::store(y + start + i * kLanes, sums[i]);
  }
}

}  // namespace mha
