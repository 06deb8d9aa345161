#include "kv_cache.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>
#include <string>

namespace kv_cache_test {

using mha::KvCache;

constexpr mha::KvSizes kSizes{.layer = 7, .batch = 2, .kvHeads = 1, .headDim = 3, .valueHeadDim = 2};

/// Appends `rows` rows whose values encode batch item and position.
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
  cache.commit(rows);
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

void expectRefused(KvCache& cache, const mha::KvSizes& sizes, const std::string& message) {
  try {
    cache.reserve(sizes, 1);
    FAIL();
  } catch (const std::out_of_range& error) {
    EXPECT_EQ(std::string(error.what()), message);
  }
  EXPECT_EQ(cache.length(), 2U);
  EXPECT_EQ(cache.keys().from(1).at(1, 0)[2], 101.0F);
}

TEST(KvCache, AcceptsOneLayerAndOneBatchSizeUntilItIsEmpty) {
  KvCache cache;
  append(cache, 2);
  mha::KvSizes other = kSizes;
  other.layer = 8;
  expectRefused(
      cache, other,
      "`cache` must be empty, filled by this layer or with keys and values of its heads, got another");
  other = kSizes;
  other.batch = 1;
  expectRefused(cache, other, "`query` must have the batch size 2 of `cache`, got 1");
  cache.truncate(0);
  cache.reserve({.layer = 8, .batch = 1, .kvHeads = 4, .headDim = 8, .valueHeadDim = 8}, 1);
  EXPECT_EQ(cache.length(), 0U);
}

TEST(KvCache, ContinuesAfterTruncation) {
  KvCache cache;
  append(cache, 4);
  cache.truncate(1);
  append(cache, 2);
  EXPECT_EQ(cache.length(), 3U);
  for (std::size_t t = 0; t < 3; ++t)
    EXPECT_EQ(cache.keys().from(t).at(1, 0)[0], static_cast<float>(100 + t));
}

TEST(KvCache, TruncateNeverLengthens) {
  KvCache cache;
  append(cache, 4);
  cache.truncate(1);
  cache.truncate(4);
  EXPECT_EQ(cache.length(), 1U);
  cache.truncate(0);
  cache.truncate(1U << 20U);
  EXPECT_EQ(cache.length(), 0U);
}

TEST(KvCache, IsContiguousWhenReservedWhileEmpty) {
  KvCache cache;
  append(cache, 40);
  cache.truncate(0);
  cache.reserve(kSizes, 3);
  EXPECT_EQ(cache.keys().batch, 3 * kSizes.headDim);
  EXPECT_EQ(cache.values().batch, 3 * kSizes.valueHeadDim);
}

}  // namespace kv_cache_test
