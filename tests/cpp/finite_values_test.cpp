#include "finite_values.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <vector>

namespace finite_values_test {

using mha::FiniteValues;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(FiniteValues, AreNotCopiedIfAllAreFinite) {
  const std::vector<float> values = {1, 2, kInfinity, 3, 4, kInfinity};
  const FiniteValues finite(values.data(), 2, 3, 2);
  EXPECT_EQ(finite.data(), values.data());
  EXPECT_EQ(finite.row(), 3U);
  EXPECT_TRUE(finite.removed().empty());
}

/// The values (2,2) of a head after the constructor has zeroed rows.
std::vector<float> rowsOf(const FiniteValues& finite) {
  std::vector<float> rows;
  for (std::size_t j = 0; j < 2; ++j) {
    const float* row = finite.data() + j * finite.row();
    rows.insert(rows.end(), row, row + 2);
  }
  return rows;
}

// AddressSanitizer reports pointers into a destroyed object.
TEST(FiniteValues, StayValidAfterTheObjectTheyWereCopiedOrMovedFromIsGone) {
  const std::vector<float> values = {1, kInfinity, 0, 3, 4, 0};
  const std::vector<float> expected = {0, 0, 3, 4};
  std::optional<FiniteValues> first(std::in_place, values.data(), 2, 3, 2);
  EXPECT_EQ(rowsOf(*first), expected);
  const FiniteValues copied = *first;
  EXPECT_NE(copied.data(), first->data());
  const FiniteValues moved = std::move(*first);
  first.reset();
  EXPECT_EQ(rowsOf(copied), expected);
  EXPECT_EQ(rowsOf(moved), expected);
  EXPECT_EQ(moved.removed(), std::vector<std::size_t>{0});
}

}  // namespace finite_values_test
