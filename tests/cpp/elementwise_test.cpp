#include "elementwise.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace elementwise_test {

TEST(Elementwise, AddsAndScalesRowsOfAnyLength) {
  for (std::size_t n = 0; n <= 9; ++n) {
    std::vector<float> x(n + 1, 3.0F);
    const std::vector<float> y(n + 1, 0.5F);
    mha::addTo(x.data(), y.data(), n);
    mha::scaleBy(x.data(), n, 2.0F);
    for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(x[i], 7.0F);
    EXPECT_EQ(x[n], 3.0F);
  }
}

}  // namespace elementwise_test
