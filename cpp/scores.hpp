/// The steps that turn raw scores q·k into the argument of softmax.
#pragma once

#include <cstddef>
#include <vector>

#include "mask.hpp"

namespace mha {

/// The parameters of these steps, in their order: scale, soft cap, ALiBi, masks.
struct ScoreRules {
  float scale = 1.0F;
  float softcap = 0.0F;                 // 0: none; otherwise scores are bounded by ±softcap
  std::vector<float> alibiSlopes = {};  // one per head; empty: none
  Masking masking = {};

  /// Replaces `scores` (columns,) by softcap·tanh(scores[j]/softcap), if there is a cap.
  /// @see Bello et al. (2017) and Gemma 2 for the cap; ONNX Attention for the order, as corrected in 2026
  void capRow(float* scores, std::size_t columns) const;

  /// Adds ALiBi and the masks to the scaled scores of query i in `columns`; forbidden scores become −∞.
  void maskRow(float* scores, const KeyRange& columns, std::size_t b, std::size_t h, std::size_t i) const;
};

}  // namespace mha
