/// The functional form: attention of query, key and value that are already projected and split into heads.
#pragma once

#include <cstdint>
#include <optional>

#include "attention.hpp"
#include "attention_result.hpp"
#include "mask_tensor.hpp"
#include "tensor.hpp"

namespace mha {

/// Options of one call.
struct ScaledDotProductOptions {
  std::optional<MaskTensor> mask = {};  // broadcast to (…,H,L,S)
  bool isCausal = false;
  std::optional<Window> window = {};
  std::optional<TensorView> alibiSlopes = {};  // (H,)
  float softcap = 0.0F;                        // 0: none
  std::optional<float> scale = {};             // 1/√d_k when absent
  double dropout = 0.0;                        // 0 … 1
  std::uint64_t seed = 0;                      // of dropout
  bool enableGqa = false;                      // key and value may have fewer heads: a divisor of H
  const Placement* placements = nullptr;       // (B,), B counts the flattened dimensions before the heads
  bool needWeights = true;
  ReturnedScores returnScores = ReturnedScores::none;
  WeightsSink* weightsSink = nullptr;
};

/// query (…,H,L,d_k), key (…,H,S,d_k), value (…,H,S,d_v) → output (…,H,L,d_v), weights (…,H,L,S).
/// At least (L,d). The dimensions before the last two must be equal, except H of key and value with
/// `enableGqa`.
/// @throws std::out_of_range for wrong shapes; std::bad_alloc, std::length_error
/// @see torch.nn.functional.scaled_dot_product_attention
AttentionResult scaledDotProductAttention(const TensorView& query, const TensorView& key,
                                          const TensorView& value, const ScaledDotProductOptions& options);

}  // namespace mha
