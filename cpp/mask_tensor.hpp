/// Masks as the caller gives them.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "mask.hpp"
#include "tensor.hpp"

namespace mha {

/// A mask of any shape.
///   bytes: 1 = may attend, 0 = may not (the polarity of scaled_dot_product_attention, ONNX, Keras and JAX;
///          torch.nn.MultiheadAttention's own is the opposite)
///   floats: added to the scaled scores; −inf = may not attend
using MaskTensor = std::variant<View<std::uint8_t>, View<float>>;

/// The mask's shape before it is broadcast.
Shape shapeOf(const MaskTensor& mask);

/// Whether `shape`, aligned at the last dimension, has lengths of `target` or 1 (NumPy's rule).
bool broadcasts(const Shape& shape, const Shape& target);

/// Broadcasts `mask` by NumPy's rule, aligned at the last dimension, to `target` (…,H,L,S).
/// @throws std::out_of_range naming `name` when it does not fit.
BroadcastMask broadcastMask(const std::string& name, const MaskTensor& mask, const Shape& target);

}  // namespace mha
