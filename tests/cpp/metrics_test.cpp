#include "metrics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "random_tensor.hpp"
#include "softmax.hpp"

namespace metrics_test {

using mha::Shape;
using mha::Tensor;
using mha::viewOf;

/// For the precision of float32 in results and logarithms.
constexpr double kTolerance = 2e-7;

using Distribution = std::vector<double>;
using Weight = std::function<float(std::size_t, std::size_t)>;

/// (H,L,S); head h has the weights weight[h](i, j).
Tensor heads(std::size_t queries, std::size_t keys, const std::vector<Weight>& weights) {
  Tensor tensor = mha::allocate({weights.size(), queries, keys});
  float* out = tensor.data();
  for (const Weight& weight : weights) {
    for (std::size_t i = 0; i < queries; ++i) {
      for (std::size_t j = 0; j < keys; ++j) *out++ = weight(i, j);
    }
  }
  return tensor;
}

float itself(std::size_t i, std::size_t j) { return i == j ? 1.0F : 0.0F; }
float previous(std::size_t i, std::size_t j) { return j + 1 == std::max<std::size_t>(i, 1) ? 1.0F : 0.0F; }
float uniform(std::size_t /*i*/, std::size_t /*j*/) { return 0.3F; }
float causal(std::size_t i, std::size_t j) { return j <= i ? 1.0F / static_cast<float>(i + 1) : 0.0F; }
float nothing(std::size_t /*i*/, std::size_t /*j*/) { return 0.0F; }

/// Softmax of random scores; some rows are fully masked, and some sums differ from 1.
Tensor randomWeights(const Shape& shape, std::uint64_t seed) {
  Tensor tensor = mha::test::randomTensor(shape, seed);
  const std::size_t keys = shape.back();
  for (std::size_t row = 0; row < tensor.size() / keys; ++row) {
    float* weights = tensor.data() + row * keys;
    for (std::size_t j = 0; j < keys; ++j) weights[j] *= 3.0F;
    mha::softmaxRow(weights, keys);
    const float factor = row % 5 == 4 ? 0.0F : 1.0F + 0.5F * static_cast<float>(row % 3);
    for (std::size_t j = 0; j < keys; ++j) weights[j] *= factor;
  }
  return tensor;
}

/// Row `row` of all rows of `weights`, divided by its sum; empty for a row of zeros.
Distribution distribution(const Tensor& weights, std::size_t row) {
  const std::size_t keys = weights.shape().back();
  Distribution p(weights.data() + row * keys, weights.data() + (row + 1) * keys);
  const double sum = std::accumulate(p.begin(), p.end(), 0.0);
  if (sum == 0) return {};
  for (double& x : p) x /= sum;
  return p;
}

/// In nats.
double entropyOf(const Distribution& p) {
  return std::accumulate(p.begin(), p.end(), 0.0,
                         [](double sum, double x) { return x > 0 ? sum - x * std::log(x) : sum; });
}

double meanOf(const std::vector<double>& values) {
  if (values.empty()) return 0.0;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double exactEntropy(const Tensor& weights, std::size_t head) {
  const std::size_t queries = weights.shape(weights.dimension() - 2);
  std::vector<double> values;
  for (std::size_t i = 0; i < queries; ++i) {
    const Distribution p = distribution(weights, head * queries + i);
    if (!p.empty()) values.push_back(entropyOf(p) / std::log(static_cast<double>(p.size())));
  }
  return meanOf(values);
}

double exactSimilarity(const Tensor& weights, std::size_t g, std::size_t h) {
  const std::size_t queries = weights.shape(weights.dimension() - 2);
  std::vector<double> values;
  for (std::size_t i = 0; i < queries; ++i) {
    const Distribution p = distribution(weights, g * queries + i);
    const Distribution q = distribution(weights, h * queries + i);
    if (p.empty() || q.empty()) continue;
    Distribution mixed(p.size());
    std::ranges::transform(p, q, mixed.begin(), [](double a, double b) { return (a + b) / 2; });
    values.push_back(1.0 - (entropyOf(mixed) - (entropyOf(p) + entropyOf(q)) / 2) / std::log(2.0));
  }
  return meanOf(values);
}

double exactRole(const Tensor& weights, std::size_t head, const std::uint8_t* targets) {
  const std::size_t queries = weights.shape(weights.dimension() - 2);
  const std::size_t keys = weights.shape().back();
  std::vector<double> values;
  for (std::size_t i = 0; i < queries; ++i, targets += keys) {
    const Distribution p = distribution(weights, head * queries + i);
    if (p.empty() || std::none_of(targets, targets + keys, [](auto byte) { return byte != 0; })) continue;
    values.push_back(std::inner_product(p.begin(), p.end(), targets, 0.0));
  }
  return meanOf(values);
}

/// The error message of `call`; "" if it does not throw.
std::string messageOf(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::out_of_range& error) {
    return error.what();
  }
  return "";
}

TEST(Entropy, IsExactlyZeroForOneKeyAndOneForUniformRows) {
  for (std::size_t n = 2; n <= 130; ++n) {
    const Tensor got = mha::entropy(viewOf(heads(n, n, {itself, uniform, previous})));
    EXPECT_EQ(got, (Tensor{0.0F, 1.0F, 0.0F})) << n;
  }
}

TEST(Entropy, OfACausalUniformHeadIsTheMeanOfLogarithms) {
  const Tensor got = mha::entropy(viewOf(heads(4, 4, {causal})));
  EXPECT_NEAR(got(0), std::log(1.0 * 2 * 3 * 4) / 4 / std::log(4), kTolerance);
}

TEST(Entropy, EqualsDoublePrecision) {
  std::uint64_t seed = 0;
  for (const Shape& shape : {Shape{3, 7, 5}, Shape{1, 1, 2}, Shape{2, 3, 4, 9}, Shape{2, 1, 40, 67}}) {
    const Tensor weights = randomWeights(shape, ++seed);
    const Tensor got = mha::entropy(viewOf(weights));
    ASSERT_EQ(got.shape(), Shape(shape.begin(), shape.end() - 2));
    for (std::size_t h = 0; h < got.size(); ++h) {
      EXPECT_NEAR(got.data()[h], exactEntropy(weights, h), kTolerance) << mha::toText(shape) << " " << h;
    }
  }
}

TEST(Entropy, OfOneKeyOrNoRowIsZero) {
  EXPECT_EQ(mha::entropy(viewOf(heads(3, 1, {uniform, nothing}))), (Tensor{0.0F, 0.0F}));
  EXPECT_EQ(mha::entropy(viewOf(heads(3, 4, {nothing}))), (Tensor{0.0F}));
}

TEST(Entropy, IsAtMostOneForRowsThatAreNearlyUniform) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Tensor draws = mha::test::randomTensor({1, 1, 7}, seed);
    const auto nearly = [&](std::size_t i, std::size_t j) { return 1.0F + 2e-7F * draws(0, i, j); };
    EXPECT_LE(mha::entropy(viewOf(heads(1, 7, {nearly})))(0), 1.0F) << seed;
  }
}

