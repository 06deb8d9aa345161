/// Products of unpacked matrices.
#pragma once

#include <cstddef>

#include "scratch.hpp"

namespace mha {

/// A matrix whose rows are `stride` floats apart, or its transpose.
struct Factor {
  const float* data = nullptr;
  std::size_t stride = 0;
  bool transposed = false;
};

/// A matrix product for any k: packs both factors into its own scratch buffers and calls gemm().
class MatrixProduct {
 public:
  /// Computes c (m,n), rows `cStride` apart, as a (m,k) · b (k,n). c must not overlap a or b.
  /// @throws std::bad_alloc, std::length_error
  void operator()(std::size_t m, std::size_t k, std::size_t n, const Factor& a, const Factor& b, float* c,
                  std::size_t cStride);

 private:
  Scratch left_;
  Scratch right_;
  Scratch part_;
};

}  // namespace mha
