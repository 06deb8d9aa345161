/// The results of the layer and of scaledDotProductAttention().
#pragma once

#include <cstdint>
#include <optional>

#include "attention.hpp"
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

/// Which scores a call returns.
enum class ReturnedScores : std::uint8_t {
  none,
  raw,     // q·k
  scaled,  // after scale and soft cap
  masked,  // after ALiBi and masks: the argument of softmax
};

/// The results of one call, without B if the inputs have none. Optional ones are present if requested.
struct AttentionResult {
  Tensor output;                       // layer (B,L,outDim); scaledDotProductAttention (…,H,L,d_v)
  std::optional<Tensor> weights = {};  // (B,H,L,S′), after dropout
  std::optional<Tensor> scores = {};   // (B,H,L,S′)
  std::optional<AttentionSteps> steps = {};
};

inline AttentionResult allocateResult(const Shape& outputShape, const Shape& scoresShape, bool needWeights,
                                      ReturnedScores returnScores) {
  AttentionResult result;
  result.output = allocate(outputShape);
  if (needWeights) result.weights = allocate(scoresShape);
  if (returnScores != ReturnedScores::none) result.scores = allocate(scoresShape);
  return result;
}

/// Makes attention() write to `context` and to the tensors that `result` has.
inline AttentionOutputs outputsOf(AttentionResult& result, ReturnedScores returnScores,
                                  const Heads<float>& context, WeightsSink* weightsSink) {
  AttentionOutputs outputs{.context = context, .weightsSink = weightsSink};
  if (result.weights) outputs.weights = result.weights->data();
  if (result.steps) {
    outputs.scaled = result.steps->scaled.data();
    outputs.masked = result.steps->masked.data();
  }
  if (result.scores) {
    float* const scores = result.scores->data();
    if (returnScores == ReturnedScores::raw) {
      outputs.scores = scores;
    } else if (returnScores == ReturnedScores::scaled) {
      outputs.scaled = scores;
    } else {
      outputs.masked = scores;
    }
  }
  return outputs;
}

}  // namespace mha
