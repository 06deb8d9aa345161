#include "matrix_product.hpp"

#include <algorithm>

#include "elementwise.hpp"
#include "gemm.hpp"
#include "sizes.hpp"

namespace mha {
namespace {

/// Every partial sum has up to this many terms: rounding errors grow with the length of a float32 sum.
constexpr std::size_t kBlockTerms = 512;

}  // namespace

void MatrixProduct::operator()(std::size_t m, std::size_t k, std::size_t n, const Factor& a, const Factor& b,
                               float* c, std::size_t cStride) {
  const std::size_t most = std::min(k, kBlockTerms);
  float* left = left_.ensure(sizeOf({m, most}));
  float* right = right_.ensure(packedSize(most, n));
  float* part = k > most ? part_.ensure(sizeOf({m, n})) : nullptr;
  for (std::size_t first = 0; first < k; first += most) {
    const std::size_t count = std::min(most, k - first);
    if (a.transposed) {
      packLeftTransposed(m, count, a.data + first * a.stride, a.stride, left);
    } else {
      packLeft(m, count, a.data + first, a.stride, left);
    }
    if (b.transposed) {
      packTransposed(count, n, b.data + first, b.stride, nullptr, right);
    } else {
      packRows(count, n, b.data + first * b.stride, b.stride, right);
    }
    if (first == 0) {
      gemm(m, n, left, {right, count, 0, count}, c, cStride);
      continue;
    }
    gemm(m, n, left, {right, count, 0, count}, part, n);
    for (std::size_t i = 0; i < m; ++i) addTo(c + i * cStride, part + i * n, n);
  }
}

}  // namespace mha