TEST(Entropy, IgnoresMaskedRows) {
  const auto half = [](std::size_t i, std::size_t /*j*/) { return i % 2 == 0 ? 0.5F : 0.0F; };
  EXPECT_EQ(mha::entropy(viewOf(heads(5, 2, {half}))), (Tensor{1.0F}));
}

TEST(Entropy, AcceptsDenormalWeightsBesideLargeOnes) {
  const auto extremes = [](std::size_t i, std::size_t j) {
    return i == j ? std::numeric_limits<float>::max() : std::numeric_limits<float>::denorm_min();
  };
  EXPECT_EQ(mha::entropy(viewOf(heads(3, 3, {extremes}))), (Tensor{0.0F}));
  const Tensor alike = mha::similarity(viewOf(heads(3, 3, {extremes, itself, uniform})));
  EXPECT_EQ(alike(0, 1), 1.0F);
  EXPECT_EQ(alike(0, 2), alike(1, 2));
}

TEST(Similarity, OfKnownHeads) {
  const Tensor got = mha::similarity(viewOf(heads(2, 2, {itself, previous, uniform})));
  // Row 0 of `itself` and `previous` is the same, row 1 has no key in common.
  // Of (1, 0) and (1, 1)/2 the mixture is (3, 1)/4.
  const double toUniform = 1 - (-0.75 * std::log2(0.75) - 0.25 * std::log2(0.25) - 0.5);
  const auto near = static_cast<float>(toUniform);
  EXPECT_EQ(got.shape(), (Shape{3, 3}));
  EXPECT_EQ(got(0, 1), 0.5F);
  EXPECT_NEAR(got(0, 2), near, kTolerance);
  EXPECT_NEAR(got(1, 2), near, kTolerance);
}

