#include "matrix_product.hpp"

#include <gtest/gtest.h>

#include <xtensor/xview.hpp>

#include "random_tensor.hpp"
#include "reference.hpp"

namespace matrix_product_test {

using mha::Factor;
using mha::Tensor;
using mha::test::randomTensor;
using mha::test::Reference;
using mha::test::relativeError;
using mha::test::timesTransposed;

/// a (m,k) · bᵀ (n,k); all strides are one larger than the width.
Tensor product(const Tensor& a, const Tensor& b, bool aTransposed, bool bTransposed) {
  const std::size_t m = a.shape(0);
  const std::size_t n = b.shape(0);
  const auto stored = [](const Tensor& x, bool asColumns) {
    const Tensor rows = asColumns ? Tensor(xt::transpose(x)) : x;
    Tensor wide = xt::ones<float>({rows.shape(0), rows.shape(1) + 1});
    xt::view(wide, xt::all(), xt::range(0, rows.shape(1))) = rows;
    return wide;
  };
  const Tensor left = stored(a, aTransposed);
  const Tensor right = stored(b, !bTransposed);
  Tensor wide = xt::zeros<float>({m, n + 1});
  mha::MatrixProduct multiply;
  multiply(m, a.shape(1), n, {left.data(), left.shape(1), aTransposed},
           {right.data(), right.shape(1), bTransposed}, wide.data(), n + 1);
  for (std::size_t i = 0; i < m; ++i) EXPECT_EQ(wide(i, n), 0.0F) << "wrote beside C";
  return xt::view(wide, xt::all(), xt::range(0, n));
}

Reference expected(const Tensor& a, const Tensor& b) {
  return timesTransposed(Reference(xt::cast<double>(a)), Reference(xt::cast<double>(b)));
}

// Partial sums have 512 terms.
TEST(MatrixProduct, EqualsTheNaiveProductForAnyNumberOfTerms) {
  for (const std::size_t k : {1, 5, 511, 512, 513, 1024, 1025, 1541}) {
    const Tensor a = randomTensor({7, k}, 1);
    const Tensor b = randomTensor({9, k}, 2);
    for (const bool aTransposed : {false, true}) {
      for (const bool bTransposed : {false, true}) {
        EXPECT_LE(relativeError(product(a, b, aTransposed, bTransposed), expected(a, b)), 1e-6) << k;
      }
    }
  }
}

// A plain float32 sum of these terms has an error of 1e-5.
TEST(MatrixProduct, IsExactOverManyTerms) {
  const Tensor a = randomTensor({3, 60'000}, 3) + 1.0F;
  const Tensor b = randomTensor({4, 60'000}, 4) + 1.0F;
  EXPECT_LE(relativeError(product(a, b, true, false), expected(a, b)), 5e-7);
}

// Products of various sizes with the same buffers, smaller ones after larger ones.
TEST(MatrixProduct, DoesNotDependOnThePreviousProduct) {
  mha::MatrixProduct multiply;
  for (const std::size_t k : {1541, 3, 600}) {
    const Tensor a = randomTensor({6, k}, 5);
    const Tensor b = randomTensor({10, k}, 6);
    Tensor c = mha::allocate({6, 10});
    multiply(6, k, 10, {a.data(), k}, {b.data(), k, true}, c.data(), 10);
    EXPECT_LE(relativeError(c, expected(a, b)), 1e-6) << k;
  }
}

}  // namespace matrix_product_test
