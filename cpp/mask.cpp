#include "mask.hpp"

#include <algorithm>
#include <limits>

namespace mha {
namespace {

constexpr float kForbidden = -std::numeric_limits<float>::infinity();

bool forbids(const BroadcastMask& mask, std::size_t index) {
  return mask.allowed != nullptr ? mask.allowed[index] == 0 : mask.added[index] == kForbidden;
}

}  // namespace

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
  Shape strides(target.size(), 0);
  std::size_t stride = 1;
  for (std::size_t back = 1; back <= shape.size(); ++back) {
    const std::size_t length = shape[shape.size() - back];
    strides[target.size() - back] = length == 1 ? 0 : stride;
    stride *= length;
  }

  BroadcastMask result;
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

Masking::Range Masking::visible(std::size_t i) const {
  const std::size_t position = positionOf(i);
  Range range{0, keys};
  if (causal) range.end = std::min(keys, position + 1);
  if (window) {
    if (position > window->left) range.begin = std::min(keys, position - window->left);
    // Compared rather than added: position + right may exceed the address space.
    if (position < range.end && window->right < range.end - position)
      range.end = position + window->right + 1;
  }
  return range;
}

void Masking::apply(float* scores, std::size_t b, std::size_t h, std::size_t i) const {
  const auto [begin, end] = visible(i);
  std::fill(scores, scores + begin, kForbidden);
  std::fill(scores + end, scores + keys, kForbidden);
  for (const BroadcastMask& mask : masks) {
    std::size_t index = mask.at(b, h, i) + begin * mask.keyStride;
    for (std::size_t j = begin; j < end; ++j, index += mask.keyStride) {
      if (forbids(mask, index)) {
        scores[j] = kForbidden;
      } else if (mask.added != nullptr) {
        scores[j] += mask.added[index];
      }
    }
  }
}

bool Masking::allows(std::size_t b, std::size_t h, std::size_t i, std::size_t j) const {
  if (j >= keys) return true;
  const auto [begin, end] = visible(i);
  if (j < begin || j >= end) return false;
  return std::ranges::none_of(
      masks, [&](const BroadcastMask& mask) { return forbids(mask, mask.at(b, h, i) + j * mask.keyStride); });
}

}  // namespace mha
