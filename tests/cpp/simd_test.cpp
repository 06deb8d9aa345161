#include "simd.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace simd_test {

using namespace mha::simd;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::vector<float> lanes(F32x4 a) {
  std::vector<float> values(kLanes);
  store(values.data(), a);
  return values;
}

F32x4 vector(float a, float b, float c, float d) {
  const std::array values = {a, b, c, d};
  return load(values.data());
}

using Floats = std::vector<float>;

TEST(Simd, ComputesLaneByLane) {
  const F32x4 a = vector(1, -2, 3, 0.5F);
  const F32x4 b = vector(4, 5, -6, 8);
  EXPECT_EQ(lanes(add(a, b)), (Floats{5, 3, -3, 8.5F}));
  EXPECT_EQ(lanes(sub(a, b)), (Floats{-3, -7, 9, -7.5F}));
  EXPECT_EQ(lanes(mul(a, b)), (Floats{4, -10, -18, 4}));
  EXPECT_EQ(lanes(madd(a, b, splat(1))), (Floats{5, -9, -17, 5}));
  EXPECT_EQ(lanes(max(a, b)), (Floats{4, 5, 3, 8}));
  EXPECT_EQ(lanes(div(a, b)), (Floats{0.25F, -0.4F, -0.5F, 0.0625F}));
  EXPECT_EQ(lanes(sqrt(vector(4, 9, 0, 0.25F))), (Floats{2, 3, 0, 0.5F}));
  EXPECT_EQ(lanes(ifNegative(vector(-1, 1, -0.0F, kNan), a, b)), (Floats{1, 5, -6, 8}));
}

TEST(Simd, KeepsNaNOfTheFirstArgumentInMax) {
  EXPECT_TRUE(std::isnan(lane(max(splat(kNan), splat(1)), 0)));
  EXPECT_EQ(lane(max(splat(1), splat(kNan)), 0), 1.0F);
}

TEST(Simd, RoundsHalvesToEven) {
  const F32x4 rounder = splat(kRounder);
  EXPECT_EQ(lanes(sub(add(vector(0.5F, 1.5F, -2.5F, 2.49F), rounder), rounder)), (Floats{0, 2, -2, 2}));
}

TEST(Simd, GivesPowersOfTwo) {
  for (int n = -126; n <= 127; ++n) {
    EXPECT_EQ(lane(pow2OfRounded(splat(kRounder + static_cast<float>(n))), 1), std::ldexp(1.0F, n)) << n;
  }
  for (const float n : {-127.0F, -128.0F, -150.0F}) {
    EXPECT_EQ(lane(pow2OfRounded(splat(kRounder + n)), 2), 0.0F) << n;
  }
}

TEST(Simd, Transposes) {
  F32x4 a = vector(0, 1, 2, 3);
  F32x4 b = vector(4, 5, 6, 7);
  F32x4 c = vector(8, 9, 10, 11);
  F32x4 d = vector(12, 13, 14, 15);
  transpose(a, b, c, d);
  EXPECT_EQ(lanes(a), (Floats{0, 4, 8, 12}));
  EXPECT_EQ(lanes(b), (Floats{1, 5, 9, 13}));
  EXPECT_EQ(lanes(c), (Floats{2, 6, 10, 14}));
  EXPECT_EQ(lanes(d), (Floats{3, 7, 11, 15}));
}

TEST(Simd, LoadsAndStoresParts) {
  const Floats source = {1, 2, 3, 4};
  for (std::size_t count = 0; count <= kLanes; ++count) {
    Floats target(6, 9.0F);
    storePart(target.data(), loadPart(source.data(), count, -1.0F), count);
    for (std::size_t i = 0; i < target.size(); ++i) EXPECT_EQ(target[i], i < count ? source[i] : 9.0F);
    for (std::size_t i = count; i < kLanes; ++i) {
      EXPECT_EQ(lane(loadPart(source.data(), count, -1.0F), i), -1.0F);
    }
  }
}

TEST(Simd, Reduces) {
  EXPECT_EQ(sum(vector(1, 2, 4, 8)), 15.0F);
  for (std::size_t i = 0; i < kLanes; ++i) {
    Floats values(kLanes, -kInfinity);
    values[i] = 3.0F;
    EXPECT_EQ(largest(load(values.data())), 3.0F) << i;
  }
}

}  // namespace simd_test
