/// Activation functions of feed-forward networks and heads, and the backward pass of GELU.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mha {

enum class ActivationFunction : std::uint8_t {
  relu,
  gelu,      // x·Φ(x): torch.nn.functional.gelu, approximate='none'; transformers' "gelu"
  geluTanh,  // approximate='tanh'; transformers' "gelu_new", "gelu_pytorch_tanh"
  silu,      // x·σ(x), also called swish
  tanh,
  quickGelu,  // x·σ(1.702·x): CLIP
  identity,
};

/// x (n,) in place. Absolute error at most 4e-7·max(1, |x|).
void activate(ActivationFunction function, std::size_t n, float* x);

/// gate (n,) ← f(gate)·up, the gated linear unit. @see Shazeer, "GLU Variants Improve Transformer" (2020)
void activateGated(ActivationFunction function, std::size_t n, float* gate, const float* up);

/// y[i] = x[i]·Φ(x[i]), with the normal distribution function Φ, within 2e-7 of the exact value for |x| ≤ 3
/// and 1e-7·|x| beyond; slope[i] = Φ(x[i]) + x[i]·φ(x[i]), its derivative, within 4e-7. (n,) each; `slope`
/// may be `x`.
/// @see torch.nn.functional.gelu, approximate='none'; Hendrycks & Gimpel, "Gaussian Error Linear Units"
/// (2016)
void gelu(std::size_t n, const float* x, float* y, float* slope);

/// Replaces `grad` (n,), the gradient of y, by that of x: multiplies it by `slope`.
void geluBackward(std::size_t n, const float* slope, float* grad);

}  // namespace mha
