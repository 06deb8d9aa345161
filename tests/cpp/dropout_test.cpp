#include "dropout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace dropout_test {

std::vector<float> dropped(double probability, std::size_t count, std::uint64_t seed) {
  mha::DefaultRng generator(seed);
  std::vector<float> weights(count, 0.75F);
  mha::Dropout(probability, generator).apply(weights.data(), count);
  return weights;
}

TEST(Dropout, DropsTheGivenFractionAndScalesTheRest) {
  constexpr std::size_t kCount = 100000;
  for (const double probability : {0.1, 0.5, 0.9}) {
    const std::vector<float> weights = dropped(probability, kCount, 3);
    const auto zeros = static_cast<double>(std::ranges::count(weights, 0.0F));
    const double deviation = std::sqrt(kCount * probability * (1.0 - probability));
    EXPECT_NEAR(zeros, kCount * probability, 5.0 * deviation);
    const float kept = 0.75F * static_cast<float>(1.0 / (1.0 - probability));
    EXPECT_TRUE(std::ranges::all_of(weights, [kept](float w) { return w == 0.0F || w == kept; }));
  }
}

TEST(Dropout, WithProbabilityZeroKeepsAllAndWithOneDropsAll) {
  EXPECT_EQ(dropped(0.0, 5, 1), std::vector<float>(5, 0.75F));
  EXPECT_EQ(dropped(1.0, 5, 1), std::vector<float>(5, 0.0F));
}

TEST(Dropout, ContinuesTheGeneratorsSequence) {
  mha::DefaultRng generator(5);
  mha::Dropout dropout(0.5, generator);
  std::vector<float> both(20, 1.0F);
  dropout.apply(both.data(), 10);
  dropout.apply(both.data() + 10, 10);
  mha::DefaultRng again(5);
  std::vector<float> once(20, 1.0F);
  mha::Dropout(0.5, again).apply(once.data(), 20);
  EXPECT_EQ(both, once);
}

}  // namespace dropout_test
