#include "kv_cache.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>
#include <string>

namespace {

using mha::KvCache;

constexpr mha::KvSizes kSizes{.batch = 2, .kvHeads = 1, .headDim = 3, .valueHeadDim = 2};

/// Writes `rows` rows whose numbers tell batch item and position, and keeps them.
void append(KvCache& cache, std::size_t rows) {
  const std::size_t first = cache.length();
  cache.reserve(kSizes, rows);
  for (std::size_t b = 0; b < kSizes.batch; ++b) {
    for (std::size_t t = first; t < first + rows; ++t) {
      const auto value = static_cast<float>(100 * b + t);
      std::fill_n(cache.keys().from(t).at(b, 0), kSizes.headDim, value);
      std::fill_n(cache.values().from(t).at(b, 0), kSizes.valueHeadDim, -value);
    }
  }
  cache.keep(rows);
}

TEST(KvCache, KeepsItsRowsAsItGrows) {
  KvCache cache;
  for (const std::size_t rows : {1, 1, 5, 2, 40}) append(cache, rows);
  ASSERT_EQ(cache.length(), 49U);
  for (std::size_t b = 0; b < kSizes.batch; ++b) {
    for (std::size_t t = 0; t < 49; ++t) {
      const auto value = static_cast<float>(100 * b + t);
      for (std::size_t p = 0; p < 3; ++p) EXPECT_EQ(cache.keys().from(t).at(b, 0)[p], value);
      for (std::size_t p = 0; p < 2; ++p) EXPECT_EQ(cache.values().from(t).at(b, 0)[p], -value);
    }
  }
}

TEST(KvCache, RefusesOtherSizesUntilItIsEmpty) {
  KvCache cache;
  append(cache, 2);
  const mha::KvSizes other{.batch = 1, .kvHeads = 4, .headDim = 8, .valueHeadDim = 8};
  try {
    cache.reserve(other, 1);
    FAIL();
  } catch (const std::out_of_range& error) {
    EXPECT_EQ(
        std::string(error.what()),
        "`cache` must have the sizes (B, H_kv, d_k, d_v) of this call, (1, 4, 8, 8), got one that holds "
        "(2, 1, 3, 2)");
  }
  EXPECT_EQ(cache.length(), 2U);
  EXPECT_EQ(cache.keys().from(1).at(1, 0)[2], 101.0F);
  cache.reset();
  cache.reserve(other, 1);
  EXPECT_EQ(cache.length(), 0U);
}

}  // namespace
