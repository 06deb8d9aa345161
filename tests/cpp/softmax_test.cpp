#include "softmax.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "random_tensor.hpp"

namespace softmax_test {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::vector<double> exactSoftmax(const std::vector<float>& row) {
  const double max = *std::ranges::max_element(row);
  std::vector<double> result(row.begin(), row.end());
  for (double& x : result) x = std::exp(x - max);
  const double total = std::accumulate(result.begin(), result.end(), 0.0);
  for (double& x : result) x /= total;
  return result;
}

std::vector<float> softmaxOf(std::vector<float> row) {
  mha::softmaxRow(row.data(), row.size());
  return row;
}

TEST(Softmax, EqualsDoublePrecisionAtEveryLength) {
  for (std::size_t n = 1; n <= 67; ++n) {
    for (const float spread : {0.1F, 1.0F, 30.0F}) {
      const mha::Tensor draws = mha::test::randomTensor({n}, n);
      std::vector<float> row(draws.begin(), draws.end());
      for (float& x : row) x *= spread;
      const std::vector<double> exact = exactSoftmax(row);
      const std::vector<float> got = softmaxOf(row);
      for (std::size_t j = 0; j < n; ++j) {
        // The rounding error of row − max grows with its size. Results below the normal floats may be zero.
        const double tolerance =
            exact[j] < 1.3e-38 ? exact[j] + 2e-45 : (1e-6 + 1.2e-7 * std::abs(std::log(exact[j]))) * exact[j];
        ASSERT_NEAR(got[j], exact[j], tolerance) << "n=" << n << " j=" << j << " spread=" << spread;
      }
    }
  }
}

TEST(Softmax, WritesNothingBehindTheRow) {
  for (std::size_t n = 1; n <= 9; ++n) {
    std::vector<float> row(n + 4, 7.0F);
    mha::softmaxRow(row.data(), n);
    for (std::size_t j = n; j < row.size(); ++j) EXPECT_EQ(row[j], 7.0F);
  }
}

TEST(Softmax, DoesNotOverflow) {
  const std::vector<float> got = softmaxOf({1000.0F, 1000.0F, -1000.0F, 3e38F, 3e38F});
  EXPECT_EQ(got, (std::vector<float>{0.0F, 0.0F, 0.0F, 0.5F, 0.5F}));
}

TEST(Softmax, GivesZerosForAFullyMaskedRow) {
  for (std::size_t n = 1; n <= 9; ++n) {
    EXPECT_EQ(softmaxOf(std::vector<float>(n, -kInfinity)), std::vector<float>(n, 0.0F));
  }
}

TEST(Softmax, GivesExactZerosForMaskedKeys) {
  const std::vector<float> got = softmaxOf({0.0F, -kInfinity, 0.0F, -kInfinity, -kInfinity});
  EXPECT_EQ(got, (std::vector<float>{0.5F, 0.0F, 0.5F, 0.0F, 0.0F}));
}

TEST(Softmax, PropagatesNaNToItsRow) {
  for (const float other : {0.0F, -kInfinity}) {
    for (std::size_t position = 0; position < 6; ++position) {
      std::vector<float> row(6, other);
      row[position] = kNan;
      for (const float x : softmaxOf(row)) EXPECT_TRUE(std::isnan(x)) << position;
    }
  }
}

}  // namespace softmax_test
