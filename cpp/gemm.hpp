/// Matrix product of packed operands: C (m,n) = A (m,k) · B (k,n) + bias (n,).
///
/// Both operands are rearranged once, so that the inner kernel reads two streams of memory from front to
/// back.
#pragma once

#include <cstddef>

#include "simd.hpp"

namespace mha {

/// Columns of B in one panel: two vectors of four.
inline constexpr std::size_t kPanelColumns = 8;

/// Rows of C that the inner kernel computes at once: 2 vectors each, and a processor needs 8 of them in
/// flight to be kept busy. x86 has 16 registers for them and their operands. With a fused multiply-add,
/// engines carry 5 rows, newer ones 6; with two instructions 4. Beyond that they spill, and lose half of
/// their speed.
inline constexpr std::size_t kTileRows = simd::kFusedMadd ? 5 : 4;
inline constexpr std::size_t kTallTileRows = simd::kFusedMadd ? 6 : kTileRows;

/// Takes tiles of kTallTileRows rows from now on. Results do not depend on it; what was packed by packLeft()
/// before does.
void useTallTiles();

/// Packs A (m,k), rows `stride` apart, into m·k floats: tile after tile, each k times one value of every row.
void packLeft(std::size_t m, std::size_t k, const float* a, std::size_t stride, float* packed);

/// Tiles of an A of m rows, and packLeft() for `count` of them from `first` on.
std::size_t leftTiles(std::size_t m);
void packLeftTiles(std::size_t m, std::size_t k, const float* a, std::size_t stride, float* packed,
                   std::size_t first, std::size_t count);

/// packLeft() of the transpose: `a` is (k,m) with rows `stride` apart.
void packLeftTransposed(std::size_t m, std::size_t k, const float* a, std::size_t stride, float* packed);

/// B packed for gemm(): ⌈n / 8⌉ panels of (1 + k) rows of 8 floats. A panel's first row is the bias, then
/// come the k rows of B; columns beyond n are zero.
constexpr std::size_t packedSize(std::size_t k, std::size_t n) {
  return (n + kPanelColumns - 1) / kPanelColumns * (1 + k) * kPanelColumns;
}

/// Packs B given by columns into packedSize(k, n) floats: `b` is (n,k) with rows `stride` apart, as PyTorch
/// stores a weight (out,in) and as keys lie in memory. `bias` (n,) may be null.
void packTransposed(std::size_t k, std::size_t n, const float* b, std::size_t stride, const float* bias,
                    float* packed);

/// Packs B given by rows into packedSize(k, n) floats: `b` is (k,n) with rows `stride` apart, as values lie
/// in memory. No bias.
void packRows(std::size_t k, std::size_t n, const float* b, std::size_t stride, float* packed);

/// Where B[row][column] stands in a packed B of k rows; row −1 is the bias.
constexpr std::size_t packedIndex(std::size_t k, std::ptrdiff_t row, std::size_t column) {
  return (column / kPanelColumns * (1 + k) + static_cast<std::size_t>(row + 1)) * kPanelColumns +
         column % kPanelColumns;
}

/// Rows of a packed B that gemm() multiplies: `count` ≥ 1 of them from `first` on, out of `all`.
struct PackedRows {
  const float* packed;
  std::size_t all;
  std::size_t first;
  std::size_t count;
};

/// C (m,n), rows `cStride` apart = A (m,b.count), packed, times those rows of B, plus its bias. C overlaps
/// neither.
void gemm(std::size_t m, std::size_t n, const float* a, const PackedRows& b, float* c, std::size_t cStride);

}  // namespace mha
