/// Dropout on attention weights.
#pragma once

#include <cstddef>
#include <vector>

#include "numpy_random.hpp"

namespace mha {

/// Inverted dropout: each weight becomes 0 with the given probability, and is divided by 1 − probability
/// otherwise. One number is drawn per weight in row-major order, also for masked ones.
/// @see Srivastava et al. (2014); torch.nn.functional.dropout
class Dropout {
 public:
  /// `probability` 0 … 1, not checked. `generator` must outlive this object.
  Dropout(double probability, DefaultRng& generator)
      : probability_(probability),
        kept_(probability < 1.0 ? static_cast<float>(1.0 / (1.0 - probability)) : 0.0F),
        generator_(generator) {}

  /// Applies dropout to `weights` (count,), in place.
  void apply(float* weights, std::size_t count) {
    draws_.resize(count);
    generator_.random(draws_);
    for (std::size_t j = 0; j < count; ++j) {
      weights[j] = draws_[j] < probability_ ? 0.0F : weights[j] * kept_;
    }
  }

 private:
  double probability_;
  float kept_;
  DefaultRng& generator_;
  std::vector<double> draws_;
};

}  // namespace mha
