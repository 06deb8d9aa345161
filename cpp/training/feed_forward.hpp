/// The feed-forward half of an encoder layer.
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

  /// Takes the parameters that stand in `parameters` now.
  void set(const Parameters& parameters);

  /// h (rows,width), keeping what backward() needs. @throws std::bad_alloc, std::length_error
  void forward(std::size_t rows, float* h);

  /// Turns the gradient (rows,width) of what the last forward gave into that of what it took, and writes the
  /// parameters' into `parameters`. @throws std::bad_alloc, std::length_error
  void backward(std::size_t rows, float* grad, Parameters& parameters);

 private:
  std::size_t width_;
  std::size_t innerWidth_;
  Norm norm_;
  LinearLayer first_;
  LinearLayer second_;
  Scratch normed_;     // (rows,width)
  Scratch activated_;  // (rows,innerWidth)
  Scratch slopes_;     // (rows,innerWidth): of the activation
  Scratch inner_;      // (rows,innerWidth)
  Scratch outer_;      // (rows,width)
};

}  // namespace mha::training
