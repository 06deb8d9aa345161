/// The backward pass of scaled dot-product attention.
#pragma once

#include "attention.hpp"
#include "matrix_product.hpp"

namespace mha {

/// What the backward pass reads: the arguments and results of attention(), and the gradient of its context.
struct AttentionGradientInputs {
  AttentionInputs inputs;
  const float* softmaxWeights;  // (B,H,L,S): before dropout
  const float* droppedWeights;  // (B,H,L,S): after dropout; `softmaxWeights` if there is none
  const float* scaled;          // (B,H,L,S): scores after scale and soft cap; null without a cap
  float scale;
  float softcap;
  Heads<const float> gradContext;  // (B,H,L,d_v)
};

/// Where the backward pass writes the gradients; all values are overwritten.
struct AttentionGradients {
  Heads<float> query;  // (B,H,L,d_k)
  Heads<float> key;    // (B,H_kv,S,d_k)
  Heads<float> value;  // (B,H_kv,S,d_v)
};

/// The backward pass of context = dropout(softmax(cap(q·kᵀ·scale) + mask))·v, with its scratch buffers.
///
/// With the softmax weights W, the dropped weights W′ and ∂W′ = ∂context·vᵀ, the gradient of the masked
/// scores is ∂S = W′⊙∂W′ − W⊙rowsum(W′⊙∂W′); the cap multiplies it by 1 − (capped/cap)². Then ∂q =
/// ∂S·k·scale, ∂k = ∂Sᵀ·q·scale, ∂v = W′ᵀ·∂context, summed over the query heads that share a key/value head.
///
/// Keys and values whose weights are all 0 are read as zeros: masked ones reach no gradient even if NaN.
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
