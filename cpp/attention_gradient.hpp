/// The gradient of scaled dot-product attention.
#pragma once

#include "attention.hpp"
#include "matrix_product.hpp"

namespace mha {

/// What attention() took and gave, and the gradient of its context.
struct AttentionGradientInputs {
  AttentionInputs inputs;
  const float* weights;  // (B,H,L,S): softmax, before dropout
  const float* dropped;  // (B,H,L,S): after dropout; `weights` where nothing was dropped
  const float* scaled;   // (B,H,L,S): scores after scale and soft cap; null without a cap
  float scale;
  float softcap;
  Heads<const float> gradContext;  // (B,H,L,d_v)
};

/// Where the gradients go; every value is written.
struct AttentionGradients {
  Heads<float> query;  // (B,H,L,d_k)
  Heads<float> key;    // (B,H_kv,S,d_k)
  Heads<float> value;  // (B,H_kv,S,d_v)
};

/// What goes back through context = dropout(softmax(cap(q·kᵀ·scale) + mask))·v, with the memory that it
/// takes.
///
/// With W the weights, W′ the dropped ones and ∂W′ = ∂context·vᵀ, the gradient of what softmax took is
/// ∂S = W′⊙∂W′ − W⊙rowsum(W′⊙∂W′); the cap multiplies it by 1 − (capped/cap)². Then ∂q = ∂S·k·scale,
/// ∂k = ∂Sᵀ·q·scale, ∂v = W′ᵀ·∂context, summed over the query heads that share a key/value head.
///
/// Keys without any weight are not read: what a mask hides reaches no gradient even when it is NaN.
/// @see torch.nn.functional.scaled_dot_product_attention; Dao et al., "FlashAttention" (2022), appendix B.2
class AttentionGradient {
 public:
  /// @throws std::bad_alloc, std::length_error
  void operator()(const AttentionSizes& sizes, const AttentionGradientInputs& from,
                  const AttentionGradients& to);

 private:
  MatrixProduct product_;
  Scratch query_;
  Scratch key_;
  Scratch value_;
  Scratch gradContext_;
  Scratch gradQuery_;
  Scratch gradScores_;
};

}  // namespace mha
