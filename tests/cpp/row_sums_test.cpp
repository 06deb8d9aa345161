#include "row_sums.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "random_tensor.hpp"
#include "reference.hpp"

namespace row_sums_test {

using mha::Tensor;
using mha::test::randomTensor;
using mha::test::Reference;
using mha::test::relativeError;

/// Half a unit in the last place of the largest sum: the sums must be correctly rounded.
constexpr double kHalfAStep = 6e-8;

Reference asDouble(const Tensor& tensor) { return xt::cast<double>(tensor); }

/// Numbers with a common offset, so that their sums grow with the number of rows.
Tensor withOffset(std::size_t rows, std::size_t width, std::uint64_t seed) {
  return randomTensor({rows, width}, seed) + 3.0F;
}

TEST(RowSums, AreExactOverManyRows) {
  const std::size_t rows = 60'000;
  const Tensor x = withOffset(rows, 5, 1);
  Tensor sums = xt::zeros<float>({5});
  mha::addRows(rows, 5, x.data(), 5, sums.data());
  EXPECT_LE(relativeError(sums, xt::sum(asDouble(x), {0})), kHalfAStep);

  const Tensor y = withOffset(rows, 5, 2);
  Tensor products = xt::zeros<float>({5});
  mha::addRowProducts(rows, 5, x.data(), y.data(), products.data());
  EXPECT_LE(relativeError(products, xt::sum(asDouble(x) * asDouble(y), {0})), kHalfAStep);
}

// Columns are summed in blocks of 64.
TEST(RowSums, AcceptAnyWidthAndStrideAndWriteNothingElse) {
  for (const std::size_t width : {1, 3, 4, 63, 64, 65, 130}) {
    const std::size_t stride = width + 2;
    const Tensor x = randomTensor({7, stride}, width);
    const Tensor start = randomTensor({stride}, 3);
    Tensor sums = start;
    mha::addRows(7, width, x.data(), stride, sums.data());
    Reference expected = asDouble(start);
    for (std::size_t i = 0; i < 7; ++i) {
      for (std::size_t j = 0; j < width; ++j) expected(j) += x(i, j);
    }
    EXPECT_LE(relativeError(sums, expected), kHalfAStep) << width;
    EXPECT_EQ(sums(width), start(width)) << width;
    EXPECT_EQ(sums(width + 1), start(width + 1)) << width;
  }
}

TEST(RowSums, OverflowOnlyWhereTheSumDoes) {
  constexpr float kLargest = std::numeric_limits<float>::max();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const std::vector<float> x = {kLargest, kLargest,  kInfinity, kLargest, kLargest,
                                1.0F,     -kLargest, 1.0F,      1.0F};
  std::vector<float> sums(3, 0.0F);
  mha::addRows(3, 3, x.data(), 3, sums.data());
  EXPECT_EQ(sums, (std::vector<float>{kLargest, kInfinity, kInfinity}));
}

TEST(RowSums, OfZeroRowsChangeNothing) {
  float sum = 2.0F;
  mha::addRows(0, 1, nullptr, 1, &sum);
  mha::addRowProducts(0, 1, nullptr, nullptr, &sum);
  EXPECT_EQ(sum, 2.0F);
}

}  // namespace row_sums_test
