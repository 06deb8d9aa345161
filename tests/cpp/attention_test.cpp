#include "attention.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>
#include <xtensor/xmath.hpp>
#include <xtensor/xview.hpp>

#include "parallel.hpp"
#include "random_tensor.hpp"
#include "reference.hpp"
#include "scaled_dot_product_attention.hpp"
#include "streaming_attention.hpp"

namespace attention_test {

using mha::AttentionResult;
using mha::ScaledDotProductOptions;
using mha::Shape;
using mha::Tensor;
using mha::viewOf;
using mha::test::randomTensor;
using mha::test::Reference;
using mha::test::relativeError;

constexpr double kTolerance = 2e-6;

AttentionResult run(const Tensor& q, const Tensor& k, const Tensor& v,
                    const ScaledDotProductOptions& options) {
  return mha::scaledDotProductAttention(viewOf(q), viewOf(k), viewOf(v), options);
}

Reference asDouble(const Tensor& tensor) { return xt::cast<double>(tensor); }

// Sizes below, at and above the query block of 48, the tile of 4 rows, the panel of 8 columns and the 4
// lanes.
TEST(Attention, EqualsDoublePrecisionForManySizes) {
  std::uint64_t seed = 0;
  for (const std::size_t L : {1, 2, 5, 48, 49, 100}) {
    for (const std::size_t S : {1, 3, 8, 13, 40}) {
      for (const std::size_t d : {1, 4, 6, 16}) {
        const std::size_t dv = d + seed % 3;
        const Tensor q = randomTensor({2, 3, L, d}, ++seed);
        const Tensor k = randomTensor({2, 3, S, d}, ++seed);
        const Tensor v = randomTensor({2, 3, S, dv}, ++seed);
        for (const bool causal : {false, true}) {
          const AttentionResult got = run(q, k, v, {.isCausal = causal});
          const Reference added = causal ? mha::test::causalMask(L, S) : Reference(xt::zeros<double>({L, S}));
          const auto expected = mha::test::attention(asDouble(q), asDouble(k), asDouble(v),
                                                     1.0 / std::sqrt(static_cast<double>(d)), added);
          ASSERT_LE(relativeError(got.output, expected.output), kTolerance) << L << " " << S << " " << d;
          ASSERT_LE(relativeError(*got.weights, expected.weights), kTolerance) << L << " " << S << " " << d;
        }
      }
    }
  }
}

TEST(Attention, GivesTheSameOutputWithoutWeights) {
  const Tensor q = randomTensor({2, 2, 45, 8}, 1);
  const Tensor k = randomTensor({2, 2, 19, 8}, 2);
  const Tensor v = randomTensor({2, 2, 19, 8}, 3);
  const AttentionResult with = run(q, k, v, {.isCausal = true});
  const AttentionResult without = run(q, k, v, {.isCausal = true, .needWeights = false});
  EXPECT_TRUE(with.weights.has_value());
  EXPECT_FALSE(without.weights.has_value());
  EXPECT_EQ(with.output, without.output);
}

// A single query reads keys and values unpacked. Sizes at and beside the 8 sums and 16 columns of its loops.
TEST(Attention, OfOneQueryHasTheBitsOfTheSameQueryAmongOthers) {
  std::uint64_t seed = 0;
  for (const std::size_t S : {1, 7, 8, 9, 37, 600}) {
    for (const auto& [d, dv] : {std::pair<std::size_t, std::size_t>{64, 64}, {12, 20}, {3, 16}, {4, 15}}) {
      const Tensor q = randomTensor({2, 4, 3, d}, ++seed);
      const Tensor k = randomTensor({2, 2, S, d}, ++seed);
      const Tensor v = randomTensor({2, 2, S, dv}, ++seed);
      std::vector<std::uint8_t> allowed(3 * S);
      for (std::size_t i = 0; i < allowed.size(); ++i) allowed[i] = i * 2654435761U % 5 < 3 ? 1 : 0;
      for (const bool needWeights : {true, false}) {
        const auto attend = [&](const Tensor& queries, const std::uint8_t* mask) {
          const Shape shape{queries.shape(2), S};
          return run(queries, k, v,
                     {.mask = viewOf(mask, shape), .enableGqa = true, .needWeights = needWeights});
        };
        const AttentionResult all = attend(q, allowed.data());
        for (std::size_t i = 0; i < 3; ++i) {
          const auto row = [i](const Tensor& x) {
            return Tensor(xt::view(x, xt::all(), xt::all(), xt::range(i, i + 1)));
          };
          const AttentionResult one = attend(row(q), allowed.data() + i * S);
          ASSERT_EQ(one.output, row(all.output)) << S << " " << d << " " << dv;
          if (needWeights) ASSERT_EQ(*one.weights, row(*all.weights)) << S << " " << d;
        }
      }
    }
  }
}

// The rules tell which keys a single query sees: values are only then looked through for NaN.
TEST(Attention, OfOneQueryIgnoresHiddenValuesEvenIfNaN) {
  const Tensor q = randomTensor({1, 1, 1, 8}, 1);
  const Tensor k = randomTensor({1, 1, 9, 8}, 2);
  const Tensor v = randomTensor({1, 1, 9, 16}, 3);
  Tensor poisoned = v;
  poisoned(0, 0, 2, 3) = std::numeric_limits<float>::quiet_NaN();
  // It sees the keys 5 to 7; sums begin with key 0, which begins their panel.
  const mha::Placement last{.firstPosition = 7.0F, .keys = 9.0F};
  const ScaledDotProductOptions options{.window = mha::Window{.left = 2, .right = 0}, .placements = &last};
  EXPECT_EQ(run(q, k, poisoned, options).output, run(q, k, v, options).output);
  const Tensor seen = run(q, k, poisoned, {}).output;
  EXPECT_TRUE(std::isnan(seen(0, 0, 0, 3)));
}

/// The relative difference of the outputs of dense attention (with weights) and streaming attention
/// (without).
double streamingError(const Tensor& q, const Tensor& k, const Tensor& v, ScaledDotProductOptions options) {
  const AttentionResult whole = run(q, k, v, options);
  options.needWeights = false;
  return relativeError(run(q, k, v, options).output, asDouble(whole.output));
}

// Three tiles of 512 keys, the last one with an incomplete panel.
TEST(StreamingAttention, EqualsDenseAttention) {
  const std::size_t L = 130;
  const std::size_t S = 1100;
  const Tensor q = randomTensor({2, 4, L, 12}, 1) * 2.0F;
  const Tensor k = randomTensor({2, 2, S, 12}, 2) * 2.0F;
  const Tensor v = randomTensor({2, 2, S, 7}, 3);
  std::vector<std::uint8_t> allowed(2 * L * S);
  for (std::size_t i = 0; i < allowed.size(); ++i) allowed[i] = i * 2654435761U % 7 < 3 ? 1 : 0;
  // A row without any key, and one whose only key is in the last tile.
  std::fill_n(allowed.begin() + 5 * S, 2 * S, std::uint8_t{0});
  allowed[7 * S - 1] = 1;
  const std::vector<float> slopes = {0.5F, 0.01F, 0.002F, 0.0F};
  const auto mask = viewOf(allowed.data(), Shape{2, 1, L, S});
  const auto alibiSlopes = viewOf(slopes.data(), Shape{4});
  const std::vector<ScaledDotProductOptions> cases = {
      {.enableGqa = true},
      {.isCausal = true, .enableGqa = true},
      {.mask = mask, .enableGqa = true},
      {.window = mha::Window{.left = 3, .right = 600}, .enableGqa = true},
      {.isCausal = true, .window = mha::Window{.left = 20, .right = 0}, .enableGqa = true},
      {.alibiSlopes = alibiSlopes, .softcap = 5.0F, .scale = 0.7F, .enableGqa = true},
      {.mask = mask, .isCausal = true, .alibiSlopes = alibiSlopes, .enableGqa = true}};
  for (std::size_t i = 0; i < cases.size(); ++i) {
    EXPECT_LE(streamingError(q, k, v, cases[i]), kTolerance) << "case " << i;
  }
}

// 16,384 tokens, 12 heads of 64: whole rows of scores would take 12 GB, one head's keys and values 8 MB.
TEST(StreamingAttention, NeedsLittleMemoryForLongSequences) {
  const mha::AttentionSizes sizes{.batch = 1,
                                  .heads = 12,
                                  .kvHeads = 12,
                                  .queries = 16384,
                                  .keys = 16384,
                                  .headDim = 64,
                                  .valueHeadDim = 64};
  const mha::AttentionInputs inputs{};
  const mha::ScoreRules rules;
  const mha::AttentionOutputs outputs;
  mha::Workspace workspace;
  mha::reserveStreaming({sizes, inputs, rules, outputs}, sizes.queries, workspace);
  std::size_t floats = 0;
  for (const mha::Scratch* scratch :
       {&workspace.keys, &workspace.values, &workspace.queries, &workspace.scores, &workspace.weights,
        &workspace.context, &workspace.maxima, &workspace.totals}) {
    floats += scratch->size();
  }
  EXPECT_GT(floats, 2 * sizes.queries);
  EXPECT_LT(floats * sizeof(float), 1'000'000U);
}

// attention() must not allocate while threads compute: the buffers must not grow after reserveStreaming().
TEST(StreamingAttention, AllocatesNothingAfterReserve) {
  const Tensor x = randomTensor({600, 8}, 9);
  const mha::Heads<const float> heads{x.data(), x.size(), x.size(), 8};
  Tensor context = mha::allocate({600, 8});
  const mha::AttentionSizes sizes{
      .batch = 1, .heads = 1, .kvHeads = 1, .queries = 600, .keys = 600, .headDim = 8, .valueHeadDim = 8};
  const mha::AttentionInputs inputs{heads, heads, heads};
  const mha::ScoreRules rules;
  const mha::AttentionOutputs outputs{.context = {context.data(), context.size(), context.size(), 8}};
  const mha::AttentionCall call{sizes, inputs, rules, outputs};
  mha::Workspace workspace;
  mha::reserveStreaming(call, 600, workspace);
  const std::size_t before = workspace.keys.size() + workspace.scores.size() + workspace.weights.size() +
                             workspace.context.size() + workspace.maxima.size();
  mha::streamingAttention(call, {.b = 0, .kvHead = 0, .firstQuery = 0, .queries = 600}, workspace);
  EXPECT_EQ(workspace.keys.size() + workspace.scores.size() + workspace.weights.size() +
                workspace.context.size() + workspace.maxima.size(),
            before);
}

TEST(StreamingAttention, EqualsDoublePrecision) {
  const Tensor q =
      randomTensor({1, 50, 16}, 4) * 3.0F;  // large scores: the maximum changes from tile to tile
  const Tensor k = randomTensor({1, 1500, 16}, 5);
  const auto expected = mha::test::attention(asDouble(q), asDouble(k), asDouble(k), 0.25,
                                             Reference(xt::zeros<double>({50, 1500})));
  const AttentionResult got = run(q, k, k, {.needWeights = false});
  EXPECT_LE(relativeError(got.output, expected.output), kTolerance);
}

/// Compares the output without weights with double precision, column by column.
void expectColumns(const Tensor& q, const Tensor& k, const Tensor& v, ScaledDotProductOptions options,
                   double tolerance) {
  options.needWeights = false;
  const Reference added = options.isCausal ? mha::test::causalMask(q.shape(0), k.shape(0))
                                           : Reference(xt::zeros<double>({q.shape(0), k.shape(0)}));
  const Reference expected = mha::test::attention(asDouble(q), asDouble(k), asDouble(v), 0.5, added).output;
  const Tensor got = run(q, k, v, options).output;
  for (std::size_t p = 0; p < v.shape(1); ++p) {
    const Reference column = xt::view(expected, xt::all(), p);
    EXPECT_LE(relativeError(Tensor(xt::view(got, xt::all(), p)), column), tolerance) << "column " << p;
  }
}

// The sum of the values overflows, their mean does not. More than two tiles, and an incomplete query block.
TEST(StreamingAttention, IsFiniteWhereverTheMeanOfTheValuesIs) {
  const Tensor q = randomTensor({100, 4}, 1);
  const Tensor k = randomTensor({1300, 4}, 2);
  for (const float size : {1e36F, 3e38F, 3.4e38F}) {
    const Tensor same = xt::ones<float>({1300, 3}) * size;
    expectColumns(q, k, same, {}, kTolerance);
    expectColumns(q, k, same, {.isCausal = true}, kTolerance);
    expectColumns(q, k, xt::tanh(randomTensor({1300, 3}, 3)) * size, {}, kTolerance);
  }
}

// Scaling down the exponentials for the one column must keep the precision of the other.
TEST(StreamingAttention, KeepsThePrecisionOfSmallValuesBesideOnesThatOverflow) {
  const Tensor q = randomTensor({100, 4}, 1);
  const Tensor k = randomTensor({1300, 4}, 2);
  for (const float small : {1.0F, 1e-30F, 1e-34F}) {
    Tensor v = randomTensor({1300, 2}, 3) + 2.0F;
    xt::view(v, xt::all(), 0) = 3e38F;
    xt::view(v, xt::all(), 1) *= small;
    expectColumns(q, k, v, {}, kTolerance);
  }
}

// Without overflow, exponentials are not scaled down. Dense attention has an error of 3e-5 here.
TEST(StreamingAttention, KeepsThePrecisionOfSmallValues) {
  const Tensor q = randomTensor({100, 4}, 1);
  const Tensor k = randomTensor({1300, 4}, 2);
  expectColumns(q, k, (randomTensor({1300, 2}, 3) + 2.0F) * 1e-38F, {}, kTolerance);
}

TEST(StreamingAttention, PropagatesNaNAndInfinityLikeDenseAttention) {
  const Tensor q = randomTensor({60, 4}, 1);
  const Tensor clean = randomTensor({1100, 4}, 2);
  const double allowed = kTolerance * xt::amax(xt::abs(clean))();
  for (const float poison :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    for (const std::size_t at : {30, 700}) {
      Tensor poisoned = clean;
      poisoned(at, 1) = poison;
      for (const bool causal : {false, true}) {
        for (const bool inKeys : {false, true}) {
          const Tensor& k = inKeys ? poisoned : clean;
          const Tensor& v = inKeys ? clean : poisoned;
          const AttentionResult whole = run(q, k, v, {.isCausal = causal});
          const AttentionResult got = run(q, k, v, {.isCausal = causal, .needWeights = false});
          for (std::size_t i = 0; i < whole.output.size(); ++i) {
            const float expected = whole.output.data()[i];
            const float output = got.output.data()[i];
            if (std::isfinite(expected)) {
              EXPECT_NEAR(output, expected, allowed) << i;
            } else {
              EXPECT_EQ(std::isnan(output), std::isnan(expected)) << i;
            }
          }
        }
      }
    }
  }
}

/// Collects the weights that it receives.
class CollectingSink final : public mha::WeightsSink {
 public:
  void receive(std::span<const float> weights, std::size_t finished) override {
    ASSERT_GT(finished, received.size());
    ASSERT_LE(finished, weights.size());
    const auto more = weights.subspan(received.size(), finished - received.size());
    received.insert(received.end(), more.begin(), more.end());
  }

