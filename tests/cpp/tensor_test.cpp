#include "tensor.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

namespace tensor_test {

TEST(Tensor, CountsElements) {
  EXPECT_EQ(mha::sizeOf({2, 3, 4}), 24U);
  EXPECT_EQ(mha::sizeOf({}), 1U);
  EXPECT_EQ(mha::sizeOf({5, 0, 7}), 0U);
}

TEST(Tensor, ThrowsForSizesThatOverflow) {
  const std::size_t half = std::numeric_limits<std::size_t>::max() / 2;
  EXPECT_THROW(mha::sizeOf({half, 2, 2}), std::length_error);
  EXPECT_THROW(mha::allocate({half, half}), std::length_error);
}

TEST(Tensor, PrintsShapes) {
  EXPECT_EQ(mha::toText({2, 10, 512}), "(2, 10, 512)");
  EXPECT_EQ(mha::toText({7}), "(7,)");
  EXPECT_EQ(mha::toText({}), "()");
}

}  // namespace tensor_test
