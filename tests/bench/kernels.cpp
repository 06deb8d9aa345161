/// The kernels alone, for tests/bench/kernels.js: a module without imports whose functions take addresses in
/// its memory. Not part of the package.
#include <emscripten/em_macros.h>

#include <cstddef>
#include <cstdlib>

#include "gemm.hpp"
#include "softmax.hpp"

extern "C" {

EMSCRIPTEN_KEEPALIVE float* allocateFloats(std::size_t count) {
  return static_cast<float*>(std::malloc(count * sizeof(float)));
}

EMSCRIPTEN_KEEPALIVE std::size_t packedSize(std::size_t n, std::size_t k) { return mha::packedSize(k, n); }

/// Packs B (n,k), laid out like a weight or keys, and a bias (n,), which may be null, for multiply().
EMSCRIPTEN_KEEPALIVE void packTransposed(std::size_t n, std::size_t k, const float* b, const float* bias,
                                         float* packed) {
  mha::packTransposed(k, n, b, k, bias, packed);
}

/// Packs B (k,n), laid out like values, for multiply().
EMSCRIPTEN_KEEPALIVE void packRows(std::size_t n, std::size_t k, const float* b, float* packed) {
  mha::packRows(k, n, b, n, packed);
}

/// C (m,n) = A (m,k) · Bᵀ + bias, like a layer: packs A to `packedA` (m,k) first.
EMSCRIPTEN_KEEPALIVE void multiply(std::size_t m, std::size_t n, std::size_t k, const float* a,
                                   float* packedA, const float* packedB, float* c) {
  mha::packLeft(m, k, a, k, packedA);
  mha::gemm(m, n, packedA, {packedB, k, 0, k}, c, n);
}

EMSCRIPTEN_KEEPALIVE void useTallTiles() { mha::useTallTiles(); }

EMSCRIPTEN_KEEPALIVE void softmax(std::size_t rows, std::size_t n, float* x) {
  for (std::size_t i = 0; i < rows; ++i) mha::softmaxRow(x + i * n, n);
}

}  // extern "C"
