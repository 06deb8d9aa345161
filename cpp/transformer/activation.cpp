#include "transformer/activation.hpp"

#include "exp.hpp"
#include "simd.hpp"
#include "vectors.hpp"

namespace mha {
namespace {

using simd::F32x4;

/// σ(x) = 1/(1 + e^(−x)), with an exponential that cannot overflow.
class Sigmoid {
 public:
  F32x4 operator()(F32x4 x) const {
    const F32x4 power = exp_(simd::sub(zero_, simd::max(x, simd::sub(zero_, x))));  // e^(−|x|)
    return simd::div(simd::ifNegative(x, power, one_), simd::add(one_, power));
  }

 private:
  simd::ExpOfNonPositive exp_;
  F32x4 zero_ = simd::splat(0.0F);
  F32x4 one_ = simd::splat(1.0F);
};

/// With a = |x|: Φ(−a) = e^(−a²/2)·t·p(t), t = 1/(1 + 0.28·a), p of degree 5 fitted to the least absolute
/// error of Φ(−a)·max(1, a), 1.1e-8 before rounding (the form of Hastings, "Approximations for Digital
/// Computers" (1955)). The same exponential gives φ.
class Gelu {
 public:
  struct Values {
    F32x4 y;
    F32x4 slope;
  };

  Values operator()(F32x4 x) const {
    const F32x4 a = simd::max(x, simd::sub(zero_, x));
    const F32x4 t = simd::div(one_, simd::madd(a, fold_, one_));
    F32x4 p = simd::madd(p5_, t, p4_);
    p = simd::madd(p, t, p3_);
    p = simd::madd(p, t, p2_);
    p = simd::madd(p, t, p1_);
    p = simd::madd(p, t, p0_);
    const F32x4 power = exp_(simd::mul(simd::mul(a, a), minusHalf_));
    const F32x4 tail = simd::mul(simd::mul(p, t), power);                           // Φ(−a)
    const F32x4 below = simd::sub(tail, simd::mul(simd::mul(a, density_), power));  // gelu'(−a)
    return {simd::sub(simd::max(x, zero_), simd::mul(a, tail)),
            simd::ifNegative(x, below, simd::sub(one_, below))};
  }

 private:
  simd::ExpOfNonPositive exp_;
  F32x4 zero_ = simd::splat(0.0F);
  F32x4 one_ = simd::splat(1.0F);
  F32x4 minusHalf_ = simd::splat(-0.5F);
  F32x4 density_ = simd::splat(0.39894228F);  // 1/√(2π)
  F32x4 fold_ = simd::splat(0.28F);
  F32x4 p5_ = simd::splat(-0.106328592F);
  F32x4 p4_ = simd::splat(0.392067134F);
  F32x4 p3_ = simd::splat(-0.240669623F);
  F32x4 p2_ = simd::splat(0.271972448F);
  F32x4 p1_ = simd::splat(0.0662294775F);
  F32x4 p0_ = simd::splat(0.116729133F);
};

/// Calls `take` with the function of one vector.
template <class Take>
void withFunction(ActivationFunction function, const Take& take) {
  const Sigmoid sigmoid;
  switch (function) {
    case ActivationFunction::relu:
      take([](F32x4 x) { return simd::ifNegative(x, simd::splat(0.0F), x); });
      return;
    case ActivationFunction::gelu: {
      const Gelu gelu;
      take([&](F32x4 x) { return gelu(x).y; });
      return;
    }
    case ActivationFunction::geluTanh:
      // x·(1 + tanh u)/2 = x·σ(2u) with u = √(2/π)·(x + 0.044715·x³)
      take([&](F32x4 x) {
        const F32x4 cubic = simd::madd(simd::mul(x, x), simd::splat(0.044715F), simd::splat(1.0F));
        return simd::mul(x, sigmoid(simd::mul(simd::mul(x, cubic), simd::splat(1.59576912F))));
      });
      return;
    case ActivationFunction::silu:
      take([&](F32x4 x) { return simd::mul(x, sigmoid(x)); });
      return;
    case ActivationFunction::tanh:
      take([&](F32x4 x) {
        const F32x4 two = simd::splat(2.0F);
        return simd::sub(simd::mul(two, sigmoid(simd::mul(two, x))), simd::splat(1.0F));
      });
      return;
    case ActivationFunction::quickGelu:
      take([&](F32x4 x) { return simd::mul(x, sigmoid(simd::mul(x, simd::splat(1.702F)))); });
      return;
    case ActivationFunction::identity:
      take([](F32x4 x) { return x; });
      return;
  }
}

}  // namespace

void activate(ActivationFunction function, std::size_t n, float* x) {
  withFunction(function, [&](const auto& f) { mapInto(x, n, f, x); });
}

void activateGated(ActivationFunction function, std::size_t n, float* gate, const float* up) {
  withFunction(function, [&](const auto& f) {
    mapInto(gate, n, [&](F32x4 g, F32x4 u) { return simd::mul(f(g), u); }, gate, up);
  });
}

void gelu(std::size_t n, const float* x, float* y, float* slope) {
  const Gelu gelu;
  std::size_t i = 0;
  for (; i + simd::kLanes <= n; i += simd::kLanes) {
    const Gelu::Values values = gelu(simd::load(x + i));
    simd::store(y + i, values.y);
    simd::store(slope + i, values.slope);
  }
  if (i < n) {
    const Gelu::Values values = gelu(simd::loadPart(x + i, n - i, 0.0F));
    simd::storePart(y + i, values.y, n - i);
    simd::storePart(slope + i, values.slope, n - i);
  }
}

void geluBackward(std::size_t n, const float* slope, float* grad) {
  mapInto(grad, n, [](F32x4 g, F32x4 s) { return simd::mul(g, s); }, grad, slope);
}

}  // namespace mha
