/// Elementwise operations on arrays.
#pragma once

#include <cstddef>

namespace mha {

/// Multiplies x (n,) by `factor`.
void scaleBy(float* x, std::size_t n, float factor);

/// Adds y (n,) to x (n,).
void addTo(float* x, const float* y, std::size_t n);

}  // namespace mha
