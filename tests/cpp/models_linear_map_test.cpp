#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "models/linear_map.hpp"
#include "models/parameters.hpp"
#include "random_tensor.hpp"
#include "wrong_argument.hpp"

namespace models_linear_map_test {

using mha::Linear;
using mha::Tensor;
using mha::test::randomTensor;
using namespace mha::models;

constexpr std::size_t kIn = 19;

std::vector<float> apply(const LinearMap& map, const Tensor& x, std::size_t rows) {
  MapInput input;
  input.set(rows, map.inFeatures(), x.data());
  std::vector<float> y(rows * map.outFeatures());
  map.apply(input, y.data());
  return y;
}

/// The weight (out,in) as it is kept.
std::vector<float> kept(const LinearMap& map) {
  std::vector<float> weight(map.outFeatures() * map.inFeatures());
  for (std::size_t o = 0; o < map.outFeatures(); ++o) {
    map.copyWeightRow(o, weight.data() + o * map.inFeatures());
  }
  return weight;
}

LinearMap written(std::size_t in, std::size_t out, WeightStorage storage, ElementType type,
                  const std::vector<float>& weight, const Tensor& bias) {
  LinearMap map(in, out, storage);
  map.writeBias(bias.data());
  map.writeWeight(type, {0, out}, {0, in}, weight.data(), in, 1);
  return map;
}

/// Random numbers that have 16 bits.
std::vector<float> rounded(ElementType type, const mha::Shape& shape, std::uint32_t seed) {
  const Tensor values = randomTensor(shape, seed);
  std::vector<float> result(values.size());
  const std::uint32_t mask = type == ElementType::f16 ? 0xFFFFE000U : 0xFFFF0000U;
  std::ranges::transform(values, result.begin(), [&](float value) {
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) & mask);
  });
  return result;
}

class Int8 : public testing::TestWithParam<std::size_t> {};

TEST_P(Int8, RoundsEachWeightByAtMostHalfItsFactor) {
  const std::size_t out = GetParam();
  const Tensor weight = randomTensor({out, kIn}, 3);
  const Tensor bias = randomTensor({out}, 4);
  LinearMap map(kIn, out, WeightStorage::int8);
  map.writeWeight(ElementType::f32, {0, out}, {0, kIn}, weight.data(), kIn, 1);
  map.writeBias(bias.data());
  std::vector<float> row(kIn);
  std::vector<float> keptBias(out);
  map.copyBias(keptBias.data());
  for (std::size_t o = 0; o < out; ++o) {
    const float* expected = weight.data() + o * kIn;
    float largest = 0.0F;
    for (std::size_t i = 0; i < kIn; ++i) largest = std::max(largest, std::abs(expected[i]));
    map.copyWeightRow(o, row.data());
    for (std::size_t i = 0; i < kIn; ++i) EXPECT_NEAR(row[i], expected[i], largest / 254.0F * 1.001F);
    EXPECT_EQ(keptBias[o], bias.data()[o]);
  }
}

TEST_P(Int8, RoundsInputsTo16Bits) {
  const std::size_t out = GetParam();
  // More inputs than are summed in whole numbers at a time; an odd number.
  for (const std::size_t in : {1U, 19U, 1100U}) {
    const Tensor weight = randomTensor({out, in}, 5);
    const Tensor bias = randomTensor({out}, 6);
    const std::vector<float> values(weight.begin(), weight.end());
    const LinearMap map = written(in, out, WeightStorage::int8, ElementType::f32, values, bias);
    const std::vector<float> rounded = kept(map);
    for (const std::size_t rows : {1U, 2U, 3U, 4U, 5U, 11U}) {
      const Tensor x = randomTensor({rows, in}, rows);
      const std::vector<float> y = apply(map, x, rows);
      for (std::size_t i = 0; i < rows; ++i) {
        double largest = 0.0;
        for (std::size_t p = 0; p < in; ++p) largest = std::max(largest, std::abs(double{x(i, p)}));
        for (std::size_t o = 0; o < out; ++o) {
          double expected = bias(o);
          double bound = 1e-6;
          for (std::size_t p = 0; p < in; ++p) {
            expected += double{rounded[o * in + p]} * x(i, p);
            bound += std::abs(rounded[o * in + p]) * (largest / 65534.0 * 1.01 + 1e-6);
          }
          ASSERT_NEAR(y[i * out + o], expected, bound) << in << " to " << out << ", row " << i;
        }
      }
    }
  }
}

TEST_P(Int8, SumsTheLargestNumbersWithoutOverflow) {
  const std::size_t out = GetParam();
  constexpr std::size_t kLong = 1024;
  const std::vector<float> weight(out * kLong, -3.0F);
  const Tensor bias = randomTensor({out}, 1);
  const LinearMap map = written(kLong, out, WeightStorage::int8, ElementType::f32, weight, bias);
  Tensor x = mha::allocate({5, kLong});
  std::fill(x.begin(), x.end(), 7.0F);
  const std::vector<float> y = apply(map, x, 5);
  for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(y[i], bias(i % out) - 21.0F * kLong, 0.05F);
}

