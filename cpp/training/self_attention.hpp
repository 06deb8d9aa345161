/// The attention half of an encoder layer.
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

/// h ← h + attention(norm(h)), sentence by sentence.
/// @see torch.nn.TransformerEncoderLayer with norm_first (`_sa_block`)
class SelfAttention {
 public:
  /// Adds `prefix`norm1 and `prefix`self_attn to `parameters`, drawn as MultiHeadAttention does.
  SelfAttention(std::size_t width, std::size_t heads, const std::string& prefix, Parameters& parameters,
                DefaultRng& generator);

  /// Takes the parameters that stand in `parameters` now.
  void set(const Parameters& parameters);

  /// h (batch,length,width); `padding` (batch,length), 1 = a real token. With `training` keeps what
  /// backward() needs, otherwise gives the weights (batch,heads,length,length).
  /// @throws std::bad_alloc, std::length_error
  Tensor forward(const Shape& shape, const std::optional<View<std::uint8_t>>& padding, bool training,
                 float* h);

  /// What the last forward attended to, (batch,length,width): norm(h).
  [[nodiscard]] const float* input() const { return normed_.data(); }

  /// Turns the gradient (batch,length,width) of what the last forward gave into that of what it took, and
  /// writes the parameters' into `parameters`. @throws std::bad_alloc, std::length_error
  void backward(const Shape& shape, float* grad, Parameters& parameters);

 private:
  struct Named {
    std::string name;  // as the layer's stateDict() has it
    Parameters::Slot slot;
  };

  Norm norm_;
  MultiHeadAttention layer_;
  std::vector<Named> parameters_;
  Scratch normed_;
};

}  // namespace mha::training
