/// Attention by tiles of keys with a running softmax, in memory that does not grow with L·S.
#pragma once

#include "attention_call.hpp"

namespace mha {

/// The number of keys whose scores are computed together.
inline constexpr std::size_t kKeyTile = 512;

/// Allocates the buffers of streamingAttention(), which itself allocates nothing, for up to `queries`
/// queries: two floats per query and head, the rest does not depend on L or S. @throws std::bad_alloc
void reserveStreaming(const AttentionCall& call, std::size_t queries, Workspace& workspace);

/// Computes the context of `part` of `call`.
///
/// Each query keeps its largest score so far, the sum of its exponentials and the sum of the values weighted
/// by them. A tile with a larger score scales both sums down. The context is finite wherever the weighted
/// mean of the values is, even if their sum overflows.
/// @see Milakov & Gimelshein, "Online normalizer calculation for softmax" (2018); Dao et al.,
/// "FlashAttention"
///      (2022), algorithm 1
void streamingAttention(const AttentionCall& call, const AttentionPart& part, Workspace& workspace);

}  // namespace mha
