/// Products of matrices as they lie in memory.
#pragma once

#include <cstddef>

#include "scratch.hpp"

namespace mha {

/// A factor of a product: rows `stride` apart; with `transposed` they are the columns of the factor.
struct Factor {
  const float* data = nullptr;
  std::size_t stride = 0;
  bool transposed = false;
};

/// gemm() with its packing, in memory that is kept between calls, for any k.
class MatrixProduct {
 public:
  /// c (m,n), rows `cStride` apart = a (m,k) · b (k,n). c overlaps neither.
  /// @throws std::bad_alloc, std::length_error
  void operator()(std::size_t m, std::size_t k, std::size_t n, const Factor& a, const Factor& b, float* c,
                  std::size_t cStride);

 private:
  Scratch left_;
  Scratch right_;
  Scratch part_;
};

}  // namespace mha
