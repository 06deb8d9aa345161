/// The cross-entropy loss.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mha::training {

/// Loss and accuracy over `count` targets.
struct Prediction {
  double loss = 0.0;        // the mean of −log p(target)
  std::size_t correct = 0;  // targets that have the highest logit (of equal ones, the first)
  std::size_t count = 0;
};

/// The mean over the rows of −log softmax(logits)[target]. Replaces the logits (rows,classes) by the gradient
/// of that mean, (softmax(logits) − 1[target])/rows. Targets (rows,) are below `classes`.
/// @see torch.nn.functional.cross_entropy
Prediction crossEntropy(std::size_t rows, std::size_t classes, const std::int32_t* targets, float* logits);

}  // namespace mha::training
