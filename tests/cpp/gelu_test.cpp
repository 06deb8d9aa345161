#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "transformer/activation.hpp"

namespace training_gelu_test {

double exactGelu(double x) { return 0.5 * x * std::erfc(-x / std::numbers::sqrt2); }

double exactSlope(double x) {
  const double density = std::exp(-0.5 * x * x) / std::sqrt(2.0 * std::numbers::pi);
  return 0.5 * std::erfc(-x / std::numbers::sqrt2) + x * density;
}

/// Numbers from −12 to 12, with zero.
std::vector<float> inputs() {
  std::vector<float> x;
  for (int i = -3000; i <= 3000; ++i) x.push_back(static_cast<float>(i) / 250.0F);
  return x;
}

struct Result {
  std::vector<float> y;
  std::vector<float> slope;
};

Result run(const std::vector<float>& x) {
  Result result{std::vector<float>(x.size()), std::vector<float>(x.size())};
  mha::gelu(x.size(), x.data(), result.y.data(), result.slope.data());
  return result;
}

TEST(Gelu, ValueAndSlopeAreWithinTheirErrorBounds) {
  const std::vector<float> x = inputs();
  const auto [y, slope] = run(x);
  double worst = 0.0;
  double worstSlope = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double at = x[i];
    worst = std::max(worst, std::abs(y[i] - exactGelu(at)) / std::max(std::abs(at), 2.0));
    worstSlope = std::max(worstSlope, std::abs(slope[i] - exactSlope(at)));
  }
  EXPECT_LE(worst, 1e-7);
  EXPECT_LE(worstSlope, 4e-7);
}

TEST(Gelu, SlopeEqualsFiniteDifferences) {
  for (double x = -4.0; x < 4.0; x += 0.37) {
    const double step = 1e-5;
    const double difference = (exactGelu(x + step) - exactGelu(x - step)) / (2.0 * step);
    const auto [y, slope] = run({static_cast<float>(x)});
    EXPECT_NEAR(slope[0], difference, 1e-6) << x;
  }
}

TEST(Gelu, IsExactForZeroLargeNumbersAndNaN) {
  const float infinity = std::numeric_limits<float>::infinity();
  const auto [y, slope] = run({0.0F, 1e30F, -1e3F, std::nanf(""), infinity});
  EXPECT_EQ(y[0], 0.0F);
  EXPECT_NEAR(slope[0], 0.5F, 1e-7);
  EXPECT_EQ(y[1], 1e30F);
  EXPECT_EQ(slope[1], 1.0F);
  EXPECT_EQ(y[2], 0.0F);
  EXPECT_EQ(slope[2], 0.0F);
  EXPECT_TRUE(std::isnan(y[3]));
}

TEST(Gelu, MayOverwriteItsInputAndNothingBeside) {
  const std::vector<float> x = {-1.0F, 0.5F, 2.0F, -0.25F, 3.0F, 0.1F, -7.0F};
  const auto [y, slope] = run(x);
  std::vector<float> inPlace = x;
  inPlace.push_back(9.0F);
  std::vector<float> other(x.size() + 1, 9.0F);
  mha::gelu(x.size(), inPlace.data(), other.data(), inPlace.data());
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(inPlace[i], slope[i]) << i;
    EXPECT_EQ(other[i], y[i]) << i;
  }
  EXPECT_EQ(inPlace.back(), 9.0F);
  EXPECT_EQ(other.back(), 9.0F);
}

TEST(GeluBackward, MultipliesByTheSlope) {
  const std::vector<float> slope = {2.0F, 0.5F, -1.0F, 0.0F, 3.0F};
  std::vector<float> grad = {1.0F, 4.0F, 5.0F, 6.0F, -2.0F};
  mha::geluBackward(slope.size(), slope.data(), grad.data());
  EXPECT_EQ(grad, (std::vector<float>{2.0F, 2.0F, -5.0F, 0.0F, -6.0F}));
}

}  // namespace training_gelu_test
