#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "golden.hpp"
#include "training/adamw.hpp"

namespace training_adamw_test {

using mha::test::golden;
using mha::training::adamW;
using mha::training::clipNorm;
using Floats = std::vector<float>;

/// The largest difference over the largest number: small entries of a mean are differences of large ones.
void expectNear(const Floats& got, const nlohmann::json& expected) {
  ASSERT_EQ(got.size(), expected.size());
  double largest = 0.0;
  for (const double wanted : expected) largest = std::max(largest, std::abs(wanted));
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_NEAR(got[i], expected[i].get<double>(), 5e-7 * largest) << i;
  }
}

TEST(AdamW, EqualsTorchOverSeveralSteps) {
  const nlohmann::json file = golden("encoder/adamw.json");
  const nlohmann::json& options = file["options"];
  Floats parameters = file["parameters"];
  Floats means(parameters.size());
  Floats squares(parameters.size());
  std::size_t step = 0;
  for (const nlohmann::json& wanted : file["steps"]) {
    const Floats gradients = wanted["gradients"];
    adamW(parameters.size(), gradients.data(),
          {.learningRate = options["lr"],
           .weightDecay = options["weight_decay"],
           .beta1 = options["betas"][0],
           .beta2 = options["betas"][1],
           .eps = options["eps"]},
          ++step, {means.data(), squares.data()}, parameters.data());
    expectNear(parameters, wanted["parameters"]);
    expectNear(means, wanted["exp_avg"]);
    expectNear(squares, wanted["exp_avg_sq"]);
  }
  EXPECT_EQ(step, 6U);
}

TEST(ClipNorm, ScalesLongerGradientsAndKeepsShorterOnes) {
  Floats gradients = {3.0F, -4.0F, 0.0F, 12.0F, 0.0F};
  EXPECT_DOUBLE_EQ(clipNorm(gradients, 20.0), 13.0);
  EXPECT_EQ(gradients, (Floats{3.0F, -4.0F, 0.0F, 12.0F, 0.0F}));
  EXPECT_DOUBLE_EQ(clipNorm(gradients, std::numeric_limits<double>::infinity()), 13.0);
  EXPECT_EQ(gradients[3], 12.0F);
  EXPECT_DOUBLE_EQ(clipNorm(gradients, 1.3), 13.0);
  EXPECT_NEAR(gradients[0], 0.3, 1e-6);
  EXPECT_NEAR(gradients[3], 1.2, 1e-6);
  EXPECT_NEAR(clipNorm(gradients, 1.3), 1.3, 1e-6);
}

TEST(ClipNorm, OfNoGradientsIsZero) {
  Floats gradients = {0.0F, 0.0F};
  EXPECT_EQ(clipNorm(gradients, 1.0), 0.0);
  EXPECT_EQ(gradients, (Floats{0.0F, 0.0F}));
}

}  // namespace training_adamw_test
