#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "mask_tensor.hpp"

namespace mask_test {

using mha::broadcastMask;
using mha::Masking;
using mha::Shape;
using mha::viewOf;

constexpr float kForbidden = -std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::vector<float> applied(const Masking& masking, std::vector<float> scores, std::size_t b, std::size_t h,
                           std::size_t i) {
  masking.apply(scores.data(), {0, scores.size()}, b, h, i);
  return scores;
}

std::vector<float> visibleRow(const Masking& masking, std::size_t i) {
  return applied(masking, std::vector<float>(masking.keys, 0.0F), 0, 0, i);
}

TEST(Mask, AppliesToARangeOfKeysAsToAllKeys) {
  const std::vector<std::uint8_t> allowed = {1, 0, 1, 1, 0, 1, 1};
  Masking masking{.keys = 7, .causal = true, .window = mha::Window{.left = 3, .right = 1}};
  masking.masks.push_back(broadcastMask("mask", viewOf(allowed.data(), Shape{7}), {1, 1, 6, 7}));
  for (std::size_t i = 0; i < 6; ++i) {
    const std::vector<float> all = applied(masking, std::vector<float>(9, 1.0F), 0, 0, i);
    for (std::size_t begin = 0; begin < 9; ++begin) {
      for (std::size_t end = begin + 1; end <= 9; ++end) {
        std::vector<float> part(end - begin, 1.0F);
        masking.apply(part.data(), {begin, end}, 0, 0, i);
        EXPECT_TRUE(std::equal(part.begin(), part.end(), all.begin() + static_cast<std::ptrdiff_t>(begin)))
            << i << " " << begin << " " << end;
      }
    }
  }
}

TEST(Mask, VisibleRangeOfSeveralQueriesHoldsThatOfEach) {
  for (const auto& [causal, left, right] : {std::tuple{false, 2, 1}, {true, 2, 5}, {true, 100, 0}}) {
    const Masking masking{.keys = 10,
                          .causal = causal,
                          .window = mha::Window{.left = static_cast<std::size_t>(left),
                                                .right = static_cast<std::size_t>(right)},
                          .firstPosition = 1};
    for (std::size_t first = 0; first < 14; ++first) {
      for (std::size_t count = 1; count < 5; ++count) {
        const mha::KeyRange got = masking.visible(0, first, count, 10);
        for (std::size_t j = 0; j < 10; ++j) {
          bool seen = false;
          for (std::size_t i = first; i < first + count; ++i) seen = seen || masking.allows(0, 0, i, j);
          if (seen) EXPECT_TRUE(j >= got.begin && j < got.end) << first << " " << count << " " << j;
        }
        const mha::KeyRange appended = masking.visible(0, first, count, 12);
        EXPECT_EQ(appended.end, 12U);
        EXPECT_LE(appended.begin, got.empty() ? 10U : got.begin);
      }
    }
  }
}

TEST(Mask, BroadcastsEveryShapeToTheSameElements) {
  const std::size_t B = 2;
  const std::size_t H = 3;
  const std::size_t L = 4;
  const std::size_t S = 5;
  const std::vector<Shape> shapes = {{B, H, L, S}, {B, 1, L, S}, {1, H, 1, S}, {L, S}, {1, S},
                                     {B, 1, 1, S}, {L, 1},       {1, 1, 1, 1}, {S},    {H, 1, 1}};
  for (const Shape& shape : shapes) {
    std::vector<float> added(mha::sizeOf(shape));
    for (std::size_t i = 0; i < added.size(); ++i) added[i] = static_cast<float>(i + 1);
    Masking masking{.keys = S};
    masking.masks.push_back(broadcastMask("mask", viewOf(added.data(), shape), {B, H, L, S}));
    const Shape padded = [&] {
      Shape full(4 - shape.size(), 1);
      for (const std::size_t length : shape) full.push_back(length);
      return full;
    }();
    for (std::size_t b = 0; b < B; ++b) {
      for (std::size_t h = 0; h < H; ++h) {
        for (std::size_t i = 0; i < L; ++i) {
          const std::vector<float> row = applied(masking, std::vector<float>(S, 0.0F), b, h, i);
          for (std::size_t j = 0; j < S; ++j) {
            std::size_t index = 0;
            const std::array position = {b, h, i, j};
            for (std::size_t d = 0; d < 4; ++d) index = index * padded[d] + position[d] % padded[d];
            ASSERT_EQ(row[j], added[index]) << mha::toText(shape);
          }
        }
      }
    }
  }
}

TEST(Mask, RejectsShapesThatDoNotFit) {
  const std::vector<std::uint8_t> bytes(30, 1);
  const Shape target = {2, 3, 4, 5};
  for (const Shape& shape : {Shape{4, 4}, Shape{3, 5}, Shape{2, 4, 5}, Shape{1, 2, 3, 4, 5}}) {
    try {
      broadcastMask("attnMask", viewOf(bytes.data(), shape), target);
      FAIL() << mha::toText(shape);
    } catch (const std::out_of_range& error) {
      EXPECT_EQ(std::string(error.what()),
                "`attnMask` must broadcast to (2, 3, 4, 5), got shape " + mha::toText(shape));
    }
  }
}

TEST(Mask, CausalSeesItselfAndThePast) {
  const Masking masking{.keys = 4, .causal = true};
  EXPECT_EQ(applied(masking, {1, 2, 3, 4}, 0, 0, 1), (std::vector<float>{1, 2, kForbidden, kForbidden}));
  EXPECT_EQ(applied(masking, {1, 2, 3, 4}, 0, 0, 7), (std::vector<float>{1, 2, 3, 4}));
}

TEST(Mask, WindowAllowsTheKeysAroundAQuery) {
  const float x = kForbidden;
  const Masking masking{.keys = 5, .window = mha::Window{.left = 1, .right = 2}};
  EXPECT_EQ(visibleRow(masking, 0), (std::vector<float>{0, 0, 0, x, x}));
  EXPECT_EQ(visibleRow(masking, 2), (std::vector<float>{x, 0, 0, 0, 0}));
  EXPECT_EQ(visibleRow(masking, 5), (std::vector<float>{x, x, x, x, 0}));
  EXPECT_EQ(visibleRow(masking, 6), (std::vector<float>{x, x, x, x, x}));
  const std::size_t huge = std::numeric_limits<std::size_t>::max();
  EXPECT_EQ(visibleRow({.keys = 3, .window = mha::Window{.left = huge, .right = huge}}, 1),
            (std::vector<float>{0, 0, 0}));
}

TEST(Mask, CausalAndWindowCountFromTheFirstPosition) {
  const float x = kForbidden;
  const Masking masking{
      .keys = 5, .causal = true, .window = mha::Window{.left = 1, .right = 3}, .firstPosition = 3};
  EXPECT_EQ(visibleRow(masking, 0), (std::vector<float>{x, x, 0, 0, x}));
  EXPECT_EQ(visibleRow(masking, 1), (std::vector<float>{x, x, x, 0, 0}));
}

TEST(Mask, PlacementsShiftTheQueriesAndEndTheKeys) {
  const float x = kForbidden;
  const std::array<mha::Placement, 3> placements{{{-2, 3}, {1, 5}, {0, 0}}};
  const Masking causal{.keys = 5, .causal = true, .placements = placements.data()};
  const auto row = [](const Masking& masking, std::size_t b, std::size_t i) {
    return applied(masking, std::vector<float>(masking.keys, 0.0F), b, 0, i);
  };
  EXPECT_EQ(row(causal, 0, 1), (std::vector<float>{x, x, x, x, x}));
  EXPECT_EQ(row(causal, 0, 2), (std::vector<float>{0, x, x, x, x}));
  EXPECT_EQ(row(causal, 0, 9), (std::vector<float>{0, 0, 0, x, x}));
  EXPECT_EQ(row(causal, 1, 1), (std::vector<float>{0, 0, 0, x, x}));
  EXPECT_EQ(row(causal, 2, 4), (std::vector<float>{x, x, x, x, x}));
  const Masking window{
      .keys = 5, .window = mha::Window{.left = 0, .right = 2}, .placements = placements.data()};
  EXPECT_EQ(row(window, 0, 0), (std::vector<float>{0, x, x, x, x}));
  EXPECT_EQ(row(window, 0, 2), (std::vector<float>{0, 0, 0, x, x}));
  EXPECT_TRUE(Masking{.placements = placements.data()}.any());
}

TEST(Mask, MayLeaveOutKeysThatAreNotReal) {
  const std::array<mha::Placement, 2> placements{{{0, 2}, {0, 3}}};
  const std::vector<std::uint8_t> bytes(5, 1);
  const auto keysFor = [&](std::size_t last) {
    return mha::maskedKeys(viewOf(bytes.data(), Shape{last}), {.keys = 5, .placements = placements.data()},
                           2);
  };
  EXPECT_EQ(keysFor(5), 5U);
  EXPECT_EQ(keysFor(4), 4U);
  EXPECT_EQ(keysFor(3), 3U);
  EXPECT_EQ(keysFor(2), 5U);  // a wrong size
  EXPECT_EQ(keysFor(1), 5U);  // broadcast
  EXPECT_EQ(mha::maskedKeys(viewOf(bytes.data(), Shape{4}), {.keys = 5}, 2), 5U);
}

TEST(Mask, AlwaysAllowsTheAppendedColumns) {
  const float x = kForbidden;
  const std::vector<std::uint8_t> none = {0, 0};
  Masking masking{.keys = 2, .causal = true, .window = mha::Window{.left = 0, .right = 0}};
  masking.masks.push_back(broadcastMask("mask", viewOf(none.data(), Shape{2}), {1, 1, 2}));
  EXPECT_EQ(applied(masking, {1, 2, 3, 4}, 0, 0, 0), (std::vector<float>{x, x, 3, 4}));
  EXPECT_FALSE(masking.allows(0, 0, 0, 1));
  EXPECT_TRUE(masking.allows(0, 0, 0, 2));
}

TEST(Mask, ReplacesForbiddenScoresEvenIfNaN) {
  const std::vector<std::uint8_t> allowed = {1, 0, 1, 0};
  Masking masking{.keys = 4};
  masking.masks.push_back(broadcastMask("mask", viewOf(allowed.data(), Shape{4}), {1, 1, 4}));
  EXPECT_EQ(applied(masking, {1, kNan, 3, std::numeric_limits<float>::infinity()}, 0, 0, 0),
            (std::vector<float>{1, kForbidden, 3, kForbidden}));
}

TEST(Mask, AllowsAgreesWithApply) {
  const std::vector<std::uint8_t> allowed = {1, 0, 1, 1};
  const std::vector<float> added = {0.5F, 0.0F, kForbidden, -3.0F};
  Masking masking{.keys = 4, .causal = true, .window = mha::Window{.left = 1, .right = 0}};
  masking.masks.push_back(broadcastMask("a", viewOf(added.data(), Shape{4}), {1, 4, 4}));
  masking.masks.push_back(broadcastMask("b", viewOf(allowed.data(), Shape{4}), {1, 4, 4}));
  for (std::size_t i = 0; i < 4; ++i) {
    const std::vector<float> row = applied(masking, {1, 1, 1, 1}, 0, 0, i);
    for (std::size_t j = 0; j < 4; ++j) EXPECT_EQ(masking.allows(0, 0, i, j), row[j] != kForbidden) << i << j;
  }
}

}  // namespace mask_test