TEST(Similarity, EqualsDoublePrecision) {
  std::uint64_t seed = 50;
  for (const Shape& shape : {Shape{4, 7, 5}, Shape{2, 1, 1}, Shape{2, 3, 4, 9}, Shape{3, 2, 30, 67}}) {
    const Tensor weights = randomWeights(shape, ++seed);
    const Tensor got = mha::similarity(viewOf(weights));
    Shape expected(shape.begin(), shape.end() - 2);
    const std::size_t size = expected.back();
    expected.push_back(size);
    ASSERT_EQ(got.shape(), expected);
    for (std::size_t n = 0; n < got.size(); ++n) {
      const std::size_t g = n / size;
      const std::size_t h = g - g % size + n % size;
      EXPECT_NEAR(got.data()[n], exactSimilarity(weights, g, h), kTolerance)
          << mha::toText(shape) << " " << n;
    }
  }
}

TEST(Similarity, IsOneOnTheDiagonalAndForProportionalRows) {
  Tensor weights = randomWeights({2, 20, 33}, 3);
  std::transform(weights.data(), weights.data() + weights.size() / 2, weights.data() + weights.size() / 2,
                 [](float x) { return 2 * x; });
  EXPECT_EQ(mha::similarity(viewOf(weights)), xt::ones<float>({2, 2}));
}

TEST(Similarity, IsExactlyZeroForDisjointHeads) {
  for (std::size_t n = 2; n <= 60; ++n) {
    const Tensor draws = randomWeights({2, 3, n}, n);
    const auto part = [&](bool first) {
      return [&draws, first, n](std::size_t i, std::size_t j) {
        return (j < (n + 1) / 2) == first ? draws(first ? 0 : 1, i, j) : 0.0F;
      };
    };
    const Tensor got = mha::similarity(viewOf(heads(3, n, {part(true), part(false)})));
    EXPECT_EQ(got, (Tensor{{1.0F, 0.0F}, {0.0F, 1.0F}})) << n;
  }
}

TEST(Similarity, IsAtMostOneForRowsThatAreNearlyTheSame) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Tensor weights = randomWeights({2, 1, 5}, seed);
    for (std::size_t j = 0; j < 5; ++j)
      weights(1, 0, j) = weights(0, 0, j) * (j % 2 == 0 ? 1.0F : 1.0000004F);
    EXPECT_LE(mha::similarity(viewOf(weights))(0, 1), 1.0F) << seed;
  }
}

TEST(Similarity, IgnoresQueriesThatAreMaskedInEitherHead) {
  const auto even = [](std::size_t i, std::size_t j) { return i % 2 == 0 ? itself(i, j) : 0.0F; };
  const auto odd = [](std::size_t i, std::size_t j) { return i % 2 == 1 ? itself(i, j) : 0.0F; };
  EXPECT_EQ(mha::similarity(viewOf(heads(4, 4, {itself, even, odd, nothing}))),
            (Tensor{{1.0F, 1.0F, 1.0F, 0.0F},
                    {1.0F, 1.0F, 0.0F, 0.0F},
                    {1.0F, 0.0F, 1.0F, 0.0F},
                    {0.0F, 0.0F, 0.0F, 1.0F}}));
}

/// (R,L,S) with 1 where the relation holds.
struct Targets {
  std::vector<std::uint8_t> bytes;
  Shape shape;

  Targets(std::size_t queries, std::size_t keys,
          const std::vector<std::function<bool(std::size_t, std::size_t)>>& relations)
      : shape({relations.size(), queries, keys}) {
    for (const auto& holds : relations) {
      for (std::size_t i = 0; i < queries; ++i) {
        for (std::size_t j = 0; j < keys; ++j) bytes.push_back(holds(i, j) ? 1 : 0);
      }
    }
  }

