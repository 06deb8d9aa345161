#include "matrix_product.hpp"

#include "gemm.hpp"
#include "tensor.hpp"

namespace mha {

void MatrixProduct::operator()(std::size_t m, std::size_t k, std::size_t n, const Factor& a, const Factor& b,
                               float* c, std::size_t cStride) {
  float* left = left_.take(sizeOf({m, k}));
  float* right = right_.take(packedSize(k, n));
  if (a.transposed) {
    packLeftTransposed(m, k, a.data, a.stride, left);
  } else {
    packLeft(m, k, a.data, a.stride, left);
  }
  if (b.transposed) {
    packTransposed(k, n, b.data, b.stride, nullptr, right);
  } else {
    packRows(k, n, b.data, b.stride, right);
  }
  gemm(m, n, left, {right, k, 0, k}, c, cStride);
}

}  // namespace mha
