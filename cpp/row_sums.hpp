/// Sums over many rows.
///
/// In double precision: in float32 every addition rounds the sum so far, and over 60,000 rows that costs the
/// last six bits.
#pragma once

#include <cstddef>

namespace mha {

/// sums[j] += Σ x[i][j] over the `rows` rows of x (rows,width), which are `stride` apart.
void addRows(std::size_t rows, std::size_t width, const float* x, std::size_t stride, float* sums);

/// sums[j] += Σ x[i][j]·y[i][j] over the rows of x and y (rows,width), contiguous.
void addRowProducts(std::size_t rows, std::size_t width, const float* x, const float* y, float* sums);

}  // namespace mha
