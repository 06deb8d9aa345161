/// Sums over many rows.
///
/// In double precision: a float32 sum over 60,000 rows loses its last six bits to rounding.
#pragma once

#include <cstddef>

namespace mha {

/// sums[j] += Σ x[i][j] over the `rows` rows of x (rows,width), which are `stride` apart.
void addRows(std::size_t rows, std::size_t width, const float* x, std::size_t stride, float* sums);

/// sums[j] += Σ x[i][j]·y[i][j] over the rows of x and y (rows,width), contiguous.
void addRowProducts(std::size_t rows, std::size_t width, const float* x, const float* y, float* sums);

}  // namespace mha
