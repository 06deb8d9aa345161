/// Activation functions of feed-forward networks and heads, for inference.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mha {

enum class ActivationFunction : std::uint8_t {
  identity,
  relu,
  gelu,      // x·Φ(x): torch.nn.functional.gelu, approximate='none'; transformers' "gelu"
  geluTanh,  // approximate='tanh'; transformers' "gelu_new", "gelu_pytorch_tanh"
  silu,      // x·σ(x), also called swish
  tanh,
};

/// x (n,) in place. Absolute error at most 4e-7·max(1, |x|).
void activate(ActivationFunction function, std::size_t n, float* x);

/// gate (n,) ← f(gate)·up, the gated linear unit. @see Shazeer, "GLU Variants Improve Transformer" (2020)
void activateGated(ActivationFunction function, std::size_t n, float* gate, const float* up);

}  // namespace mha
