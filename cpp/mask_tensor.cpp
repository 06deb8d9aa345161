#include "mask_tensor.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace mha {

Shape shapeOf(const MaskTensor& mask) {
  return std::visit([](const auto& view) { return Shape(view.shape()); }, mask);
}

bool broadcasts(const Shape& shape, const Shape& target) {
  if (shape.size() > target.size()) return false;
  return std::equal(shape.rbegin(), shape.rend(), target.rbegin(),
                    [](std::size_t length, std::size_t wanted) { return length == wanted || length == 1; });
}

BroadcastMask broadcastMask(const std::string& name, const MaskTensor& mask, const Shape& target) {
  const Shape shape = shapeOf(mask);
  if (!broadcasts(shape, target)) throwShape(name, "broadcast to " + toText(target), shape);
  BroadcastMask result;
  // xtensor gives dimensions of length 1 the stride 0.
  Shape strides(target.size(), 0);
  const auto leadingOnes = static_cast<std::ptrdiff_t>(target.size() - shape.size());
  std::visit([&](const auto& view) { std::ranges::copy(view.strides(), strides.begin() + leadingOnes); },
             mask);
  if (const auto* bytes = std::get_if<View<std::uint8_t>>(&mask)) {
    result.allowed = bytes->data();
  } else {
    result.added = std::get<View<float>>(mask).data();
  }
  const std::size_t leading = target.size() - 3;
  result.headStride = strides[leading];
  result.queryStride = strides[leading + 1];
  result.keyStride = strides[leading + 2];
  result.batchOffsets = {0};
  for (std::size_t dimension = 0; dimension < leading; ++dimension) {
    std::vector<std::size_t> finer;
    for (const std::size_t offset : result.batchOffsets) {
      for (std::size_t i = 0; i < target[dimension]; ++i) finer.push_back(offset + i * strides[dimension]);
    }
    result.batchOffsets = std::move(finer);
  }
  return result;
}

std::size_t maskedKeys(const MaskTensor& mask, const Masking& masking, std::size_t batch) {
  const Shape shape = shapeOf(mask);
  if (shape.empty() || shape.back() == 1) return masking.keys;
  for (std::size_t b = 0; b < batch; ++b) {
    if (masking.keysOf(b) > shape.back()) return masking.keys;
  }
  return std::min(shape.back(), masking.keys);
}

}  // namespace mha
