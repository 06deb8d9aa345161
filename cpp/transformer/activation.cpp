#include "transformer/activation.hpp"

#include "simd.hpp"
#include "transformer/gelu_vector.hpp"
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

/// Calls `take` with the function of one vector.
template <class Take>
void withFunction(ActivationFunction function, const Take& take) {
  const Sigmoid sigmoid;
  switch (function) {
    case ActivationFunction::identity:
      take([](F32x4 x) { return x; });
      return;
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

}  // namespace mha
