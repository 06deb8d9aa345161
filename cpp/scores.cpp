#include "scores.hpp"

#include <cmath>

#include "alibi.hpp"

namespace mha {

void ScoreRules::capRow(float* scores, std::size_t columns) const {
  if (softcap == 0.0F) return;
  for (std::size_t j = 0; j < columns; ++j) scores[j] = softcap * std::tanh(scores[j] / softcap);
}

void ScoreRules::maskRow(float* scores, const KeyRange& columns, std::size_t b, std::size_t h,
                         std::size_t i) const {
  if (!alibiSlopes.empty()) {
    const KeyRange seen = masking.visible(b, i).intersect(columns);
    if (!seen.empty()) {
      addAlibi(scores + (seen.begin - columns.begin), seen.begin, seen.end, alibiSlopes[h],
               masking.positionOf(b, i));
    }
  }
  masking.apply(scores, columns, b, h, i);
}

}  // namespace mha
