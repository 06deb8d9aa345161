/// The loss of a classification.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mha::training {

/// How well `count` targets were predicted.
struct Prediction {
  double loss = 0.0;        // the mean of −log p(target)
  std::size_t correct = 0;  // targets with the highest logit, the first of equals
  std::size_t count = 0;
};

/// The mean over the rows of −log softmax(logits)[target]. Replaces the logits (rows,classes) by the gradient
/// of that mean, (softmax(logits) − 1[target])/rows. Targets (rows,) are below `classes`.
/// @see torch.nn.functional.cross_entropy
Prediction crossEntropy(std::size_t rows, std::size_t classes, const std::int32_t* targets, float* logits);

}  // namespace mha::training
