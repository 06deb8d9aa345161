#include "scores.hpp"

#include <cmath>

#include "alibi.hpp"
#include "simd.hpp"

namespace mha {

void ScoreRules::scaleRow(float* scores, std::size_t columns) const {
  const simd::F32x4 scales = simd::splat(scale);
  std::size_t j = 0;
  for (; j + simd::kLanes <= columns; j += simd::kLanes) {
    simd::store(scores + j, simd::mul(simd::load(scores + j), scales));
  }
  for (; j < columns; ++j) scores[j] *= scale;
  if (softcap > 0.0F) {
    for (j = 0; j < columns; ++j) scores[j] = softcap * std::tanh(scores[j] / softcap);
  }
}

void ScoreRules::maskRow(float* scores, std::size_t b, std::size_t h, std::size_t i) const {
  if (!alibiSlopes.empty()) {
    const auto [begin, end] = masking.visible(i);
    addAlibi(scores, begin, end, alibiSlopes[h], masking.positionOf(i));
  }
  masking.apply(scores, b, h, i);
}

}  // namespace mha
