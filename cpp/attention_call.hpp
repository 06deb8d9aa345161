/// What the two ways to compute attention share.
#pragma once

#include <cstddef>

#include "attention.hpp"

namespace mha {

/// Queries whose scores are computed together: enough to keep the packed keys busy, few enough that their
/// scores stay in the cache until softmax and the product with V have read them. Whole tiles of 4 and of 6
/// rows.
inline constexpr std::size_t kQueryBlock = 48;

/// The arguments of attention().
struct AttentionCall {
  const AttentionSizes& sizes;
  const AttentionInputs& inputs;
  const ScoreRules& rules;
  const AttentionOutputs& outputs;
  // Their product is rules.scale, one of them is 1. To scale queries takes less time than to scale scores.
  float queryScale = 1.0F;
  float scoreScale = 1.0F;
};

/// What one thread computes at a time: some queries of every head that reads one key/value head.
struct AttentionPart {
  std::size_t b;
  std::size_t kvHead;
  std::size_t firstQuery;
  std::size_t queries;
};

}  // namespace mha
