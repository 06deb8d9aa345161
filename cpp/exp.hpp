/// Vector exponential.
#pragma once

#include "simd.hpp"

namespace mha::simd {

/// eˣ lane by lane for every float32, at most 2 ulp from the exact value (measured: see exp_test.cpp),
/// subnormal results and overflow to +inf included; NaN gives NaN.
///
/// x = n·ln 2 + r with |r| ≤ ln 2 / 2, eˣ = 2ⁿ·eʳ. ln 2 is split in two parts (Cody & Waite, 1980) so that
/// n·kLn2High is exact without a fused multiply-add. eʳ = 1 + r + r²·q(r), q of degree 4 fitted to the
/// least weighted error (0.05 ulp before rounding). 2ⁿ is applied in two halves: a single factor cannot
/// reach the subnormal results below 2⁻¹²⁶.
inline F32x4 exp(F32x4 x) {
  constexpr float kSmallest = -104.0F;  // below, the result rounds to 0
  constexpr float kLargest = 89.0F;     // above, the result is +inf
  constexpr float kLog2E = 1.44269504F;
  constexpr float kLn2High = 0.693359375F;
  constexpr float kLn2Low = -2.12194440e-4F;

  x = min(max(x, splat(kSmallest)), splat(kLargest));
  const F32x4 n = round(mul(x, splat(kLog2E)));
  const F32x4 r = sub(sub(x, mul(n, splat(kLn2High))), mul(n, splat(kLn2Low)));

  F32x4 q = splat(0.0013814614F);
  q = madd(q, r, splat(0.00836871F));
  q = madd(q, r, splat(0.04166839F));
  q = madd(q, r, splat(0.16666521F));
  q = madd(q, r, splat(0.49999994F));
  const F32x4 power = add(splat(1.0F), madd(mul(r, r), q, r));

  const F32x4 half = round(mul(n, splat(0.5F)));
  return mul(mul(power, pow2(half)), pow2(sub(n, half)));
}

}  // namespace mha::simd
