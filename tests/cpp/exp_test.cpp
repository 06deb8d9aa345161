#include "exp.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace {

float vectorExp(float x) { return mha::simd::lane(mha::simd::exp(mha::simd::splat(x)), 2); }

/// Distance to the exact value in units of the last place of the exact value rounded to float32.
double ulps(float got, double exact) {
  const int exponent = std::max(std::ilogb(exact), -126);
  return std::abs(static_cast<double>(got) - exact) / std::ldexp(1.0, exponent - 23);
}

// Every 251st float32: 17 million values of both signs, subnormals and infinities among them.
TEST(Exp, IsWithinTwoUlpOverTheWholeRange) {
  double worst = 0.0;
  float worstAt = 0.0F;
  std::uint64_t checked = 0;
  for (std::uint64_t bits = 0; bits <= 0xFFFFFFFFU; bits += 251) {
    const auto x = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    const double exact = std::exp(static_cast<double>(x));
    const float got = vectorExp(x);
    if (std::isnan(x)) {
      ASSERT_TRUE(std::isnan(got));
    } else if (exact > std::numeric_limits<float>::max()) {
      // Above the midpoint to 2¹²⁸ the rounded result is infinite; between, both neighbours are fair.
      ASSERT_GE(got, std::numeric_limits<float>::max()) << x;
    } else if (const double error = exact == 0.0 ? std::abs(got) : ulps(got, exact); error > worst) {
      worst = error;
      worstAt = x;
    }
    ++checked;
  }
  EXPECT_LE(worst, 2.0) << "at " << worstAt;
  EXPECT_GT(checked, 17'000'000U);
  RecordProperty("worst_ulp_in_thousandths", static_cast<int>(worst * 1000));
}

TEST(Exp, IsExactAtZeroAndAtTheEnds) {
  EXPECT_EQ(vectorExp(0.0F), 1.0F);
  EXPECT_EQ(vectorExp(-0.0F), 1.0F);
  EXPECT_EQ(vectorExp(-std::numeric_limits<float>::infinity()), 0.0F);
  EXPECT_EQ(vectorExp(std::numeric_limits<float>::infinity()), std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(vectorExp(std::numeric_limits<float>::quiet_NaN())));
}

TEST(Exp, TreatsLanesSeparately) {
  const std::array x = {-1.0F, 0.0F, 1.0F, -200.0F};
  std::array<float, 4> y{};
  mha::simd::store(y.data(), mha::simd::exp(mha::simd::load(x.data())));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(y[i], vectorExp(x[i])) << i;
}

}  // namespace