  std::vector<float> received;
};

// Several parts per head on several threads, and heads that share a key/value head.
TEST(Attention, SendsFinishedWeightsToTheSinkInOrder) {
  const Tensor q = randomTensor({2, 4, 450, 6}, 1);
  const Tensor k = randomTensor({2, 2, 30, 6}, 2);
  for (const double dropout : {0.0, 0.3}) {
    CollectingSink sink;
    const AttentionResult got =
        run(q, k, k, {.isCausal = true, .dropout = dropout, .enableGqa = true, .weightsSink = &sink});
    const std::vector<float> all(got.weights->begin(), got.weights->end());
    EXPECT_EQ(sink.received, mha::threadCount() > 1 ? all : std::vector<float>{});
  }
  CollectingSink sink;
  run(q, k, k, {.enableGqa = true, .needWeights = false, .weightsSink = &sink});
  EXPECT_TRUE(sink.received.empty());
}

// The scale is a power of two above 1: multiplied into the queries it would overflow, though the scores are
// 0.
TEST(Attention, ScalesScoresWhereScaledQueriesWouldOverflow) {
  const Tensor q = {{1e30F, 1e30F}};
  const Tensor k = {{1.0F, -1.0F}, {-1.0F, 1.0F}};
  const AttentionResult got = run(q, k, k, {.scale = std::ldexp(1.0F, 100)});
  EXPECT_EQ(*got.weights, (Tensor{{0.5F, 0.5F}}));
}

TEST(Attention, AcceptsAnyNumberOfLeadingDimensions) {
  const Tensor q = randomTensor({2, 2, 3, 4, 5}, 1);
  const AttentionResult deep = run(q, q, q, {});
  Tensor flat = q;
  flat.reshape({12, 4, 5});
  const AttentionResult same = run(flat, flat, flat, {});
  EXPECT_EQ(deep.output.shape(), (Shape{2, 2, 3, 4, 5}));
  EXPECT_EQ(deep.weights->shape(), (Shape{2, 2, 3, 4, 4}));
  EXPECT_TRUE(std::equal(deep.output.begin(), deep.output.end(), same.output.begin()));

  const Tensor single = randomTensor({4, 5}, 2);
  EXPECT_EQ(run(single, single, single, {}).output.shape(), (Shape{4, 5}));
}

TEST(Attention, IgnoresMaskedKeysAndValuesEvenIfNaN) {
  const std::vector<std::uint8_t> allowed = {1, 1, 0, 1, 0};
  const Tensor q = randomTensor({1, 2, 3, 4}, 1);
  Tensor k = randomTensor({1, 2, 5, 4}, 2);
  Tensor v = randomTensor({1, 2, 5, 4}, 3);
  const ScaledDotProductOptions options{.mask = viewOf(allowed.data(), Shape{5})};
  const AttentionResult clean = run(q, k, v, options);
  for (const float poison :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    for (const std::size_t masked : {2, 4}) {
      for (std::size_t h = 0; h < 2; ++h) {
        for (std::size_t p = 0; p < 4; ++p) k(0, h, masked, p) = v(0, h, masked, p) = poison;
      }
    }
    const AttentionResult got = run(q, k, v, options);
    EXPECT_EQ(*got.weights, *clean.weights);
    EXPECT_EQ(got.output, clean.output);
  }
}

TEST(Attention, NaNReachesExactlyTheRowsThatMayAttendToIt) {
  const Tensor q = randomTensor({6, 4}, 1);
  const Tensor clean = randomTensor({6, 4}, 2);
  Tensor v = clean;
  v(3, 1) = std::numeric_limits<float>::infinity();
  const ScaledDotProductOptions options{.isCausal = true};
  const AttentionResult got = run(q, clean, v, options);
  const AttentionResult expected = run(q, clean, clean, options);
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t p = 0; p < 4; ++p) {
      if (i >= 3 && p == 1) {
        EXPECT_EQ(got.output(i, p), std::numeric_limits<float>::infinity());
      } else {
        EXPECT_NEAR(got.output(i, p), expected.output(i, p), 1e-6) << i << " " << p;
      }
    }
  }
}

