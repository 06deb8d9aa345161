/// The results of the layer and of scaledDotProductAttention().
#pragma once

#include <optional>

#include "tensor.hpp"

namespace mha {

/// The intermediate results. Query, key and value are those of the scores: after bias, activation and RoPE;
/// key and value with those of the cache, the learned and the zero one, S′ in all.
struct AttentionSteps {
  Tensor query;    // (B,H,L,d_k)
  Tensor key;      // (B,H_kv,S′,d_k)
  Tensor value;    // (B,H_kv,S′,d_v)
  Tensor scaled;   // (B,H,L,S′): scores·scale, capped
  Tensor masked;   // (B,H,L,S′): with ALiBi and masks
  Tensor context;  // (B,H,L,d_v)
  Tensor concat;   // (B,L,H·d_v)
};

/// Without B if the inputs have none. The optional ones are present if they were asked for.
struct AttentionResult {
  Tensor output;                       // layer (B,L,outDim); scaledDotProductAttention (…,H,L,d_v)
  std::optional<Tensor> weights = {};  // (B,H,L,S′), after dropout
  std::optional<Tensor> scores = {};   // (B,H,L,S′): q·k before scale, cap, ALiBi and masks
  std::optional<AttentionSteps> steps = {};
};

}  // namespace mha
