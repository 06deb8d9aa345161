/// The gradient of an affine map.
#pragma once

#include <cstddef>

#include "linear.hpp"
#include "matrix_product.hpp"
#include "scratch.hpp"

namespace mha {

/// Where the gradients of y = x·Wᵀ + b go.
struct LinearGradients {
  float* x;       // (rows,in)
  float* weight;  // (out,in)
  float* bias;    // (out,); may be null
};

/// What goes back through y = x·Wᵀ + b, with the memory that it takes.
class LinearGradient {
 public:
  /// From ∂y (rows,out): ∂x = ∂y·W, ∂W = ∂yᵀ·x, ∂b = Σ ∂y; all are written, none added to. Rows of x
  /// (rows,in) whose ∂y is zero count as zeros, so that what a mask hides reaches no gradient even when it is
  /// NaN.
  /// @throws std::bad_alloc, std::length_error
  /// @see torch.nn.functional.linear
  void operator()(const Linear& linear, std::size_t rows, const float* x, const float* gradY,
                  const LinearGradients& gradients);

 private:
  MatrixProduct product_;
  Scratch weight_;
  Scratch x_;
};

/// Copies `from` (rows,width), contiguous, to `to`, with zeros for the rows that are zero in `other`
/// (rows,otherWidth).
void copyRowsThatCount(std::size_t rows, const float* from, std::size_t width, const float* other,
                       std::size_t otherWidth, float* to);

}  // namespace mha