  [[nodiscard]] mha::View<std::uint8_t> view() const { return viewOf(bytes.data(), shape); }
};

const auto isPrevious = [](std::size_t i, std::size_t j) { return j + 1 == i; };
const auto isAny = [](std::size_t /*i*/, std::size_t /*j*/) { return true; };
const auto isNone = [](std::size_t /*i*/, std::size_t /*j*/) { return false; };

TEST(RoleScores, OfKnownHeads) {
  const Targets targets(4, 4, {isPrevious, isAny, isNone});
  const Tensor got =
      mha::roleScores(viewOf(heads(4, 4, {previous, itself, uniform, causal, nothing})), targets.view());
  ASSERT_EQ(got.shape(), (Shape{5, 3}));
  const double causalChance = (1.0 / 2 + 1.0 / 3 + 1.0 / 4) / 3;  // query 0 has no previous token
  EXPECT_EQ(got(0, 0), 1.0F);
  EXPECT_EQ(got(1, 0), 0.0F);
  EXPECT_EQ(got(2, 0), 0.25F);
  EXPECT_NEAR(got(3, 0), causalChance, kTolerance);
  for (std::size_t h = 0; h < 4; ++h) EXPECT_EQ(got(h, 1), 1.0F);
  for (std::size_t h = 0; h < 5; ++h) EXPECT_EQ(got(h, 2), 0.0F);
  for (std::size_t r = 0; r < 3; ++r) EXPECT_EQ(got(4, r), 0.0F);
}

TEST(RoleScores, EqualDoublePrecision) {
  std::uint64_t seed = 90;
  for (const Shape& shape : {Shape{3, 7, 5}, Shape{1, 1, 1}, Shape{2, 3, 10, 9}}) {
    const Tensor weights = randomWeights(shape, ++seed);
    const std::size_t queries = shape[shape.size() - 2];
    const std::size_t keys = shape.back();
    const Targets targets(queries, keys, {isPrevious, isAny, isNone, [](std::size_t i, std::size_t j) {
                                            return i * j % 3 == 1;
                                          }});
    const Tensor got = mha::roleScores(viewOf(weights), targets.view());
    Shape expected(shape.begin(), shape.end() - 2);
    expected.push_back(4);
    ASSERT_EQ(got.shape(), expected);
    for (std::size_t n = 0; n < got.size(); ++n) {
      const double exact = exactRole(weights, n / 4, targets.bytes.data() + n % 4 * queries * keys);
      EXPECT_NEAR(got.data()[n], exact, kTolerance) << mha::toText(shape) << " " << n;
    }
  }
}

TEST(RoleScores, TreatEveryNonzeroByteAsATarget) {
  const std::vector<std::uint8_t> bytes{0, 1, 2, 255};
  const Tensor got = mha::roleScores(viewOf(heads(1, 4, {uniform})), viewOf(bytes.data(), Shape{1, 1, 4}));
  EXPECT_EQ(got(0, 0), 0.75F);
}

TEST(Metrics, ThrowForWrongShapes) {
  for (const Shape& shape : {Shape{4, 4}, Shape{1, 1, 1, 2, 2}}) {
    const Tensor weights = mha::allocate(shape);
    const std::string expected =
        "`weights` must be (H, L, S) or (B, H, L, S), got shape " + mha::toText(shape);
    EXPECT_EQ(messageOf([&] { mha::entropy(viewOf(weights)); }), expected);
    EXPECT_EQ(messageOf([&] { mha::similarity(viewOf(weights)); }), expected);
    EXPECT_EQ(messageOf([&] { mha::roleScores(viewOf(weights), Targets(2, 2, {isAny}).view()); }), expected);
  }
  const Tensor weights = heads(4, 5, {uniform});
  const std::vector<std::uint8_t> bytes(40);
  for (const Shape& shape :
       {Shape{2, 4}, Shape{1, 5, 4}, Shape{1, 4, 4}, Shape{1, 3, 5}, Shape{1, 4, 5, 2}}) {
    EXPECT_EQ(messageOf([&] { mha::roleScores(viewOf(weights), viewOf(bytes.data(), shape)); }),
              "`targets` must be (R, L, S) for `weights` (1, 4, 5), got shape " + mha::toText(shape));
  }
}

}  // namespace metrics_test
