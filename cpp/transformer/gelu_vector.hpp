/// The Gaussian error linear unit of one vector. Only for sources that are compiled per instruction set.
#pragma once

#include "exp.hpp"
#include "simd.hpp"

namespace mha {

/// With a = |x|: Φ(−a) = e^(−a²/2)·t·p(t), t = 1/(1 + 0.28·a), p of degree 5 fitted to the least absolute
/// error of Φ(−a)·max(1, a), 1.1e-8 before rounding (the form of Hastings, "Approximations for Digital
/// Computers" (1955)). The same exponential gives φ.
class Gelu {
 public:
  struct Values {
    simd::F32x4 y;
    simd::F32x4 slope;
  };

  Values operator()(simd::F32x4 x) const {
    const simd::F32x4 a = simd::max(x, simd::sub(zero_, x));
    const simd::F32x4 t = simd::div(one_, simd::madd(a, fold_, one_));
    simd::F32x4 p = simd::madd(p5_, t, p4_);
    p = simd::madd(p, t, p3_);
    p = simd::madd(p, t, p2_);
    p = simd::madd(p, t, p1_);
    p = simd::madd(p, t, p0_);
    const simd::F32x4 power = exp_(simd::mul(simd::mul(a, a), minusHalf_));
    const simd::F32x4 tail = simd::mul(simd::mul(p, t), power);                           // Φ(−a)
    const simd::F32x4 below = simd::sub(tail, simd::mul(simd::mul(a, density_), power));  // gelu'(−a)
    return {simd::sub(simd::max(x, zero_), simd::mul(a, tail)),
            simd::ifNegative(x, below, simd::sub(one_, below))};
  }

 private:
  simd::ExpOfNonPositive exp_;
  simd::F32x4 zero_ = simd::splat(0.0F);
  simd::F32x4 one_ = simd::splat(1.0F);
  simd::F32x4 minusHalf_ = simd::splat(-0.5F);
  simd::F32x4 density_ = simd::splat(0.39894228F);  // 1/√(2π)
  simd::F32x4 fold_ = simd::splat(0.28F);
  simd::F32x4 p5_ = simd::splat(-0.106328592F);
  simd::F32x4 p4_ = simd::splat(0.392067134F);
  simd::F32x4 p3_ = simd::splat(-0.240669623F);
  simd::F32x4 p2_ = simd::splat(0.271972448F);
  simd::F32x4 p1_ = simd::splat(0.0662294775F);
  simd::F32x4 p0_ = simd::splat(0.116729133F);
};

}  // namespace mha
