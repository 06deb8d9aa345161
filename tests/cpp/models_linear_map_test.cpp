#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "models/linear_map.hpp"
#include "random_tensor.hpp"

namespace models_linear_map_test {

using mha::Linear;
using mha::Tensor;
using mha::test::randomTensor;
using namespace mha::models;

constexpr std::size_t kIn = 19;

std::vector<float> apply(const LinearMap& map, const Tensor& x, std::size_t rows) {
  mha::PackedInput packed;
  std::vector<float> y(rows * map.outFeatures());
  std::vector<mha::Scratch> unpacked;
  map.apply(rows, packed(rows, map.inFeatures(), x.data()), y.data(), unpacked);
  return y;
}

class Int8 : public testing::TestWithParam<std::size_t> {};

TEST_P(Int8, RoundsEachWeightByAtMostHalfItsFactor) {
  const std::size_t out = GetParam();
  const Tensor weight = randomTensor({out, kIn}, 3);
  const Tensor bias = randomTensor({out}, 4);
  LinearMap map(kIn, out, WeightStorage::int8);
  map.writeWeight({0, out}, {0, kIn}, weight.data(), kIn, 1);
  map.writeBias(bias.data());
  std::vector<float> row(kIn);
  std::vector<float> kept(out);
  map.copyBias(kept.data());
  for (std::size_t o = 0; o < out; ++o) {
    const float* expected = weight.data() + o * kIn;
    float largest = 0.0F;
    for (std::size_t i = 0; i < kIn; ++i) largest = std::max(largest, std::abs(expected[i]));
    map.copyWeightRow(o, row.data());
    for (std::size_t i = 0; i < kIn; ++i) EXPECT_NEAR(row[i], expected[i], largest / 254.0F * 1.001F);
    EXPECT_EQ(kept[o], bias.data()[o]);
  }
}

TEST_P(Int8, ComputesWithTheWeightsItKeeps) {
  const std::size_t out = GetParam();
  const Tensor weight = randomTensor({out, kIn}, 5);
  const Tensor bias = randomTensor({out}, 6);
  LinearMap map(kIn, out, WeightStorage::int8);
  map.writeBias(bias.data());
  map.writeWeight({0, out}, {0, kIn}, weight.data(), kIn, 1);
  LinearMap same(kIn, out, WeightStorage::float32);
  std::vector<float> kept(out * kIn);
  for (std::size_t o = 0; o < out; ++o) map.copyWeightRow(o, kept.data() + o * kIn);
  same.writeWeight({0, out}, {0, kIn}, kept.data(), kIn, 1);
  same.writeBias(bias.data());
  for (const std::size_t rows : {1U, 7U}) {
    const Tensor x = randomTensor({rows, kIn}, rows);
    EXPECT_EQ(apply(map, x, rows), apply(same, x, rows));
  }
}

INSTANTIATE_TEST_SUITE_P(Features, Int8, testing::Values(1, 8, 33, 70));

TEST(LinearMap, TakesWeightsInPartsOfAnyOrder) {
  constexpr std::size_t kOut = 10;
  const Tensor weight = randomTensor({kOut, kIn}, 7);
  for (const WeightStorage storage : {WeightStorage::float32, WeightStorage::int8}) {
    LinearMap whole(kIn, kOut, storage);
    whole.writeWeight({0, kOut}, {0, kIn}, weight.data(), kIn, 1);
    LinearMap parts(kIn, kOut, storage);
    parts.writeWeight({4, 6}, {0, kIn}, weight.data() + 4 * kIn, kIn, 1);
    parts.writeWeight({0, 4}, {5, kIn - 5}, weight.data() + 5, kIn, 1);
    parts.writeWeight({0, 4}, {0, 5}, weight.data(), kIn, 1);
    std::vector<float> first(kIn);
    std::vector<float> second(kIn);
    for (std::size_t o = 0; o < kOut; ++o) {
      whole.copyWeightRow(o, first.data());
      parts.copyWeightRow(o, second.data());
      EXPECT_EQ(first, second);
    }
  }
}

TEST(LinearMap, KeepsZeroWeightsZero) {
  LinearMap map(2, 3, WeightStorage::int8);
  const std::vector<float> zeros(6);
  map.writeWeight({0, 3}, {0, 2}, zeros.data(), 2, 1);
  EXPECT_EQ(apply(map, randomTensor({1, 2}, 1), 1), std::vector<float>(3));
}

}  // namespace models_linear_map_test
