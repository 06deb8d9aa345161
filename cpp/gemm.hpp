/// Matrix product of packed operands: C (m,n) = A (m,k) · B (k,n) + bias (n,).
///
/// Both operands are packed, so that the micro-kernel reads memory sequentially: A in tiles of rows, B in
/// panels of columns.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simd.hpp"

namespace mha {

/// The number of columns of B in a panel: two vectors of four.
inline constexpr std::size_t kPanelColumns = 8;

/// Rows of C per tile of the micro-kernel, 2 vectors each. A processor needs 8 independent sums to be busy,
/// and x86 has 16 vector registers for sums and operands. With fused multiply-add, 5 rows fit without
/// register spills, in newer engines (V8 13) 6; with separate instructions 4. More rows spill and halve the
/// speed.
inline constexpr std::size_t kTileRows = simd::kFusedMadd ? 5 : 4;
inline constexpr std::size_t kTallTileRows = simd::kFusedMadd ? 6 : kTileRows;

/// Uses tiles of kTallTileRows rows from now on. Results stay the same bit for bit; an A that was packed
/// before must be packed again.
void useTallTiles();

/// Packs A (m,k), rows `stride` apart, into m·k floats: tile after tile, each column by column.
void packLeft(std::size_t m, std::size_t k, const float* a, std::size_t stride, float* packed);

/// leftTiles() counts the tiles of m rows; packLeftTiles() packs the tiles first … first + count − 1.
std::size_t leftTiles(std::size_t m);
void packLeftTiles(std::size_t m, std::size_t k, const float* a, std::size_t stride, float* packed,
                   std::size_t first, std::size_t count);

/// Like packLeft(), but packs aᵀ: `a` is (k,m), rows `stride` apart.
void packLeftTransposed(std::size_t m, std::size_t k, const float* a, std::size_t stride, float* packed);

/// The number of floats in a packed B (k,n): ⌈n / 8⌉ panels of (1 + k) rows of 8. A panel's first row is the
/// bias, the others are the rows of B; columns beyond n are zero.
constexpr std::size_t packedSize(std::size_t k, std::size_t n) {
  return (n + kPanelColumns - 1) / kPanelColumns * (1 + k) * kPanelColumns;
}

/// Packs B = bᵀ into packedSize(k, n) floats: `b` is (n,k), rows `stride` apart, like the weight (out,in) of
/// a projection and like keys. `bias` (n,) may be null.
void packTransposed(std::size_t k, std::size_t n, const float* b, std::size_t stride, const float* bias,
                    float* packed);

/// Packs B = b into packedSize(k, n) floats: `b` is (k,n), rows `stride` apart, like values. No bias.
void packRows(std::size_t k, std::size_t n, const float* b, std::size_t stride, float* packed);

/// The index of B[row][column] in a packed B (k,n); row −1 is the bias.
constexpr std::size_t packedIndex(std::size_t k, std::ptrdiff_t row, std::size_t column) {
  return (column / kPanelColumns * (1 + k) + static_cast<std::size_t>(row + 1)) * kPanelColumns +
         column % kPanelColumns;
}

/// `count` ≥ 1 rows of a packed B (all,n), from row `first` on.
struct PackedRows {
  const float* packed;
  std::size_t all;
  std::size_t first;
  std::size_t count;
};

/// C (m,n), rows `cStride` apart = packed A (m,b.count) · the rows `b` + bias. C must not overlap A or B.
void gemm(std::size_t m, std::size_t n, const float* a, const PackedRows& b, float* c, std::size_t cStride);

/// The products of a single row x (k,), which has no use for a packed B: rows of b are `stride` apart. The
/// sums are those of gemm(), some of which run beside each other.
inline constexpr std::size_t kLeastDots = 2 * simd::kLanes;
inline constexpr std::size_t kLeastColumns = 4 * simd::kLanes;

/// y (n,) = x · bᵀ for b (n,k), like keys; n ≥ kLeastDots, k a multiple of 4.
void dotRows(std::size_t k, std::size_t n, const float* x, const float* b, std::size_t stride, float* y);

/// y (n,) = x · b for b (k,n), like values; n ≥ kLeastColumns.
void sumRows(std::size_t k, std::size_t n, const float* x, const float* b, std::size_t stride, float* y);

/// A weight in fewer bits than float32 lies in groups of 32 columns, a row of which, in 16 bits, is one line
/// of the cache.
inline constexpr std::size_t kGroupPanels = 4;
inline constexpr std::size_t kGroupColumns = kGroupPanels * kPanelColumns;

/// The number of columns of the groups that hold n columns.
constexpr std::size_t wholeGroups(std::size_t n) {
  return (n + kGroupColumns - 1) / kGroupColumns * kGroupColumns;
}

/// float16 here has the bits of IEEE's with an exponent that is larger by 10: it has all numbers of magnitude
/// 2⁻²⁴ to 2⁷, and none of them is subnormal.
enum class HalfFormat : std::uint8_t { float16, bfloat16 };

/// A group of columns of B, (k,32) in 16 bits, each 8 columns in the order that simd.hpp takes.
struct HalfGroup {
  HalfFormat format;
  std::size_t k;
  const std::uint16_t* values;
  const float* bias;  // (32,)
};

/// C (m,n), n ≤ 32, = packed A (m,k) · B + bias, with the bits of a packed B of the same numbers. For
/// float16, A is multiplied by simd::kHalfUnit: loadHalves() gives numbers divided by it, and one number of A
/// is used for all columns.
void gemm(std::size_t m, std::size_t n, const float* a, const HalfGroup& b, float* c, std::size_t cStride);

}  // namespace mha
