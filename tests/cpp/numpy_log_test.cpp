#include "numpy_log.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <vector>

namespace numpy_log_test {

struct Sample {
  double x;
  double value;  // of glibc 2.36 on x86-64 with fused multiply-add
};

// Samples for which glibc without fused multiply-add gives another last bit; some are not correctly rounded.

TEST(NumpyLog, EqualsGlibcWhereFusedMultiplyAddMatters) {
  const std::vector<Sample> samples{
      {0x1.76f73cf5e180cp-1, -0x1.3ef73381ecc16p-2}, {0x1.b6997d70cfccp-2, -0x1.b21df9dfcab24p-1},
      {0x1.4b55544f7e27ep-1, -0x1.bda5011d48156p-2}, {0x1.2508d8d0b2c5cp-2, -0x1.404d6a342625cp+0},
      {0x1.686e55ce6bc14p-2, -0x1.0b4ecf0db7e0bp+0}, {0x1.c1852ae514bc4p-1, -0x1.0a88ddde65a26p-3},
      {0x1.dc310426f2396p-1, -0x1.28fa969a1b9e6p-4}, {0x1.dc9987281d70ep-1, -0x1.257801d412fa4p-4},
      {0x1.e213ce9dbcf68p-1, -0x1.ed527f7b9b4fep-5}, {0x1.e5cc349e4a072p-1, -0x1.ae58674bff9b8p-5},
  };
  for (const auto& [x, value] : samples) EXPECT_EQ(mha::numpyLog(x), value) << std::hexfloat << x;
}

TEST(NumpyLog, EqualsGlibcAtTheEndsOfIntervals) {
  const std::vector<Sample> samples{
      {0x1p-104, -0x1.205966f2b4f12p+6},
      {0x1p-52, -0x1.205966f2b4f12p+5},
      {0x1p-1, -0x1.62e42fefa39efp-1},
      {0x1.6p-1, -0x1.7fafa3bd8151cp-2},
      {0x1.dffffca501acbp-1, -0x1.0859a7fbf792p-4},
      {0x1.ep-1, -0x1.08598b59e3a07p-4},
      {0x1.e666666666666p-1, -0x1.a431d5bcc193ep-5},
      {0x1.fffffffffffffp-1, -0x1p-53},
  };
  for (const auto& [x, value] : samples) EXPECT_EQ(mha::numpyLog(x), value) << std::hexfloat << x;
}

TEST(NumpyLog1p, EqualsGlibcWhereFusedMultiplyAddMatters) {
  const std::vector<Sample> samples{
      {-0x1.1b669258916bcp-3, -0x1.31077b4deafd4p-3}, {-0x1.b5cc838f31074p-3, -0x1.ec8daf6f0e742p-3},
      {-0x1.ba6891dd61788p-3, -0x1.f26cbd6ee9b2dp-3}, {-0x1.c5633995ae0fcp-3, -0x1.003d14eb6d5a9p-2},
      {-0x1.1d13c927ba6c2p-2, -0x1.4e1bf1cbeedfp-2},  {-0x1.393f70caa3742p-2, -0x1.75e95a2b5f42ap-2},
      {-0x1.3eb584a0b2b5p-2, -0x1.7dcf60fb12e2ap-2},  {-0x1.5d25f2f1c8f3cp-2, -0x1.aafc7a4cd34f3p-2},
      {-0x1.848e83bd01bp-2, -0x1.e899bb1407f77p-2},   {-0x1.61c0116ffa98fp-1, -0x1.2c951c487251bp+0},
  };
  for (const auto& [x, value] : samples) EXPECT_EQ(mha::numpyLog1p(x), value) << std::hexfloat << x;
}

TEST(NumpyLog1p, EqualsGlibcAtTheEndsOfIntervals) {
  const std::vector<Sample> samples{
      {-0x1p-53, -0x1p-53},
      {-0x1p-40, -0x1.00000000008p-40},
      {-0x1.5eb851eb851ecp-30, -0x1.5eb851ef4617dp-30},
      {-0x1p-29, -0x1.00000004p-29},
      {-0x1.2beb5b2d4d402p-2, -0x1.62e2fe73833b5p-2},
      {-0x1.2bec4p-2, -0x1.62e4420e1ff1p-2},
      {-0x1p-1, -0x1.62e42fefa39efp-1},
      {-0x1.00000055e63b9p-1, -0x1.62e4309b70163p-1},
      {-0x1.8p-1, -0x1.62e42fefa39efp+0},
      {-0x1.4p-1, -0x1.f62f40794a7b8p-1},
      {-0x1.fffffffffffffp-1, -0x1.25e4f7b2737fap+5},
  };
  for (const auto& [x, value] : samples) EXPECT_EQ(mha::numpyLog1p(x), value) << std::hexfloat << x;
}

TEST(NumpyLog1p, KeepsTheSignOfZero) {
  EXPECT_EQ(std::bit_cast<std::uint64_t>(mha::numpyLog1p(-0.0)), std::bit_cast<std::uint64_t>(-0.0));
}

}  // namespace numpy_log_test
