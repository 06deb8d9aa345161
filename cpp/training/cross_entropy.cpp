#include "training/cross_entropy.hpp"

#include <algorithm>
#include <cmath>

#include "elementwise.hpp"
#include "softmax.hpp"

namespace mha::training {

Prediction crossEntropy(std::size_t rows, std::size_t classes, const std::int32_t* targets, float* logits) {
  Prediction prediction{.count = rows};
  double sum = 0.0;
  for (std::size_t i = 0; i < rows; ++i) {
    float* row = logits + i * classes;
    const auto target = static_cast<std::size_t>(targets[i]);
    const float* highest = std::max_element(row, row + classes);
    if (highest == row + target) ++prediction.correct;
    const float max = *highest;
    const float targetLogit = row[target];
    const float total = expRow(row, classes, max);
    sum +=
        std::log(static_cast<double>(total)) + (static_cast<double>(max) - static_cast<double>(targetLogit));
    const auto share = static_cast<float>(1.0 / static_cast<double>(rows));
    scaleBy(row, classes, share / total);
    row[target] -= share;
  }
  prediction.loss = sum / static_cast<double>(rows);
  return prediction;
}

}  // namespace mha::training
