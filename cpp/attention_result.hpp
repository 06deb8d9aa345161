/// The results of the layer and of scaledDotProductAttention().
#pragma once

#include <optional>

#include "tensor.hpp"

namespace mha {

/// The intermediate results. `query` and `key` are after bias, activation and RoPE, as the scores need them.
/// `key` and `value` have S′ rows: those of the cache, those of this call, the learned and the zero one.
struct AttentionSteps {
  Tensor query;    // (B,H,L,d_k)
  Tensor key;      // (B,H_kv,S′,d_k)
  Tensor value;    // (B,H_kv,S′,d_v)
  Tensor scaled;   // (B,H,L,S′): scores·scale, then the soft cap
  Tensor masked;   // (B,H,L,S′): `scaled` after ALiBi and masks
  Tensor context;  // (B,H,L,d_v)
  Tensor concat;   // (B,L,H·d_v)
};

/// The results of one call, without B if the inputs have none. Optional ones are present if requested.
struct AttentionResult {
  Tensor output;                       // layer (B,L,outDim); scaledDotProductAttention (…,H,L,d_v)
  std::optional<Tensor> weights = {};  // (B,H,L,S′), after dropout
  std::optional<Tensor> scores = {};   // (B,H,L,S′): q·k before scale, cap, ALiBi and masks
  std::optional<AttentionSteps> steps = {};
};

}  // namespace mha
