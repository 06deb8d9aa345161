/// The feed-forward block of an encoder layer.
#pragma once

#include <cstddef>
#include <string>

#include "numpy_random.hpp"
#include "scratch.hpp"
#include "training/linear_layer.hpp"
#include "training/norm.hpp"
#include "training/parameters.hpp"

namespace mha::training {

/// h ← h + W₂·gelu(W₁·norm(h) + b₁) + b₂, row by row.
/// @see torch.nn.TransformerEncoderLayer with norm_first (`_ff_block`); Vaswani et al. (2017), section 3.3
class FeedForward {
 public:
  /// Adds `prefix`norm2, `prefix`linear1 and `prefix`linear2 to `parameters`.
  FeedForward(std::size_t width, std::size_t innerWidth, const std::string& prefix, Parameters& parameters,
              DefaultRng& generator);

  /// Copies the current values from `parameters`.
  void load(const Parameters& parameters);

  /// Updates h (rows,width) and stores what backward() needs. @throws std::bad_alloc, std::length_error
  void forward(std::size_t rows, float* h);

  /// Replaces `grad` (rows,width), the gradient of the last forward's result, by that of its argument, and
  /// writes the gradients of its parameters to `parameters`. @throws std::bad_alloc, std::length_error
  void backward(std::size_t rows, float* grad, Parameters& parameters);

 private:
  std::size_t width_;
  std::size_t innerWidth_;
  Norm norm_;
  LinearLayer first_;
  LinearLayer second_;
  Scratch normed_;     // (rows,width)
  Scratch activated_;  // (rows,innerWidth)
  Scratch slopes_;     // (rows,innerWidth): derivative of the activation
  Scratch inner_;      // (rows,innerWidth)
  Scratch outer_;      // (rows,width)
};

}  // namespace mha::training
