#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "multi_head_attention.hpp"
#include "random_tensor.hpp"

namespace backward_test {

using mha::ForwardOptions;
using mha::LayerGradients;
using mha::MultiHeadAttention;
using mha::MultiHeadAttentionConfig;
using mha::Shape;
using mha::StateDict;
using mha::Tensor;
using mha::viewOf;
using mha::test::randomTensor;

constexpr std::size_t kBatch = 2;
constexpr std::size_t kQueries = 5;
constexpr std::size_t kKeys = 7;

MultiHeadAttentionConfig configOf() {
  return {.embedDim = 8,
          .numHeads = 4,
          .numKvHeads = 4,
          .headDim = 4,
          .valueHeadDim = 3,
          .kdim = 6,
          .vdim = 5,
          .outDim = 7,
          .seed = 3};
}

MultiHeadAttentionConfig changed(const std::function<void(MultiHeadAttentionConfig&)>& change) {
  MultiHeadAttentionConfig config = configOf();
  change(config);
  return config;
}

double dot(const Tensor& a, const Tensor& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a.data()[i]) * b.data()[i];
  return sum;
}

/// a + step·direction
Tensor moved(const Tensor& a, const Tensor& direction, double step) {
  Tensor result = a;
  for (std::size_t i = 0; i < a.size(); ++i) {
    result.data()[i] = static_cast<float>(a.data()[i] + step * direction.data()[i]);
  }
  return result;
}

mha::StateDictView viewsOf(const StateDict& dict) {
  mha::StateDictView views;
  for (const auto& [name, tensor] : dict) views.emplace(name, viewOf(tensor));
  return views;
}

/// A layer whose biases are not zero, and its inputs.
struct Point {
  MultiHeadAttentionConfig config;
  ForwardOptions options;
  Tensor query;
  Tensor key;
  Tensor value;
  StateDict parameters;
  Tensor gradOutput;

  Point(const MultiHeadAttentionConfig& layerConfig, ForwardOptions forwardOptions)
      : config(layerConfig),
        options(std::move(forwardOptions)),
        query(randomTensor({kBatch, kQueries, config.embedDim}, 1)),
        key(randomTensor({kBatch, kKeys, config.kdim}, 2)),
        value(randomTensor({kBatch, kKeys, config.vdim}, 3)),
        parameters(MultiHeadAttention(config).stateDict()),
        gradOutput(randomTensor({kBatch, kQueries, config.outDim}, 4)) {
    options.training = true;
    std::uint64_t seed = 5;
    for (auto& [name, tensor] : parameters) {
      if (name.ends_with("bias")) tensor = randomTensor(Shape(tensor.shape()), seed++);
    }
  }

  /// A new layer for every call, so that dropout draws the same numbers.
  [[nodiscard]] MultiHeadAttention layer() const {
    MultiHeadAttention made(config);
    made.loadStateDict(viewsOf(parameters));
    return made;
  }

  [[nodiscard]] double loss() const {
    MultiHeadAttention made = layer();
    return dot(made.forward(viewOf(query), viewOf(key), viewOf(value), options).output, gradOutput);
  }

  [[nodiscard]] LayerGradients gradients() const {
    MultiHeadAttention made = layer();
    made.forward(viewOf(query), viewOf(key), viewOf(value), options);
    return made.backward(viewOf(gradOutput));
  }
};

/// Compares the slope of the loss along a random direction of `tensor`, which belongs to `point`, with finite
/// differences.
void expectSlope(Point& point, Tensor& tensor, const Tensor& gradient, const std::string& name) {
  constexpr double kStep = 4e-3;
  ASSERT_EQ(Shape(tensor.shape()), Shape(gradient.shape())) << name;
  const Tensor before = tensor;
  const Tensor direction = randomTensor(Shape(tensor.shape()), 99);
  tensor = moved(before, direction, kStep);
  const double ahead = point.loss();
  tensor = moved(before, direction, -kStep);
  const double behind = point.loss();
  tensor = before;
  const double size = std::sqrt(dot(gradient, gradient) * dot(direction, direction));
  EXPECT_GT(size, 0.0) << name;
  EXPECT_NEAR((ahead - behind) / (2.0 * kStep), dot(gradient, direction), 1e-3 * size) << name;
}

