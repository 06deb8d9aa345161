#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "random_tensor.hpp"
#include "transformer/norm.hpp"

namespace training_layer_norm_test {

using mha::Tensor;
using mha::test::randomTensor;
using Doubles = std::vector<double>;

Doubles doubles(const Tensor& tensor) { return {tensor.begin(), tensor.end()}; }

/// torch.nn.functional.layer_norm in plain loops.
Doubles exactLayerNorm(std::size_t width, const Doubles& x, const Doubles& weight, const Doubles& bias) {
  Doubles y(x.size());
  for (std::size_t row = 0; row < x.size(); row += width) {
    double mean = 0.0;
    for (std::size_t j = 0; j < width; ++j) mean += x[row + j] / static_cast<double>(width);
    double variance = 0.0;
    for (std::size_t j = 0; j < width; ++j) {
      variance += (x[row + j] - mean) * (x[row + j] - mean) / static_cast<double>(width);
    }
    for (std::size_t j = 0; j < width; ++j) {
      y[row + j] = (x[row + j] - mean) / std::sqrt(variance + 1e-5) * weight[j] + bias[j];
    }
  }
  return y;
}

/// Rows whose width may or may not be a multiple of four.
struct Case {
  explicit Case(std::size_t rowWidth)
      : width(rowWidth),
        x(randomTensor({kRows, width}, 1)),
        weight(randomTensor({width}, 2)),
        bias(randomTensor({width}, 3)),
        gradY(randomTensor({kRows, width}, 4)) {
    // A mean far from zero, which must not affect the precision of the variance.
    for (float& value : x) value += 30.0F;
    mha::layerNorm(kRows, width, x.data(), weight.data(), bias.data(), y.data(), normalized.data(),
                   inverseDeviations.data());
  }

  static constexpr std::size_t kRows = 5;
  std::size_t width;
  Tensor x;
  Tensor weight;
  Tensor bias;
  Tensor gradY;
  Tensor y = mha::allocate({kRows, width});
  Tensor normalized = mha::allocate({kRows, width});
  Tensor inverseDeviations = mha::allocate({kRows});
};

class LayerNorm : public testing::TestWithParam<std::size_t> {};

INSTANTIATE_TEST_SUITE_P(Widths, LayerNorm, testing::Values(1, 2, 3, 4, 7, 8, 64, 65));

TEST_P(LayerNorm, EqualsDoublePrecision) {
  const Case c(GetParam());
  const Doubles expected = exactLayerNorm(c.width, doubles(c.x), doubles(c.weight), doubles(c.bias));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    // float32 inputs near 30 are rounded to multiples of 2e-6.
    EXPECT_NEAR(c.y.data()[i], expected[i], 2e-5) << i;
  }
}

TEST_P(LayerNorm, GradientsEqualFiniteDifferences) {
  const Case c(GetParam());
  Tensor gradX = xt::zeros<float>({Case::kRows, c.width});
  Tensor gradWeight = xt::zeros<float>({c.width});
  Tensor gradBias = xt::zeros<float>({c.width});
  mha::layerNormBackward(Case::kRows, c.width, c.normalized.data(), c.inverseDeviations.data(),
                         c.weight.data(), c.gradY.data(), gradX.data(), gradWeight.data(), gradBias.data());

  Doubles x = doubles(c.x);
  Doubles weight = doubles(c.weight);
  Doubles bias = doubles(c.bias);
  const auto loss = [&] {
    const Doubles y = exactLayerNorm(c.width, x, weight, bias);
    double sum = 0.0;
    for (std::size_t i = 0; i < y.size(); ++i) sum += y[i] * static_cast<double>(c.gradY.data()[i]);
    return sum;
  };
  const auto expectGradient = [&](Doubles& values, const Tensor& gradient) {
    constexpr double kStep = 1e-5;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double before = values[i];
      values[i] = before + kStep;
      const double ahead = loss();
      values[i] = before - kStep;
      const double behind = loss();
      values[i] = before;
      EXPECT_NEAR(gradient.data()[i], (ahead - behind) / (2.0 * kStep), 1e-4) << i;
    }
  };
  // One column is always normalised to 0, two to ±1: their exact gradient is 0, so only rounding errors
  // remain.
  if (c.width > 2) expectGradient(x, gradX);
  expectGradient(weight, gradWeight);
  expectGradient(bias, gradBias);
}

TEST(LayerNormBackward, SumsManyRowsExactly) {
  constexpr std::size_t kRows = 60'000;
  constexpr std::size_t kWidth = 5;
  const Tensor unit = randomTensor({kRows, kWidth}, 1);
  const Tensor gradY = randomTensor({kRows, kWidth}, 2) + unit + 1.0F;
  const Tensor weight = randomTensor({kWidth}, 3);
  const Tensor inverseDeviations = xt::ones<float>({kRows});
  Tensor gradX = mha::allocate({kRows, kWidth});
  std::vector<float> gradWeight(kWidth);
  std::vector<float> gradBias(kWidth);
  mha::layerNormBackward(kRows, kWidth, unit.data(), inverseDeviations.data(), weight.data(), gradY.data(),
                         gradX.data(), gradWeight.data(), gradBias.data());
  Doubles weightSums(kWidth);
  Doubles biasSums(kWidth);
  for (std::size_t i = 0; i < unit.size(); ++i) {
    const double grad = gradY.data()[i];
    weightSums[i % kWidth] += grad * unit.data()[i];
    biasSums[i % kWidth] += grad;
  }
  for (std::size_t j = 0; j < kWidth; ++j) {
    EXPECT_NEAR(gradWeight[j], weightSums[j], 6e-8 * weightSums[j]) << j;
    EXPECT_NEAR(gradBias[j], biasSums[j], 6e-8 * biasSums[j]) << j;
  }
}

TEST(LayerNormBackward, AddsToTheGivenGradients) {
  const Case c(6);
  const auto run = [&](float start) {
    std::vector<float> gradX(c.x.size(), start);
    std::vector<float> gradWeight(c.width, start);
    std::vector<float> gradBias(c.width, start);
    mha::layerNormBackward(Case::kRows, c.width, c.normalized.data(), c.inverseDeviations.data(),
                           c.weight.data(), c.gradY.data(), gradX.data(), gradWeight.data(), gradBias.data());
    gradX.insert(gradX.end(), gradWeight.begin(), gradWeight.end());
    gradX.insert(gradX.end(), gradBias.begin(), gradBias.end());
    return gradX;
  };
  const std::vector<float> fromZero = run(0.0F);
  const std::vector<float> fromOne = run(1.0F);
  for (std::size_t i = 0; i < fromZero.size(); ++i) EXPECT_NEAR(fromOne[i], fromZero[i] + 1.0F, 1e-5) << i;
}

}  // namespace training_layer_norm_test
