/// Elementwise operations on arrays.
#pragma once

#include <cstddef>

namespace mha {

/// x (n,) *= factor
void scaleBy(float* x, std::size_t n, float factor);

/// x (n,) += y (n,)
void addTo(float* x, const float* y, std::size_t n);

}  // namespace mha
