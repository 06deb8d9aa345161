/// Which keys a query may attend to, and what is added to its scores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tensor.hpp"

namespace mha {

/// A mask as the caller gives it.
///   bytes: 1 = may attend, 0 = may not (the polarity of scaled_dot_product_attention, ONNX, Keras and JAX;
///          torch.nn.MultiheadAttention's own is the opposite)
///   floats: added to the scaled scores; −inf = may not attend
using MaskTensor = std::variant<View<std::uint8_t>, View<float>>;

Shape shapeOf(const MaskTensor& mask);

/// A mask broadcast to (…,H,L,S): the stride of a dimension of length 1 is 0.
struct BroadcastMask {
  const std::uint8_t* allowed = nullptr;  // either this …
  const float* added = nullptr;           // … or this
  std::vector<std::size_t> batchOffsets;  // of each of the B flattened leading indices
  std::size_t headStride = 0;
  std::size_t queryStride = 0;
  std::size_t keyStride = 0;

  [[nodiscard]] std::size_t at(std::size_t b, std::size_t h, std::size_t i) const {
    return batchOffsets[b] + h * headStride + i * queryStride;
  }
};

/// Whether `shape`, aligned at the last dimension, has lengths of `target` or 1 (NumPy's rule).
bool broadcasts(const Shape& shape, const Shape& target);

/// Broadcasts `mask` by NumPy's rule, aligned at the last dimension, to `target` (…,H,L,S).
/// @throws std::out_of_range naming `name` when it does not fit.
BroadcastMask broadcastMask(const std::string& name, const MaskTensor& mask, const Shape& target);

/// Everything that decides which scores count.
struct Masking {
  std::vector<BroadcastMask> masks;
  /// Query i sees keys 0 … i: aligned at the top left, as torch does where L ≠ S.
  bool causal = false;

  [[nodiscard]] bool any() const { return causal || !masks.empty(); }

  /// Turns the raw scores of query i into what softmax takes: `scores[j]`·scale plus what the masks add, −inf
  /// where a mask forbids key j. A forbidden score is replaced, not added to, so its NaN goes no further.
  void apply(float* scores, std::size_t keys, float scale, std::size_t b, std::size_t h, std::size_t i) const;

  /// Whether query i may attend to key j.
  [[nodiscard]] bool allows(std::size_t b, std::size_t h, std::size_t i, std::size_t j) const;
};

}  // namespace mha
