#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "random_tensor.hpp"
#include "training/cross_entropy.hpp"

namespace training_cross_entropy_test {

using mha::Tensor;
using mha::test::randomTensor;
using mha::training::crossEntropy;
using mha::training::Prediction;

using Targets = std::vector<std::int32_t>;

double exactLoss(std::size_t classes, const std::vector<double>& logits, const Targets& targets) {
  double sum = 0.0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    double total = 0.0;
    for (std::size_t j = 0; j < classes; ++j) total += std::exp(logits[i * classes + j]);
    sum += std::log(total) - logits[i * classes + static_cast<std::size_t>(targets[i])];
  }
  return sum / static_cast<double>(targets.size());
}

class CrossEntropy : public testing::TestWithParam<std::size_t> {};

INSTANTIATE_TEST_SUITE_P(Classes, CrossEntropy, testing::Values(1, 2, 5, 8, 33));

TEST_P(CrossEntropy, LossAndGradientEqualDoublePrecision) {
  const std::size_t classes = GetParam();
  const Targets targets = {0, static_cast<std::int32_t>(classes) - 1, static_cast<std::int32_t>(classes) / 2};
  Tensor gradient = randomTensor({targets.size(), classes}, 7);
  std::vector<double> logits(gradient.begin(), gradient.end());
  const Prediction prediction = crossEntropy(targets.size(), classes, targets.data(), gradient.data());
  EXPECT_EQ(prediction.count, targets.size());
  EXPECT_NEAR(prediction.loss, exactLoss(classes, logits, targets), 1e-6);
  constexpr double kStep = 1e-5;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    const double before = logits[i];
    logits[i] = before + kStep;
    const double ahead = exactLoss(classes, logits, targets);
    logits[i] = before - kStep;
    const double behind = exactLoss(classes, logits, targets);
    logits[i] = before;
    EXPECT_NEAR(gradient.data()[i], (ahead - behind) / (2.0 * kStep), 1e-6) << i;
  }
}

TEST(CrossEntropyCount, PredictsTheFirstOfEqualLogits) {
  std::vector<float> logits = {1, 3, 3, /**/ 1, 3, 3, /**/ 0, -1, -2};
  const Targets targets = {1, 2, 0};
  EXPECT_EQ(crossEntropy(3, 3, targets.data(), logits.data()).correct, 2U);
}

TEST(CrossEntropyRange, LargeLogitsGiveNoInfinity) {
  std::vector<float> logits = {1e4F, -1e4F, 0.0F};
  const Targets targets = {1};
  const Prediction prediction = crossEntropy(1, 3, targets.data(), logits.data());
  EXPECT_EQ(prediction.loss, 2e4);
  EXPECT_EQ(logits, (std::vector<float>{1.0F, -1.0F, 0.0F}));
}

}  // namespace training_cross_entropy_test
