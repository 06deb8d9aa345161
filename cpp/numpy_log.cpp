#include "numpy_log.hpp"

#include <bit>
#include <cmath>
#include <cstdint>

#include "numpy_log_table.hpp"

// std::fma is called exactly where glibc fuses; -ffp-contract=off keeps the compiler from fusing anywhere
// else.

namespace mha {
namespace {

using std::fma;

constexpr std::uint64_t kExponentBits = 0xfff0'0000'0000'0000;

/// Computes ln(1 + r) for −1/16 ≤ r < 0 by a polynomial alone.
///
/// r − r²/2 decides the last bit. It is computed as an unevaluated sum high + low, for which r is split into
/// two parts, the first with an exact square.
double logNearOne(double r) {
  constexpr const auto& c = log_table::kNearOne;
  constexpr double kSplitter = 0x1p27;

  const double r2 = r * r;
  const double r3 = r * r2;
  const double q0 = fma(r2, c[3], fma(r, c[2], c[1]));
  const double q1 = fma(r2, c[6], fma(r, c[5], c[4]));
  const double q2 = fma(r3, c[10], fma(r2, c[9], fma(r, c[8], c[7])));
  const double q = fma(fma(q2, r3, q1), r3, q0);

  const double rHigh = fma(-kSplitter, r, fma(r, kSplitter, r));
  const double rLow = r - rHigh;
  const double square = rHigh * rHigh;
  const double high = fma(square, c[0], r);
  const double low = fma(c[0] * rLow, r + rHigh, fma(square, c[0], r - high));
  return high + fma(q, r3, low);
}

}  // namespace

/// x = 2ᵏ·z with 11/16 ≤ z < 11/8. The interval of z has an entry 1/c, ln c in the table, and
/// ln x = k·ln 2 + ln c + ln(1 + r) with r = z/c − 1, |r| < 1/128.
double numpyLog(double x) {
  constexpr double kNearOne = 0x1.ep-1;
  if (x >= kNearOne) return logNearOne(x - 1.0);

  constexpr const auto& c = log_table::kFar;
  constexpr auto kSmallestZ = std::bit_cast<std::uint64_t>(0x1.6p-1);
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t offset = bits - kSmallestZ;
  const auto& [inverse, log] = log_table::kIntervals[(offset >> 45) % log_table::kIntervals.size()];
  const auto k = static_cast<double>(static_cast<std::int64_t>(offset) >> 52);
  const auto z = std::bit_cast<double>(bits - (offset & kExponentBits));

  const double r = fma(z, inverse, -1.0);
  const double base = fma(k, log_table::kLn2High, log);
  const double high = base + r;
  const double r2 = r * r;
  const double low = fma(r2, c[0], fma(k, log_table::kLn2Low, base - high + r));
  const double q = fma(fma(r, c[4], c[3]), r2, fma(r, c[2], c[1]));
  return fma(r * r2, q, low) + high;
}

/// 1 + x = 2ᵏ·(1 + f) with √½ < 1 + f < √2. With s = f/(2 + f), ln(1 + f) = 2·artanh(s), of which
/// f − f²/2 + s·(f²/2 + R(s²)) is a form whose rounding errors are small against f.
double numpyLog1p(double x) {
  constexpr double kLinear = 0x1p-54;       // for smaller |x|, x²/2 is lost in rounding
  constexpr double kQuadratic = 0x1p-29;    // for smaller |x|, x³/3 is lost in rounding
  constexpr double kScaled = 0x1.2bec4p-2;  // from here on k < 0; about 1 − √½
  constexpr double kRoot2 = 0x1.6a09ep0;
  constexpr double kLn2High = 0x1.62e42feep-1;  // a multiple of 2⁻³³: k·kLn2High is exact
  constexpr double kLn2Low = 0x1.a39ef35793c76p-33;

  if (x > -kLinear) return x;
  if (x > -kQuadratic) return fma(x * x, -0.5, x);

  double f = x;
  double low = 0;  // the rounding error of 1 + x and the low bits of k·ln 2
  double k = 0;
  if (x <= -kScaled) {
    const double u = 1.0 + x;
    const auto bits = std::bit_cast<std::uint64_t>(u);
    auto significand = std::bit_cast<double>((bits & ~kExponentBits) | std::bit_cast<std::uint64_t>(1.0));
    k = static_cast<double>(static_cast<std::int64_t>(bits >> 52) - 1023);
    if (significand >= kRoot2) {
      significand /= 2;
      ++k;
    }
    f = significand - 1.0;
    low = fma(k, kLn2Low, (x - (u - 1.0)) / u);
  }
  const double halfSquare = 0.5 * f * f;

  // Two terms of the series suffice for small f.
  if (k != 0 && f >= -0x1.8p-20 && f < 0x1p-20) {
    const double correction = fma(f, -0x1.5555555555555p-1, 1.0) * halfSquare;
    return fma(k, kLn2High, -(correction - low - f));
  }

  const double s = f / (2.0 + f);
  const double z = s * s;
  const double z2 = z * z;
  const double z4 = z2 * z2;
  const double r2 = fma(z, 0x1.2492494229359p-2, 0x1.999999997fa04p-2);
  const double r4 = fma(z, 0x1.7466496cb03dep-3, 0x1.c71c51d8e78afp-3);
  const double r6 = fma(z, 0x1.2f112df3e5244p-3, 0x1.39a09d078c69fp-3);
  const double r = fma(z2 * z4, r6, fma(z4, r4, fma(z, 0x1.5555555555593p-1, z2 * r2)));
  return fma(k, kLn2High, -(halfSquare - (low + s * (halfSquare + r)) - f));
}

}  // namespace mha
