/// Scaled dot-product attention over many heads: softmax(Q·Kᵀ·scale + mask)·V.
#pragma once

#include <cstddef>

#include "mask.hpp"
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

/// The matrices of all heads in one buffer: element (b, h, i, p) is at b·batch + h·head + i·row + p.
template <class T>
struct Heads {
  T* data;
  std::size_t batch;
  std::size_t head;
  std::size_t row;

  [[nodiscard]] T* at(std::size_t b, std::size_t h) const { return data + b * batch + h * head; }
};

/// Memory that attention() needs between its inputs and its results.
struct Workspace {
  Scratch keys;
  Scratch values;
  Scratch scores;
};

/// Computes the context vectors, and the weights where wanted.
///
/// query (B,H,L,d_k), key (B,H_kv,S,d_k), value (B,H_kv,S,d_v) → context (B,H,L,d_v);
/// weights (B,H,L,S) contiguous, or null. A fully masked row gives zero weights and a zero context. Masked
/// keys and values never reach the result, whatever they hold.
/// @see Vaswani et al., "Attention Is All You Need" (2017), eq. 1;
///      torch.nn.functional.scaled_dot_product_attention
void attention(const AttentionSizes& sizes, const Heads<const float>& query, const Heads<const float>& key,
               const Heads<const float>& value, float scale, const Masking& masking,
               const Heads<float>& context, float* weights, Workspace& workspace);

}  // namespace mha
