/// What a layer remembers of a forward in training.
#pragma once

#include <cstddef>

#include "scratch.hpp"

namespace mha {

/// Everything that MultiHeadAttention::backward() reads; S′ counts the appended keys.
struct LayerTape {
  struct Sizes {
    bool batched;
    std::size_t batch;
    std::size_t queries;
    std::size_t keys;
  };

  bool recorded = false;
  Sizes sizes{};
  float scale = 1.0F;
  float softcap = 0.0F;
  bool drops = false;
  Scratch query;    // (B,L,E), as it came
  Scratch key;      // (B,S,kdim)
  Scratch value;    // (B,S,vdim)
  Scratch q;        // (B,L,H·d_k), after bias and activation, before RoPE
  Scratch k;        // (B,S′,H_kv·d_k)
  Scratch v;        // (B,S′,H_kv·d_v)
  Scratch weights;  // (B,H,L,S′), before dropout; only when it drops
  Scratch dropped;  // (B,H,L,S′), what multiplied v
  Scratch scaled;   // (B,H,L,S′), with a soft cap: after it
  Scratch concat;   // (B,L,H·d_v)
  Scratch output;   // (B,L,outDim), of a relu
};

}  // namespace mha
