/// Types that dense_attention.hpp and streaming_attention.hpp share.
#pragma once

#include <cstddef>

#include "attention.hpp"

namespace mha {

/// The number of queries whose scores are computed together: enough to reuse the packed keys, few enough that
/// their scores stay in the processor's cache until softmax and the product with V have read them. A multiple
/// of the tile heights 4 and 6; with 5, two tiles have 4 rows.
inline constexpr std::size_t kQueryBlock = 48;

/// The arguments of attention().
struct AttentionCall {
  const AttentionSizes& sizes;
  const AttentionInputs& inputs;
  const ScoreRules& rules;
  const AttentionOutputs& outputs;
  // One of these factors is rules.scale, the other 1. Scaling queries is faster than scaling scores.
  float queryScale = 1.0F;
  float scoreScale = 1.0F;
};

/// What a thread computes at a time: some queries, in every query head that reads one key/value head.
struct AttentionPart {
  std::size_t b;
  std::size_t kvHead;
  std::size_t firstQuery;
  std::size_t queries;
};

}  // namespace mha