TEST(Attention, GivesZerosWhereEverythingIsMasked) {
  const std::vector<std::uint8_t> allowed = {1, 1, 1, 0, 0, 0, 1, 0, 0};
  const Tensor q = randomTensor({3, 4}, 1);
  const AttentionResult got = run(q, q, q, {.mask = viewOf(allowed.data(), Shape{3, 3})});
  for (std::size_t j = 0; j < 3; ++j) EXPECT_EQ((*got.weights)(1, j), 0.0F);
  for (std::size_t p = 0; p < 4; ++p) {
    EXPECT_EQ(got.output(1, p), 0.0F);
    EXPECT_EQ(got.output(2, p), q(0, p));  // one key only: its weight is exactly 1
  }
}

// A query block whose windows begin after the last key, with complete and incomplete panels of keys.
TEST(Attention, GivesZerosForQueriesWhoseWindowHasNoKey) {
  const std::size_t L = 100;
  const Tensor q = randomTensor({L, 4}, 1);
  for (const std::size_t S : {7, 8, 16}) {
    const Tensor k = randomTensor({S, 4}, 2);
    for (const double dropout : {0.0, 0.3}) {
      const AttentionResult got =
          run(q, k, k, {.window = mha::Window{.left = 2, .right = 1}, .dropout = dropout});
      for (std::size_t i = S + 2; i < L; ++i) {
        for (std::size_t j = 0; j < S; ++j) ASSERT_EQ((*got.weights)(i, j), 0.0F) << i;
        for (std::size_t p = 0; p < 4; ++p) ASSERT_EQ(got.output(i, p), 0.0F) << i;
      }
    }
  }
}

TEST(Attention, PropagatesNaNThatIsNotMasked) {
  Tensor q = randomTensor({3, 4}, 1);
  q(1, 2) = std::numeric_limits<float>::quiet_NaN();
  const Tensor k = randomTensor({5, 4}, 2);
  const AttentionResult got = run(q, k, k, {});
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(std::isnan(got.output(i, 0)), i == 1);
}

}  // namespace attention_test
