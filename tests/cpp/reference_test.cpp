#include "reference.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace reference_test {

using mha::test::Reference;
using mha::test::relativeError;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(RelativeError, IsTheLargestDifferenceOverTheLargestValue) {
  EXPECT_EQ(relativeError(Reference{1, 2, 3.5}, Reference{1, 2, 4}), 0.125);
  EXPECT_EQ(relativeError(Reference{0, 0.5}, Reference{0, 0}), 0.5);
}

TEST(RelativeError, IsInfiniteForNaNAndOtherShapes) {
  for (const Reference& bad : {Reference{kNan, 2, 3}, Reference{1, kNan, 3}, Reference{1, 2, kNan}}) {
    EXPECT_TRUE(std::isinf(relativeError(bad, Reference{1, 2, 3})));
    EXPECT_TRUE(std::isinf(relativeError(Reference{1, 2, 3}, bad)));
  }
  EXPECT_TRUE(std::isinf(relativeError(Reference{{1, 2, 3}, {1, 2, 3}}, Reference{1, 2, 3})));
  EXPECT_TRUE(std::isinf(relativeError(Reference{1}, Reference{1, 1, 1})));
}

// The reference itself, against numbers computed by hand.
TEST(Reference, EqualsAttentionComputedByHand) {
  const Reference query = {{1.0, 0.0}};
  const Reference key = {{std::log(3.0), 5.0}, {0.0, 7.0}};
  const Reference value = {{1.0, 2.0, 3.0}, {5.0, 6.0, 7.0}};
  const auto got = mha::test::attention(query, key, value, 1.0, xt::zeros<double>({1, 2}));
  EXPECT_LE(relativeError(got.weights, Reference{{0.75, 0.25}}), 1e-15);
  EXPECT_LE(relativeError(got.output, Reference{{2.0, 3.0, 4.0}}), 1e-15);
}

}  // namespace reference_test
