/// The backward pass of a linear layer.
#pragma once

#include <cstddef>

#include "linear.hpp"
#include "matrix_product.hpp"
#include "scratch.hpp"

namespace mha {

/// Where the gradients of y = x·Wᵀ + b are written.
struct LinearGradients {
  float* x;       // (rows,in)
  float* weight;  // (out,in)
  float* bias;    // (out,); may be null
};

/// The backward pass of y = x·Wᵀ + b, with its scratch buffers.
class LinearGradient {
 public:
  /// Computes ∂x = ∂y·W, ∂W = ∂yᵀ·x and ∂b = Σ ∂y from x (rows,in) and ∂y (rows,out); overwrites all three.
  /// Rows of x whose ∂y is zero are read as zeros, so that masked inputs reach no gradient even if they are
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

}  // namespace mha
