/// The exponential function for vectors.
#pragma once

#include "simd.hpp"

namespace mha::simd {

/// eˣ lane by lane for x ≤ 0, which is all that softmax needs. At most 2 ulp from the exact value
/// (exp_test.cpp); 0 if the result is below 1.3e-38; NaN for NaN.
///
/// x = n·ln 2 + r with |r| ≤ ln 2 / 2, eˣ = 2ⁿ·eʳ. ln 2 is split in two parts (Cody & Waite, 1980) so that
/// n·kLn2High is exact without a fused multiply-add. eʳ = 1 + r + r²·q(r), q of degree 4 fitted to the
/// least weighted error (0.05 ulp before rounding).
///
/// The object holds its constants as vectors: construct it before a loop.
class ExpOfNonPositive {
 public:
  F32x4 operator()(F32x4 x) const {
    const F32x4 bounded = max(x, smallest_);
    const F32x4 rounded = madd(bounded, log2E_, rounder_);
    const F32x4 n = sub(rounded, rounder_);
    const F32x4 r = madd(n, minusLn2Low_, madd(n, minusLn2High_, bounded));
    F32x4 q = madd(q4_, r, q3_);
    q = madd(q, r, q2_);
    q = madd(q, r, q1_);
    q = madd(q, r, q0_);
    const F32x4 power = add(one_, madd(mul(r, r), q, r));
    return mul(power, pow2OfRounded(rounded));
  }

 private:
  /// Hides the value from the compiler: V8 13 builds a vector constant from immediates at every use, which
  /// takes longer than the arithmetic (1.9 ns per element instead of 0.8).
  static F32x4 constant(float x) {
    const volatile float hidden = x;
    return splat(hidden);
  }

  F32x4 smallest_ = constant(-100.0F);  // for x this small, 2ⁿ is 0
  F32x4 log2E_ = constant(1.44269504F);
  F32x4 rounder_ = constant(kRounder);
  F32x4 minusLn2High_ = constant(-0.693359375F);
  F32x4 minusLn2Low_ = constant(2.12194440e-4F);
  F32x4 q4_ = constant(0.0013814614F);
  F32x4 q3_ = constant(0.00836871F);
  F32x4 q2_ = constant(0.04166839F);
  F32x4 q1_ = constant(0.16666521F);
  F32x4 q0_ = constant(0.49999994F);
  F32x4 one_ = constant(1.0F);
};

}  // namespace mha::simd
