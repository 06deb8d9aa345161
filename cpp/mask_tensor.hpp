/// Masks as the caller passes them, before they are broadcast.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "mask.hpp"
#include "tensor.hpp"

namespace mha {

/// A mask of bytes: 1 = may attend, 0 = may not (as in scaled_dot_product_attention, ONNX, Keras and JAX; the
/// opposite of torch.nn.MultiheadAttention). Or of floats, which are added to the scaled scores; −inf = may
/// not attend.
using MaskTensor = std::variant<View<std::uint8_t>, View<float>>;

Shape shapeOf(const MaskTensor& mask);

/// Whether `shape` broadcasts to `target` by NumPy's rule: aligned at the last dimension, each length is that
/// of `target` or 1.
bool broadcasts(const Shape& shape, const Shape& target);

/// Broadcasts `mask` by NumPy's rule to `target` (…,H,L,S).
/// @throws std::out_of_range for the argument `name` if it does not broadcast
BroadcastMask broadcastMask(const std::string& name, const MaskTensor& mask, const Shape& target);

/// The number of keys that `mask` must be for: `masking.keys`, or fewer if it leaves out only keys that are
/// not real in any batch item.
std::size_t maskedKeys(const MaskTensor& mask, const Masking& masking, std::size_t batch);

}  // namespace mha
