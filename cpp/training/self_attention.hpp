/// The attention block of an encoder layer.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>

#include "multi_head_attention.hpp"
#include "numpy_random.hpp"
#include "scratch.hpp"
#include "tensor.hpp"
#include "training/norm.hpp"
#include "training/parameters.hpp"

namespace mha::training {

/// h ← h + attention(norm(h)) within each sentence.
/// @see torch.nn.TransformerEncoderLayer with norm_first (`_sa_block`)
class SelfAttention {
 public:
  /// Adds `prefix`norm1 and `prefix`self_attn to `parameters`, drawn as MultiHeadAttention does.
  SelfAttention(std::size_t width, std::size_t heads, const std::string& prefix, Parameters& parameters,
                DefaultRng& generator);

  /// Copies the current values from `parameters`.
  void load(const Parameters& parameters);

  /// Updates h (batch,length,width); `padding` (batch,length), 1 = a real token. With `training`, stores what
  /// backward() needs and returns an empty tensor; otherwise returns the weights (batch,heads,length,length).
  /// @throws std::bad_alloc, std::length_error
  Tensor forward(const Shape& shape, const std::optional<View<std::uint8_t>>& padding, bool training,
                 float* h);

  /// What the attention layer read in the last forward: norm(h), (batch,length,width).
  [[nodiscard]] const float* input() const { return normed_.data(); }

  /// Replaces `grad` (batch,length,width), the gradient of the last forward's result, by that of its
  /// argument, and writes the gradients of its parameters to `parameters`. @throws std::bad_alloc,
  /// std::length_error
  void backward(const Shape& shape, float* grad, Parameters& parameters);

 private:
  struct Named {
    std::string name;  // in the layer's stateDict()
    Parameters::Slot slot;
  };

  Norm norm_;
  MultiHeadAttention layer_;
  std::vector<Named> parameters_;
  Scratch normed_;     // (batch,length,width), as those below
  Scratch gradQuery_;  // the gradient of normed_ as each of the three inputs
  Scratch gradKey_;
  Scratch gradValue_;
};

}  // namespace mha::training
