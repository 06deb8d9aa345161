/// The AdamW optimiser and gradient clipping.
#pragma once

#include <cstddef>
#include <span>

namespace mha::training {

/// Options of a step, with the names and defaults of torch.
struct AdamWOptions {
  double learningRate = 1e-3;
  double weightDecay = 0.01;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
};

/// The running means of the gradients and of their squares, (n,) each.
struct Moments {
  float* mean;
  float* meanOfSquares;
};

/// Takes step number `step`, counted from 1, with n parameters p and gradients g:
///
///   p ← p·(1 − learningRate·weightDecay)
///   m ← beta1·m + (1 − beta1)·g
///   v ← beta2·v + (1 − beta2)·g²
///   p ← p − learningRate·m̂/(√v̂ + eps), m̂ = m/(1 − beta1^step), v̂ = v/(1 − beta2^step)
///
/// @see torch.optim.AdamW; Loshchilov & Hutter, "Decoupled Weight Decay Regularization" (2019)
void adamW(std::size_t n, const float* gradients, const AdamWOptions& options, std::size_t step,
           const Moments& moments, float* parameters);

/// Scales the gradients so that their norm is at most `maxNorm`; returns the norm before.
/// @see torch.nn.utils.clip_grad_norm_; Pascanu et al., "On the difficulty of training recurrent neural
///      networks" (2013)
double clipNorm(std::span<float> gradients, double maxNorm);

}  // namespace mha::training