TEST(LinearMap, TakesWholeNumbersWithAScale) {
  const std::size_t out = 37;
  const Tensor x = randomTensor({3, kIn}, 1);
  const Tensor scale = randomTensor({out}, 2);
  const Tensor bias = randomTensor({out}, 3);
  std::vector<float> whole(out * kIn);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    whole[i] = static_cast<float>(static_cast<int>(i * 2654435761U % 256) - 128);
  }
  std::vector<float> expected(whole);
  for (std::size_t i = 0; i < whole.size(); ++i) expected[i] *= scale.data()[i / kIn];
  for (const bool scaleFirst : {true, false}) {
    std::vector<std::vector<float>> results;
    for (const WeightStorage storage :
         {WeightStorage::automatic, WeightStorage::int8, WeightStorage::float32}) {
      LinearMap map(kIn, out, storage);
      map.writeBias(bias.data());
      if (scaleFirst) map.writeScale(scale.data());
      map.writeWeight(ElementType::i8, {0, 5}, {0, kIn}, whole.data(), kIn, 1);
      map.writeWeight(ElementType::i8, {5, out - 5}, {0, kIn}, whole.data() + 5 * kIn, kIn, 1);
      if (!scaleFirst) map.writeScale(scale.data());
      EXPECT_EQ(kept(map), expected);
      results.push_back(apply(map, x, 3));
    }
    EXPECT_EQ(results[0], results[1]);
    const LinearMap floats = written(kIn, out, WeightStorage::float32, ElementType::f32, expected, bias);
    EXPECT_EQ(results[2], apply(floats, x, 3));
    EXPECT_NE(results[0], results[2]);
  }
}

TEST(LinearMap, GivesNoFiniteNumberForOneThatIsNot) {
  const std::vector<float> weight(4, 1.0F);
  const LinearMap map = written(2, 2, WeightStorage::int8, ElementType::f32, weight, randomTensor({2}, 1));
  for (const float wrong :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    Tensor x = randomTensor({2, 2}, 1);
    x(1, 0) = wrong;
    const std::vector<float> y = apply(map, x, 2);
    EXPECT_TRUE(std::isfinite(y[0]) && std::isfinite(y[1]));
    EXPECT_FALSE(std::isfinite(y[2]) || std::isfinite(y[3]));
  }
}

INSTANTIATE_TEST_SUITE_P(Features, Int8, testing::Values(1, 8, 33, 70));

class Halves : public testing::TestWithParam<ElementType> {};

INSTANTIATE_TEST_SUITE_P(Types, Halves, testing::Values(ElementType::f16, ElementType::bf16),
                         [](const auto& type) { return type.param == ElementType::f16 ? "F16" : "BF16"; });

TEST_P(Halves, GiveTheBitsOfFloat32) {
  // More inputs than are unpacked at a time, of one tile and of many.
  for (const std::size_t in : {1U, 19U, 800U}) {
    for (const std::size_t out : {1U, 3U, 8U, 21U, 33U, 70U}) {
      const std::vector<float> weight = rounded(GetParam(), {out, in}, 3);
      const Tensor bias = randomTensor({out}, 4);
      const LinearMap map = written(in, out, WeightStorage::automatic, GetParam(), weight, bias);
      const LinearMap same = written(in, out, WeightStorage::float32, GetParam(), weight, bias);
      EXPECT_EQ(kept(map), weight);
      for (const std::size_t rows : {1U, 2U, 7U, 30U, 90U}) {
        const Tensor x = randomTensor({rows, in}, rows);
        ASSERT_EQ(apply(map, x, rows), apply(same, x, rows)) << rows << " rows, " << in << " to " << out;
      }
    }
  }
}

TEST_P(Halves, GiveTheBitsOfFloat32ForInputsOfAnySize) {
  const std::vector<float> weight = rounded(GetParam(), {40, kIn}, 3);
  const Tensor bias = randomTensor({40}, 4);
  const LinearMap map = written(kIn, 40, WeightStorage::automatic, GetParam(), weight, bias);
  const LinearMap same = written(kIn, 40, WeightStorage::float32, GetParam(), weight, bias);
  for (const float size : {0x1p-140F, 0x1p24F, 0x1p26F, 0x1p120F}) {
    for (const std::size_t rows : {1U, 3U}) {
      Tensor x = randomTensor({rows, kIn}, 5);
      for (float& value : x) value *= size;
      EXPECT_EQ(apply(map, x, rows), apply(same, x, rows)) << rows << " rows, " << size;
    }
  }
}

/// All finite numbers of the format.
std::vector<float> allNumbers(ElementType type) {
  std::vector<float> numbers;
  for (std::uint32_t bits = 0; bits < 0x10000U; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    float value = 0.0F;
    widen(type, reinterpret_cast<const std::uint8_t*>(&half), 1, &value);
    if (std::isfinite(value)) numbers.push_back(value);
  }
  return numbers;
}

