/// The sizes of one call of the layer, and what backward() needs of a call in training.
#pragma once

#include <cstddef>
#include <vector>

#include "scratch.hpp"
#include "tensor.hpp"

namespace mha {

struct CallSizes {
  bool batched;
  std::size_t batch;    // B, 1 for unbatched calls
  std::size_t queries;  // L
  std::size_t newKeys;  // number of keys without those of the cache
  std::size_t keys;     // S: number of keys with those of the cache
  std::size_t columns;  // S′: number of keys with the learned and the zero key

  /// Returns `shape` (B,…), without B for unbatched calls.
  [[nodiscard]] Shape withBatching(const Shape& shape) const {
    return batched ? shape : Shape(shape.begin() + 1, shape.end());
  }
};

/// The inputs and intermediates of a forward in training, which MultiHeadAttention::backward() reads.
struct ForwardRecord {
  bool valid = false;
  CallSizes sizes{};
  float scale = 1.0F;
  float softcap = 0.0F;
  bool hasDropout = false;
  std::vector<float> positions;  // of RoPE, (B,L); empty: 0, 1, …
  Scratch query;                 // (B,L,E), the argument
  Scratch key;                   // (B,S,kdim), the argument
  Scratch value;                 // (B,S,vdim), the argument
  Scratch q;                     // (B,L,H·d_k), after bias and activation, before RoPE
  Scratch k;                     // (B,S′,H_kv·d_k), likewise
  Scratch v;                     // (B,S′,H_kv·d_v), after bias and activation
  Scratch softmaxWeights;        // (B,H,L,S′), before dropout; written only if there is dropout
  Scratch droppedWeights;        // (B,H,L,S′), after dropout
  Scratch scaled;  // (B,H,L,S′), scores after scale and soft cap; written only if there is a cap
  Scratch concat;  // (B,L,H·d_v)
  Scratch output;  // (B,L,outDim); written only if it went through a relu
};

}  // namespace mha