void expectSlopes(Point point) {
  const LayerGradients gradients = point.gradients();
  expectSlope(point, point.query, gradients.query, "query");
  expectSlope(point, point.key, gradients.key, "key");
  expectSlope(point, point.value, gradients.value, "value");
  ASSERT_EQ(gradients.parameters.size(), point.parameters.size());
  for (auto& [name, tensor] : point.parameters)
    expectSlope(point, tensor, gradients.parameters.at(name), name);
}

TEST(Backward, EqualsFiniteDifferences) { expectSlopes({configOf(), {}}); }

TEST(Backward, WithoutBias) {
  expectSlopes({changed([](auto& config) { config.bias = false; }), {}});
}

TEST(Backward, OfPackedProjectionsEqualsFiniteDifferences) {
  expectSlopes({changed([](auto& config) {
                  config.headDim = config.valueHeadDim = 2;
                  config.kdim = config.vdim = config.outDim = 8;
                }),
                {}});
}

TEST(Backward, GroupedQueriesWithRope) {
  for (const mha::RotaryConvention convention :
       {mha::RotaryConvention::half, mha::RotaryConvention::interleaved}) {
    expectSlopes({changed([&](auto& config) {
                    config.numKvHeads = 2;
                    config.rope = {.dim = 4, .base = 100.0, .convention = convention};
                  }),
                  {.isCausal = true}});
  }
}

TEST(Backward, AppendedKeysWithRelu) {
  expectSlopes({changed([](auto& config) {
                  config.addBiasKv = config.addZeroAttn = true;
                  config.activation = mha::Activation::relu;
                }),
                {}});
}

TEST(Backward, ReluWithRope) {
  expectSlopes({changed([](auto& config) {
                  config.activation = mha::Activation::relu;
                  config.rope = {.dim = 4, .base = 100.0, .convention = mha::RotaryConvention::half};
                }),
                {}});
}

TEST(Backward, SoftcapAlibiWindowAndScale) {
  expectSlopes(
      {configOf(),
       {.window = mha::Window{.left = 2, .right = 3}, .alibi = true, .softcap = 1.5F, .scale = 0.8F}});
}

TEST(Backward, DropoutOfTheRecordedForward) {
  expectSlopes({changed([](auto& config) { config.dropout = 0.4; }), {}});
}

TEST(Backward, GradientsDoNotDependOnTheRequestedResults) {
  const Point plain(changed([](auto& config) { config.dropout = 0.3; }),
                    {.softcap = 2.0F, .needWeights = false});
  Point rich = plain;
  rich.options.needWeights = rich.options.returnSteps = true;
  rich.options.returnScores = mha::ReturnedScores::raw;
  const LayerGradients expected = plain.gradients();
  const LayerGradients actual = rich.gradients();
  EXPECT_EQ(actual.query, expected.query);
  EXPECT_EQ(actual.key, expected.key);
  EXPECT_EQ(actual.value, expected.value);
  EXPECT_EQ(actual.parameters, expected.parameters);
}

TEST(Backward, MaskedKeysReachNoGradientEvenWhenNaN) {
  std::vector<std::uint8_t> real(kBatch * kKeys, 1);
  real[3] = real[kKeys + 6] = 0;
  Point point(configOf(), {.keyPaddingMask = viewOf(real.data(), {kBatch, kKeys})});
  const LayerGradients expected = point.gradients();
  for (const std::size_t row : {std::size_t{3}, kKeys + 6}) {
    point.key.data()[row * 6] = point.value.data()[row * 5] = std::numeric_limits<float>::quiet_NaN();
  }
  const LayerGradients actual = point.gradients();
  EXPECT_EQ(actual.query, expected.query);
  EXPECT_EQ(actual.key, expected.key);
  EXPECT_EQ(actual.parameters, expected.parameters);
}

TEST(Backward, FullyMaskedRowsHaveZeroGradients) {
  const std::vector<std::uint8_t> nobody(kQueries * kKeys, 0);
  const LayerGradients gradients =
      Point(configOf(), {.attnMask = viewOf(nobody.data(), {kQueries, kKeys})}).gradients();
  EXPECT_EQ(dot(gradients.query, gradients.query), 0.0);
  EXPECT_EQ(dot(gradients.value, gradients.value), 0.0);
  EXPECT_EQ(dot(gradients.parameters.at("out_proj.weight"), gradients.parameters.at("out_proj.weight")), 0.0);
  EXPECT_GT(dot(gradients.parameters.at("out_proj.bias"), gradients.parameters.at("out_proj.bias")), 0.0);
}

