/// Products of weights in 8 bits and inputs in 16 bits, in whole numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gemm.hpp"

namespace mha::models {

/// x (rows,k) in whole numbers of 16 bits times a factor per row, its largest |x| / 32767: rounding changes a
/// number by at most half that factor.
class QuantizedRows {
 public:
  /// Takes x (rows,k), contiguous, on all threads. @throws std::bad_alloc
  void quantize(std::size_t rows, std::size_t k, const float* x);

 private:
  friend class QuantizedMatrix;

  std::size_t rows_ = 0;
  std::vector<std::int32_t>
      pairs_;                   // tile after tile of kTile rows, each pair after pair of numbers of a row
  std::vector<float> factors_;  // (rows,); not finite where x is not
};

/// B (k,n) in whole numbers of 8 bits times a factor per column, its largest |value| / 127 if none is given.
class QuantizedMatrix {
 public:
  /// Takes a packed B; its bias is left out. With `factors` (n,), B has whole numbers from −128 to 127, which
  /// they multiply. @throws std::bad_alloc
  QuantizedMatrix(std::size_t k, std::size_t n, const float* packed, const float* factors);

  /// Writes min(32, n − column) columns of y (rows,n) = x·B + bias, from `column` on, a multiple of 32. The
  /// sums of up to 512 products are exact; each of these is rounded to float32 once, and multiplied by both
  /// factors.
  void multiply(const QuantizedRows& x, std::size_t column, const float* bias, float* y) const;

  /// B[row][column].
  [[nodiscard]] float at(std::size_t row, std::size_t column) const;

 private:
  /// Where B[row][column] lies: groups of 32 columns, in which pairs of rows follow each other, column by
  /// column.
  [[nodiscard]] std::size_t indexOf(std::size_t row, std::size_t column) const;

  std::size_t k_;
  std::size_t n_;
  std::vector<std::int8_t> values_;
  std::vector<float> factors_;  // by column
};

}  // namespace mha::models
