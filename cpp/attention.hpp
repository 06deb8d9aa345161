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

/// What attends to what: sizes that fit are the caller's duty.
struct AttentionInputs {
  Heads<const float> query;  // (B,H,L,d_k)
  Heads<const float> key;    // (B,H_kv,S,d_k)
  Heads<const float> value;  // (B,H_kv,S,d_v)
};

/// Takes weights while other threads still compute: whoever copies them need not wait for the end. With one
/// thread there is nothing to gain, and no call.
class WeightsTaker {
 public:
  /// The first `done` of the weights (B,H,L,S) are done, more than before. On the calling thread.
  virtual void take(std::span<const float> weights, std::size_t done) = 0;

 protected:
  ~WeightsTaker() = default;
};

/// Where the results go: `context` always, the contiguous (B,H,L,S) ones where they are not null.
struct AttentionOutputs {
  Heads<float> context{};                // (B,H,L,d_v)
  float* weights = nullptr;              // what multiplied the values: after dropout
  float* undropped = nullptr;            // the weights before dropout
  float* scores = nullptr;               // q·k
  float* scaled = nullptr;               // after scale and soft cap
  float* masked = nullptr;               // after ALiBi and masks: what softmax took
  WeightsTaker* weightsTaker = nullptr;  // may be null
};

/// Memory that one thread needs between the inputs and the results.
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

/// One per thread; empty until attention() is called.
using Workspaces = std::vector<Workspace>;

/// Computes the context vectors, and what else is wanted.
///
/// Where only the context is wanted, the memory used does not grow with L·S. Bits do not depend on the number
/// of threads.
///
/// A fully masked row gives zero weights and a zero context. Masked keys and values never reach the result,
/// whatever they hold. `dropout` may be null.
/// @throws std::bad_alloc, std::length_error
/// @see Vaswani et al., "Attention Is All You Need" (2017), eq. 1;
///      torch.nn.functional.scaled_dot_product_attention
void attention(const AttentionSizes& sizes, const AttentionInputs& inputs, const ScoreRules& rules,
               Dropout* dropout, const AttentionOutputs& outputs, Workspaces& workspaces);

}  // namespace mha
