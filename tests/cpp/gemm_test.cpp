#include "gemm.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>
#include <xtensor/xview.hpp>

#include "random_tensor.hpp"
#include "reference.hpp"

namespace gemm_test {

using mha::test::randomTensor;
using mha::test::Reference;

struct Case {
  std::size_t m, n, k;
};

constexpr float kUntouched = 12345.0F;

/// Packs A from strided rows, multiplies, and checks that nothing outside C is written.
void expectProduct(const Case& size, const mha::PackedRows& b, const mha::Tensor& a,
                   const Reference& expected) {
  const auto [m, n, k] = size;
  const std::size_t aStride = k + 3;
  const std::size_t cStride = n + 5;
  std::vector<float> wideA(m * aStride, kUntouched);
  for (std::size_t i = 0; i < m; ++i) std::copy_n(a.data() + i * k, k, wideA.data() + i * aStride);
  std::vector<float> packedA(m * k + 1, kUntouched);
  mha::packLeft(m, k, wideA.data(), aStride, packedA.data());
  ASSERT_EQ(packedA.back(), kUntouched) << "packed too much";
  std::vector<float> c(m * cStride, kUntouched);
  mha::gemm(m, n, packedA.data(), b, c.data(), cStride);

  const double tolerance = 1e-6 * (4.0 + static_cast<double>(k)) / 4.0;
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < cStride; ++j) {
      const float got = c[i * cStride + j];
      if (j < n) {
        ASSERT_NEAR(got, expected(i, j), tolerance) << m << "x" << n << "x" << k << " at " << i << "," << j;
      } else {
        ASSERT_EQ(got, kUntouched) << "wrote beside C";
      }
    }
  }
}

std::vector<Case> edgeSizes() {
  std::vector<Case> sizes;
  // Every distribution of the rows over tiles, for tile heights of 4 and 6.
  for (std::size_t m = 1; m <= 13; ++m) {
    for (const std::size_t n : {1, 3, 4, 5, 7, 8, 9, 16, 17}) {
      for (const std::size_t k : {1, 2, 3, 4, 5, 7, 33}) sizes.push_back({m, n, k});
    }
  }
  sizes.push_back({37, 43, 129});
  return sizes;
}

/// Both tile heights, in builds that have two: the second parameter selects the tall ones.
class Gemm : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (GetParam()) mha::useTallTiles();
  }
};

INSTANTIATE_TEST_SUITE_P(Tiles, Gemm, testing::Values(false, true),
                         [](const auto& tall) { return tall.param ? "Tall" : "Usual"; });

TEST_P(Gemm, EqualsTheNaiveProductForTransposedWeightsWithBias) {
  for (const Case& size : edgeSizes()) {
    const auto [m, n, k] = size;
    const mha::Tensor a = randomTensor({m, k}, 1);
    const mha::Tensor weight = randomTensor({n, k}, 2);
    const mha::Tensor bias = randomTensor({n}, 3);
    std::vector<float> packed(mha::packedSize(k, n), kUntouched);
    mha::packTransposed(k, n, weight.data(), k, bias.data(), packed.data());
    const Reference expected =
        mha::test::timesTransposed(Reference(xt::cast<double>(a)), Reference(xt::cast<double>(weight))) +
        xt::cast<double>(bias);
    expectProduct(size, {packed.data(), k, 0, k}, a, expected);
  }
}

TEST_P(Gemm, EqualsTheNaiveProductForAnyRangeOfRows) {
  for (const Case& size : edgeSizes()) {
    const auto [m, n, k] = size;
    const mha::Tensor a = randomTensor({m, k}, 4);
    for (const std::size_t before : {0, 3}) {
      const std::size_t all = before + k + 2;
      const mha::Tensor b = randomTensor({all, n}, 5);
      std::vector<float> packed(mha::packedSize(all, n), kUntouched);
      mha::packRows(all, n, b.data(), n, packed.data());
      const mha::Tensor rows = xt::view(b, xt::range(before, before + k), xt::all());
      const Reference expected = mha::test::timesTransposed(Reference(xt::cast<double>(a)),
                                                            Reference(xt::transpose(xt::cast<double>(rows))));
      expectProduct(size, {packed.data(), all, before, k}, a, expected);
    }
  }
}

// Every element is summed in the same order in any tile.
TEST(GemmTiles, OfAnyHeightGiveTheSameBits) {
  const mha::Tensor a = randomTensor({31, 40}, 8);
  const mha::Tensor weight = randomTensor({19, 40}, 9);
  std::vector<float> packed(mha::packedSize(40, 19));
  mha::packTransposed(40, 19, weight.data(), 40, nullptr, packed.data());
  const auto product = [&](std::size_t first, std::size_t rows) {
    std::vector<float> packedA(rows * 40);
    mha::packLeft(rows, 40, a.data() + first * 40, 40, packedA.data());
    std::vector<float> c(rows * 19);
    mha::gemm(rows, 19, packedA.data(), {packed.data(), 40, 0, 40}, c.data(), 19);
    return c;
  };
  const std::vector<float> all = product(0, 31);
  for (std::size_t first = 0; first < 31; ++first) {
    for (std::size_t rows = 1; first + rows <= 31; ++rows) {
      const std::vector<float> part = product(first, rows);
      ASSERT_TRUE(std::equal(part.begin(), part.end(), all.begin() + static_cast<std::ptrdiff_t>(first * 19)))
          << first << " " << rows;
    }
  }
}

TEST(GemmRows, KeepsNaNInItsOwnRow) {
  mha::Tensor a = xt::ones<float>({5, 4});
  a(2, 1) = std::nanf("");
  const mha::Tensor b = xt::ones<float>({4, 9});
  std::vector<float> packedA(20);
  mha::packLeft(5, 4, a.data(), 4, packedA.data());
  std::vector<float> packed(mha::packedSize(4, 9));
  mha::packRows(4, 9, b.data(), 9, packed.data());
  mha::Tensor c = mha::allocate({5, 9});
  mha::gemm(5, 9, packedA.data(), {packed.data(), 4, 0, 4}, c.data(), 9);
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = 0; j < 9; ++j) EXPECT_EQ(std::isnan(c(i, j)), i == 2);
  }
}

TEST(GemmPacking, PackedIndexFindsEveryElement) {
  const std::size_t k = 5;
  const std::size_t n = 19;
  const mha::Tensor weight = randomTensor({n, k}, 6);
  const mha::Tensor bias = randomTensor({n}, 7);
  std::vector<float> packed(mha::packedSize(k, n));
  mha::packTransposed(k, n, weight.data(), k, bias.data(), packed.data());
  for (std::size_t j = 0; j < n; ++j) {
    EXPECT_EQ(packed[mha::packedIndex(k, -1, j)], bias(j));
    for (std::size_t p = 0; p < k; ++p) {
      EXPECT_EQ(packed[mha::packedIndex(k, static_cast<std::ptrdiff_t>(p), j)], weight(j, p));
    }
  }
}

}  // namespace gemm_test
