#include "scores.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "alibi.hpp"
#include "golden.hpp"
#include "random_tensor.hpp"

namespace scores_test {

using mha::ScoreRules;

TEST(Alibi, GivesThePublishedSlopes) {
  const nlohmann::json file = mha::test::golden("torch/alibi_slopes.json");
  for (const auto& [heads, slopes] : file["slopes"].items()) {
    const std::vector<float> got = mha::alibiSlopes(std::stoul(heads));
    const auto expected = slopes.get<std::vector<double>>();
    ASSERT_EQ(got.size(), expected.size()) << heads;
    for (std::size_t h = 0; h < got.size(); ++h) EXPECT_FLOAT_EQ(got[h], static_cast<float>(expected[h]));
  }
}

TEST(Scores, AreCapped) {
  const ScoreRules rules{.softcap = 3.0F};
  const mha::Tensor raw = mha::test::randomTensor({13}, 7);  // crosses the lanes
  std::vector<float> scores(raw.begin(), raw.end());
  rules.capRow(scores.data(), scores.size());
  for (std::size_t j = 0; j < scores.size(); ++j) {
    EXPECT_FLOAT_EQ(scores[j], static_cast<float>(3.0 * std::tanh(static_cast<double>(raw(j)) / 3.0)));
  }
  std::vector<float> extreme = {1e30F, -1e30F, std::numeric_limits<float>::infinity()};
  rules.capRow(extreme.data(), extreme.size());
  EXPECT_EQ(extreme, (std::vector<float>{3.0F, -3.0F, 3.0F}));
}

TEST(Scores, AlibiSubtractsTheSlopeTimesTheDistance) {
  ScoreRules rules{.alibiSlopes = {1.0F, 0.5F}};
  rules.masking.keys = 4;
  rules.masking.firstPosition = 1;
  std::vector<float> scores = {0, 0, 0, 0, 9};  // the last column is an appended key
  rules.maskRow(scores.data(), {0, 5}, 0, 1, 1);
  EXPECT_EQ(scores, (std::vector<float>{-1, -0.5F, 0, -0.5F, 9}));
}

}  // namespace scores_test
