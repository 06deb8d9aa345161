/// Attention without rows of scores: tile after tile of keys, in memory that does not grow with L·S.
#pragma once

#include "attention_call.hpp"

namespace mha {

/// Keys whose scores are computed together.
inline constexpr std::size_t kKeyTile = 512;

/// Takes the memory that streamingAttention() uses for parts of up to `queries` queries, so that it allocates
/// nothing: it holds two floats per query and head, the rest does not depend on L or S. @throws
/// std::bad_alloc
void reserveStreaming(const AttentionCall& call, std::size_t queries, Workspace& workspace);

/// Computes the context of `part` of `call`.
///
/// Every query keeps the largest of its scores so far, the sum of the exponentials and the sum of the values
/// that they weigh. A tile with a larger score scales both sums down. The context is finite wherever the mean
/// of the values is, though their sum may not be.
/// @see Milakov & Gimelshein, "Online normalizer calculation for softmax" (2018); Dao et al.,
/// "FlashAttention"
///      (2022), algorithm 1
void streamingAttention(const AttentionCall& call, const AttentionPart& part, Workspace& workspace);

}  // namespace mha