bool isSame(const std::vector<float>& a, const std::vector<float>& b) {
  return std::ranges::equal(a, b, [](float x, float y) {
    return std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y);
  });
}

TEST_P(Halves, KeepEveryNumberOfTheirFormat) {
  const std::vector<float> numbers = allNumbers(GetParam());
  ASSERT_GT(numbers.size(), 60'000U);
  const std::size_t count = numbers.size();
  LinearMap map(count, 1, WeightStorage::automatic);
  map.writeWeight(GetParam(), {0, 1}, {0, count}, numbers.data(), count, 1);
  EXPECT_TRUE(isSame(kept(map), numbers));
  // A single number each, so that the large ones of float16 don't take the others with them.
  for (std::size_t i = 0; i < count; i += 7) {
    LinearMap one(1, 1, WeightStorage::automatic);
    one.writeWeight(GetParam(), {0, 1}, {0, 1}, &numbers[i], 1, 1);
    ASSERT_TRUE(isSame(kept(one), {numbers[i]})) << numbers[i];
    const Tensor x = randomTensor({1, 1}, 1);
    ASSERT_EQ(apply(one, x, 1), std::vector<float>{x.data()[0] * numbers[i]}) << numbers[i];
  }
}

TEST_P(Halves, AreLeftForFloat32WhereANumberNeedsIt) {
  const std::vector<float> halves = rounded(GetParam(), {10, kIn}, 8);
  const Tensor bias = randomTensor({10}, 9);
  std::vector<float> mixed = halves;
  mixed[4 * kIn + 3] = 0.1F;
  mixed[5 * kIn] = std::numeric_limits<float>::denorm_min();
  mixed[6 * kIn] = 1e30F;
  LinearMap map(kIn, 10, WeightStorage::automatic);
  map.writeBias(bias.data());
  map.writeWeight(GetParam(), {0, 4}, {0, kIn}, mixed.data(), kIn, 1);
  map.writeWeight(GetParam(), {4, 3}, {0, kIn}, mixed.data() + 4 * kIn, kIn, 1);
  map.writeWeight(ElementType::f32, {7, 3}, {0, kIn}, mixed.data() + 7 * kIn, kIn, 1);
  EXPECT_TRUE(isSame(kept(map), mixed));
  const LinearMap same = written(kIn, 10, WeightStorage::float32, ElementType::f32, mixed, bias);
  const Tensor x = randomTensor({3, kIn}, 1);
  EXPECT_EQ(apply(map, x, 3), apply(same, x, 3));
}

TEST(LinearMap, TakesWeightsInPartsOfAnyOrder) {
  constexpr std::size_t kOut = 10;
  const std::vector<float> weight = rounded(ElementType::bf16, {kOut, kIn}, 7);
  for (const WeightStorage storage :
       {WeightStorage::automatic, WeightStorage::float32, WeightStorage::int8}) {
    LinearMap whole(kIn, kOut, storage);
    whole.writeWeight(ElementType::bf16, {0, kOut}, {0, kIn}, weight.data(), kIn, 1);
    LinearMap parts(kIn, kOut, storage);
    const auto write = [&](const Linear::Features& outputs, const Linear::Features& inputs) {
      parts.writeWeight(ElementType::bf16, outputs, inputs,
                        weight.data() + outputs.first * kIn + inputs.first, kIn, 1);
    };
    write({4, 6}, {0, kIn});
    write({0, 4}, {5, kIn - 5});
    write({0, 4}, {0, 5});
    EXPECT_EQ(kept(whole), kept(parts));
  }
}

TEST(LinearMap, TakesTransposedWeights) {
  const std::vector<float> weight = rounded(ElementType::f16, {kIn, 10}, 7);
  LinearMap map(kIn, 10, WeightStorage::automatic);
  map.writeWeight(ElementType::f16, {0, 10}, {0, kIn}, weight.data(), 1, 10);
  for (std::size_t o = 0; o < 10; ++o) {
    for (std::size_t i = 0; i < kIn; ++i) EXPECT_EQ(kept(map)[o * kIn + i], weight[i * 10 + o]);
  }
}

TEST(LinearMap, KeepsZeroWeightsZero) {
  LinearMap map(2, 3, WeightStorage::int8);
  const std::vector<float> zeros(6);
  map.writeWeight(ElementType::f32, {0, 3}, {0, 2}, zeros.data(), 2, 1);
  EXPECT_EQ(apply(map, randomTensor({1, 2}, 1), 1), std::vector<float>(3));
}

TEST(LinearMap, IsNotUsedBeforeItIsWritten) {
  const LinearMap map(2, 3, WeightStorage::automatic);
  EXPECT_THROW(apply(map, randomTensor({1, 2}, 1), 1), mha::WrongArgument);
}

}  // namespace models_linear_map_test
