/// Scaled dot-product attention over many heads: softmax(Q·Kᵀ·scale + mask)·V.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "dropout.hpp"
#include "heads.hpp"
#include "scores.hpp"
#include "scratch.hpp"

namespace mha {

/// Sizes of one attention: B batches, H query heads, H_kv key/value heads, L queries, S keys.
struct AttentionSizes {
  std::size_t batch;
  std::size_t heads;
  std::size_t kvHeads;  // divides heads; query head h reads key/value head ⌊h / (heads / kvHeads)⌋
  std::size_t queries;
  std::size_t keys;
  std::size_t headDim;       // d_k
  std::size_t valueHeadDim;  // d_v
};

/// Query, key and value; the caller makes sure that they have the sizes of AttentionSizes.
struct AttentionInputs {
  Heads<const float> query;  // (B,H,L,d_k)
  Heads<const float> key;    // (B,H_kv,S,d_k)
  Heads<const float> value;  // (B,H_kv,S,d_v)
};

/// Receives finished blocks of weights while other threads still compute, so that copying them out costs no
/// extra time. Not called with only one thread.
class WeightsSink {
 public:
  /// Called on the thread that called attention() when the first `finished` of the weights (B,H,L,S) are
  /// final, which are more than at the last call.
  virtual void receive(std::span<const float> weights, std::size_t finished) = 0;

 protected:
  ~WeightsSink() = default;
};

/// Where attention() writes its results. All but `context` are contiguous (B,H,L,S) and may be null.
struct AttentionOutputs {
  Heads<float> context{};              // (B,H,L,d_v)
  float* weights = nullptr;            // after dropout
  float* softmaxWeights = nullptr;     // before dropout; only written if there is dropout
  float* scores = nullptr;             // q·k
  float* scaled = nullptr;             // after scale and soft cap
  float* masked = nullptr;             // after ALiBi and masks: the argument of softmax
  WeightsSink* weightsSink = nullptr;  // may be null
};

/// Scratch buffers of one thread.
struct Workspace {
  Scratch keys;
  Scratch values;
  Scratch queries;
  Scratch scores;
  Scratch weights;
  Scratch context;
  Scratch maxima;
  Scratch totals;
};

/// Scratch buffers, one Workspace per thread; attention() creates them.
using Workspaces = std::vector<Workspace>;

/// Computes the context vectors and the other outputs that are not null.
///
/// If only the context is wanted, memory does not grow with L·S. The results do not depend on the number of
/// threads, to the last bit.
///
/// A fully masked row gives zero weights and a zero context. Masked keys and values never reach the result,
/// even if they are NaN or infinite. `dropout` may be null.
/// @throws std::bad_alloc, std::length_error
/// @see Vaswani et al., "Attention Is All You Need" (2017), eq. 1;
///      torch.nn.functional.scaled_dot_product_attention
void attention(const AttentionSizes& sizes, const AttentionInputs& inputs, const ScoreRules& rules,
               Dropout* dropout, const AttentionOutputs& outputs, Workspaces& workspaces);

}  // namespace mha