TEST(Backward, UnbatchedInputsHaveUnbatchedGradients) {
  const Point point(configOf(), {});
  MultiHeadAttention layer = point.layer();
  const auto first = [](const Tensor& x) { return viewOf(x.data(), {x.shape(1), x.shape(2)}); };
  layer.forward(first(point.query), first(point.key), first(point.value), point.options);
  const LayerGradients gradients = layer.backward(first(point.gradOutput));
  EXPECT_EQ(Shape(gradients.query.shape()), (Shape{kQueries, 8}));
  EXPECT_EQ(Shape(gradients.value.shape()), (Shape{kKeys, 5}));
}

/// The sum of x (…,width) over all dimensions but the last, in double precision.
std::vector<double> sumOfRows(const Tensor& x, std::size_t width) {
  std::vector<double> sums(width);
  for (std::size_t i = 0; i < x.size(); ++i) sums[i % width] += x.data()[i];
  return sums;
}

void expectExact(const Tensor& got, const std::vector<double>& expected, const std::string& name) {
  ASSERT_EQ(got.size(), expected.size()) << name;
  // Half a unit in the last place of float32.
  for (std::size_t j = 0; j < expected.size(); ++j) {
    EXPECT_NEAR(got.data()[j], expected[j], 6e-8 * std::abs(expected[j])) << name << " " << j;
  }
}

// PyTorch's error is 4e-8.
TEST(Backward, SumsManyRowsWithoutRoundingErrors) {
  constexpr std::size_t kRows = 60'000;
  MultiHeadAttention layer({.embedDim = 4,
                            .numHeads = 1,
                            .numKvHeads = 1,
                            .headDim = 4,
                            .valueHeadDim = 4,
                            .kdim = 4,
                            .vdim = 4,
                            .outDim = 4,
                            .addBiasKv = true,
                            .seed = 3});
  StateDict identity = layer.stateDict();
  identity.at("out_proj.weight") = xt::eye<float>(4);
  layer.loadStateDict(viewsOf(identity));
  const Tensor query = randomTensor({kRows, 1, 4}, 1);
  const Tensor key = randomTensor({kRows, 1, 4}, 2);
  const Tensor gradOutput = randomTensor({kRows, 1, 4}, 3) + 1.0F;
  const ForwardOptions options{.training = true};
  const mha::AttentionResult result = layer.forward(viewOf(query), viewOf(key), viewOf(key), options);
  const LayerGradients gradients = layer.backward(viewOf(gradOutput));
  expectExact(gradients.parameters.at("out_proj.bias"), sumOfRows(gradOutput, 4), "out_proj.bias");

  // The gradients of the values are that of the output times the weights (B,H,1,2) of the key and the
  // appended key.
  Tensor shares = gradOutput;
  for (std::size_t i = 0; i < shares.size(); ++i) shares.data()[i] *= result.weights->data()[i / 4 * 2 + 1];
  expectExact(gradients.parameters.at("bias_v"), sumOfRows(shares, 4), "bias_v");
}

TEST(Backward, ThrowsWithoutAForwardInTraining) {
  const Point point(configOf(), {});
  MultiHeadAttention layer = point.layer();
  EXPECT_THROW(layer.backward(viewOf(point.gradOutput)), std::out_of_range);
  layer.forward(viewOf(point.query), viewOf(point.key), viewOf(point.value), {});
  EXPECT_THROW(layer.backward(viewOf(point.gradOutput)), std::out_of_range);
  layer.forward(viewOf(point.query), viewOf(point.key), viewOf(point.value), point.options);
  EXPECT_THROW(layer.backward(viewOf(point.query)), std::out_of_range);
  EXPECT_NO_THROW(layer.backward(viewOf(point.gradOutput)));
  mha::KvCache cache;
  ForwardOptions cached = point.options;
  cached.cache = &cache;
  layer.forward(viewOf(point.query), viewOf(point.key), viewOf(point.value), cached);
  EXPECT_THROW(layer.backward(viewOf(point.gradOutput)), std::out_of_range);
  layer.forward(viewOf(point.query), viewOf(point.key), viewOf(point.value), point.options);
  layer.loadStateDict(viewsOf(point.parameters));
  EXPECT_THROW(layer.backward(viewOf(point.gradOutput)), std::out_of_range);
}

}  // namespace backward_test
