/// The layers of the encoder, for training.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "linear.hpp"
#include "linear_gradient.hpp"
#include "multi_head_attention.hpp"
#include "numpy_random.hpp"
#include "scratch.hpp"
#include "tensor.hpp"
#include "training/parameters.hpp"

namespace mha::training {

/// y = x·Wᵀ + b. @see torch.nn.Linear
class LinearLayer {
 public:
  /// Uses a weight (out,in) and a bias (out,) that are in the Parameters already and may be shared.
  LinearLayer(std::size_t in, std::size_t out, Parameters::Slot weight, Parameters::Slot bias);

  /// Adds `name`.weight and `name`.bias to `parameters`, drawn from U(±1/√in) as in torch.
  LinearLayer(std::size_t in, std::size_t out, const std::string& name, Parameters& parameters,
              DefaultRng& generator);

  /// Copies the current values from `parameters`.
  void load(const Parameters& parameters);

  /// Computes y (rows,out) from x (rows,in). @throws std::bad_alloc, std::length_error
  void forward(std::size_t rows, const float* x, float* y);

  /// Writes the gradients of x (rows,in) and of the parameters, given x and the gradient of y (rows,out).
  /// @throws std::bad_alloc, std::length_error
  void backward(std::size_t rows, const float* x, const float* gradY, float* gradX, Parameters& parameters);

 private:
  Linear linear_;
  Parameters::Slot weight_;
  Parameters::Slot bias_;
  LinearGradient gradient_;
  PackedInput packed_;
};

/// y = layerNorm(x)·weight + bias, row by row. @see torch.nn.LayerNorm
class Norm {
 public:
  /// Adds `name`.weight (ones) and `name`.bias (zeros) to `parameters`.
  Norm(std::size_t width, const std::string& name, Parameters& parameters);

  /// Computes y from x, both (rows,width), and stores what backward() needs. @throws std::bad_alloc
  void forward(std::size_t rows, const float* x, float* y, const Parameters& parameters);

  /// Given the gradient of y (rows,width), adds that of the last forward's x to `gradX` and writes those of
  /// the parameters to `parameters`.
  void backward(std::size_t rows, const float* gradY, float* gradX, Parameters& parameters);

 private:
  std::size_t width_;
  Parameters::Slot weightSlot_;
  Parameters::Slot biasSlot_;
  Scratch normalized_;         // (rows,width)
  Scratch inverseDeviations_;  // (rows,)
};

/// h ← h + W₂·gelu(W₁·norm(h) + b₁) + b₂, row by row.
/// @see torch.nn.TransformerEncoderLayer with norm_first (`_ff_block`); Vaswani et al. (2017), section 3.3
class FeedForward {
 public:
  /// Adds `prefix`norm2, `prefix`linear1 and `prefix`linear2 to `parameters`.
  FeedForward(std::size_t width, std::size_t innerWidth, const std::string& prefix, Parameters& parameters,
              DefaultRng& generator);

  /// Copies the current values of the projections from `parameters`.
  void load(const Parameters& parameters);

  /// Updates h (rows,width) and stores what backward() needs. @throws std::bad_alloc, std::length_error
  void forward(std::size_t rows, float* h, const Parameters& parameters);

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

/// h ← h + attention(norm(h)) within each sentence.
/// @see torch.nn.TransformerEncoderLayer with norm_first (`_sa_block`)
class SelfAttention {
 public:
  /// Adds `prefix`norm1 and `prefix`self_attn to `parameters`, drawn as MultiHeadAttention does.
  SelfAttention(std::size_t width, std::size_t heads, const std::string& prefix, Parameters& parameters,
                DefaultRng& generator);

  /// Copies the current values of the projections from `parameters`.
  void load(const Parameters& parameters);

  /// Updates h (batch,length,width); `padding` (batch,length), 1 = a real token. With `training`, stores what
  /// backward() needs and returns an empty tensor; otherwise returns the weights (batch,heads,length,length).
  /// @throws std::bad_alloc, std::length_error
  Tensor forward(const Shape& shape, const std::optional<View<std::uint8_t>>& padding, bool training,
                 float* h, const Parameters& parameters);

  /// What the attention layer read in the last forward: norm(h), (batch,length,width).
  [[nodiscard]] const float* input() const { return normed_.data(); }

  /// Replaces `grad` (batch,length,width), the gradient of the last forward's result, by that of its
  /// argument, and writes the gradients of its parameters to `parameters`. @throws std::bad_alloc,
  /// std::length_error
  void backward(const Shape& shape, float* grad, Parameters& parameters);

 private:
  Norm norm_;
  MultiHeadAttention layer_;
  std::map<std::string, Parameters::Slot> slots_;  // by the names of the layer's stateDict()
  Scratch normed_;                                 // (batch,length,width), as those below
  Scratch gradQuery_;                              // the gradient of normed_ as each of the three inputs
  Scratch gradKey_;
  Scratch gradValue_;
};

}  // namespace mha::training
