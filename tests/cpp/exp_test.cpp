#include "exp.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace exp_test {

float vectorExp(float x) {
  const mha::simd::ExpOfNonPositive exp;
  return mha::simd::lane(exp(mha::simd::splat(x)), 2);
}

/// The error in units in the last place of the exact value rounded to float32.
double ulps(float got, double exact) {
  const int exponent = std::max(std::ilogb(exact), -126);
  return std::abs(static_cast<double>(got) - exact) / std::ldexp(1.0, exponent - 23);
}

/// Smaller results may be 0.
constexpr double kSmallestKept = 1.3e-38;

// Every 251st float32 from −0 to −∞, and the NaNs of that sign: 8.5 million values.
TEST(Exp, IsWithinTwoUlpOverTheWholeRange) {
  double worst = 0.0;
  float worstAt = 0.0F;
  std::uint64_t checked = 0;
  for (std::uint64_t bits = 0x80000000U; bits <= 0xFFFFFFFFU; bits += 251) {
    const auto x = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    const double exact = std::exp(static_cast<double>(x));
    const float got = vectorExp(x);
    if (std::isnan(x)) {
      ASSERT_TRUE(std::isnan(got));
    } else if (exact < kSmallestKept) {
      ASSERT_GE(got, 0.0F) << x;
      ASSERT_LE(got, 1.001 * kSmallestKept) << x;
    } else if (const double error = ulps(got, exact); error > worst) {
      worst = error;
      worstAt = x;
    }
    ++checked;
  }
  EXPECT_LE(worst, 2.0) << "at " << worstAt;
  EXPECT_GT(checked, 8'500'000U);
  RecordProperty("worst_ulp_in_thousandths", static_cast<int>(worst * 1000));
}

TEST(Exp, IsExactAtZeroAndAtMinusInfinity) {
  EXPECT_EQ(vectorExp(0.0F), 1.0F);
  EXPECT_EQ(vectorExp(-0.0F), 1.0F);
  EXPECT_EQ(vectorExp(-90.0F), 0.0F);
  EXPECT_EQ(vectorExp(-std::numeric_limits<float>::max()), 0.0F);
  EXPECT_EQ(vectorExp(-std::numeric_limits<float>::infinity()), 0.0F);
}

TEST(Exp, KeepsEveryNaN) {
  for (const std::uint32_t bits :
       {0x7FC00000U, 0xFFC00000U, 0x7F800001U, 0x7FFFFFFFU, 0xFFFFFFFFU, 0x7FC001FFU}) {
    EXPECT_TRUE(std::isnan(vectorExp(std::bit_cast<float>(bits)))) << bits;
  }
}

TEST(Exp, TreatsLanesSeparately) {
  const std::array x = {-1.0F, 0.0F, -0.5F, -200.0F};
  std::array<float, 4> y{};
  mha::simd::store(y.data(), mha::simd::ExpOfNonPositive()(mha::simd::load(x.data())));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(y[i], vectorExp(x[i])) << i;
}

}  // namespace exp_test
