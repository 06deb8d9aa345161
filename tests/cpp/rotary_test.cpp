#include "rotary.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "golden.hpp"
#include "random_tensor.hpp"

namespace rotary_test {

using mha::Heads;
using mha::Rotary;
using mha::RotaryConvention;
using mha::test::golden;

// x (1,1,6,8) of the file at positions 0 … 5
std::vector<float> rotated(RotaryConvention convention) {
  const auto rows = golden("torch/rope_tables.json")["x"][0][0].get<std::vector<std::vector<float>>>();
  std::vector<float> x;
  for (const auto& row : rows) x.insert(x.end(), row.begin(), row.end());
  Rotary({.dim = 8, .base = 10000.0, .convention = convention})
      .apply(Heads<float>{x.data(), 48, 48, 8}, 0, 1, 6, 0);
  return x;
}

TEST(Rotary, EqualsTorchInBothConventions) {
  for (const auto& [name, convention] :
       {std::pair("half", RotaryConvention::half), std::pair("interleaved", RotaryConvention::interleaved)}) {
    const auto rows = golden("torch/rope_tables.json")[name][0][0].get<std::vector<std::vector<double>>>();
    const std::vector<float> got = rotated(convention);
    for (std::size_t i = 0; i < 6; ++i) {
      for (std::size_t p = 0; p < 8; ++p) EXPECT_NEAR(got[i * 8 + p], rows[i][p], 1e-6) << name << i << p;
    }
  }
}

TEST(Rotary, StartsAtAnyPositionAndKeepsTheOtherComponents) {
  // Rows of two heads of 6 components, of which 4 are rotated.
  const mha::Tensor x = mha::test::randomTensor({5, 12}, 1);
  mha::Tensor whole = x;
  mha::Tensor tail = x;
  Rotary rotary({.dim = 4, .base = 100.0, .convention = RotaryConvention::half});
  rotary.apply(Heads<float>{tail.data(), 60, 6, 12}.from(3), 0, 2, 2, 3);
  rotary.apply(Heads<float>{whole.data(), 60, 6, 12}, 0, 2, 5, 0);
  for (std::size_t c = 0; c < 12; ++c) {
    for (const std::size_t i : {0, 1, 2}) EXPECT_EQ(tail(i, c), x(i, c));
    for (const std::size_t i : {3, 4}) EXPECT_EQ(tail(i, c), whole(i, c));
    EXPECT_EQ(whole(0, c), x(0, c));
    if (c % 6 >= 4) {
      for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(whole(i, c), x(i, c));
    }
  }
  EXPECT_NE(whole(4, 0), x(4, 0));
  EXPECT_NE(whole(4, 6), x(4, 6));
}

TEST(Rotary, UsesTheAngleOfAnyPosition) {
  Rotary rotary({.dim = 4, .base = 100.0, .convention = RotaryConvention::interleaved});
  for (const std::size_t position : {1, 2, 3, 7, 100, 4095, 65537}) {
    std::vector<float> x{1.0F, 0.0F, 1.0F, 0.0F};
    rotary.apply(Heads<float>{x.data(), 4, 4, 4}, 0, 1, 1, position);
    for (std::size_t pair = 0; pair < 2; ++pair) {
      const double angle = static_cast<double>(position) * (pair == 0 ? 1.0 : 0.1);
      EXPECT_NEAR(x[2 * pair], std::cos(angle), 6e-8) << position;
      EXPECT_NEAR(x[2 * pair + 1], std::sin(angle), 6e-8) << position;
    }
  }
}

TEST(Rotary, ApplyInverseRestoresTheInput) {
  const mha::Tensor x = mha::test::randomTensor({5, 8}, 2);
  mha::Tensor rotated = x;
  Rotary rotary({.dim = 8, .base = 10000.0, .convention = RotaryConvention::half});
  rotary.apply(Heads<float>{rotated.data(), 40, 8, 8}, 0, 1, 5, 9);
  EXPECT_GT(std::abs(rotated(0, 0) - x(0, 0)), 0.1F);
  rotary.applyInverse(Heads<float>{rotated.data(), 40, 8, 8}, 1, 1, 5, 9, {});
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(rotated.data()[i], x.data()[i], 1e-6);
}

TEST(Rotary, RoundsTheAnglesOfModelsToFloat32) {
  constexpr std::size_t kPosition = 2997;
  constexpr float kAngle = 0.9F;
  std::array<float, 2> x{1.0F, 0.0F};
  Rotary rotary({kAngle}, RotaryConvention::half);
  rotary.apply(Heads<float>{x.data(), 2, 2, 2}, 0, 1, 1, kPosition);
  const float rounded = static_cast<float>(kPosition) * kAngle;
  // The multiple itself is 1.2e-04 radians away.
  EXPECT_NEAR(x[0], std::cos(static_cast<double>(rounded)), 1e-7);
  EXPECT_NEAR(x[1], std::sin(static_cast<double>(rounded)), 1e-7);
}

}  // namespace rotary_test
