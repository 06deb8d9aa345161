#include "mask.hpp"

#include <algorithm>
#include <limits>

namespace mha {
namespace {

constexpr float kForbidden = -std::numeric_limits<float>::infinity();

/// More keys than memory holds, few enough that their sum with a position does not overflow.
constexpr std::size_t kFarthest = 1 << 30;

bool forbids(const BroadcastMask& mask, std::size_t index) {
  return mask.allowed != nullptr ? mask.allowed[index] == 0 : mask.added[index] == kForbidden;
}

}  // namespace

KeyRange Masking::visible(std::size_t b, std::size_t i) const {
  const std::ptrdiff_t position = positionOf(b, i);
  const auto length = static_cast<std::ptrdiff_t>(keysOf(b));
  std::ptrdiff_t begin = 0;
  std::ptrdiff_t end = length;
  if (causal) end = std::min(end, position + 1);
  if (window) {
    begin = position - static_cast<std::ptrdiff_t>(std::min(window->left, kFarthest));
    end = std::min(end, position + static_cast<std::ptrdiff_t>(std::min(window->right, kFarthest)) + 1);
  }
  begin = std::clamp<std::ptrdiff_t>(begin, 0, length);
  end = std::clamp<std::ptrdiff_t>(end, 0, length);
  return {static_cast<std::size_t>(begin), static_cast<std::size_t>(end)};
}

KeyRange Masking::visible(std::size_t b, std::size_t first, std::size_t count, std::size_t columns) const {
  // Neither end of the visible range decreases from query to query.
  const KeyRange range{visible(b, first).begin, visible(b, first + count - 1).end};
  if (columns == keys) return range;
  return {range.empty() ? keys : range.begin, columns};
}

void Masking::apply(float* scores, const KeyRange& columns, std::size_t b, std::size_t h,
                    std::size_t i) const {
  const KeyRange masked = columns.intersect({0, keys});
  if (masked.empty()) return;
  const KeyRange seen = visible(b, i).intersect(masked);
  if (seen.empty()) {
    std::fill_n(scores, masked.size(), kForbidden);
    return;
  }
  std::fill_n(scores, seen.begin - masked.begin, kForbidden);
  std::fill_n(scores + (seen.end - masked.begin), masked.end - seen.end, kForbidden);
  for (const BroadcastMask& mask : masks) {
    std::size_t index = mask.at(b, h, i) + seen.begin * mask.keyStride;
    float* score = scores + (seen.begin - masked.begin);
    for (std::size_t j = seen.begin; j < seen.end; ++j, ++score, index += mask.keyStride) {
      if (forbids(mask, index)) {
        *score = kForbidden;
      } else if (mask.added != nullptr) {
        *score += mask.added[index];
      }
    }
  }
}

bool Masking::allows(std::size_t b, std::size_t h, std::size_t i, std::size_t j) const {
  if (j >= keys) return true;
  const auto [begin, end] = visible(b, i);
  if (j < begin || j >= end) return false;
  return std::ranges::none_of(
      masks, [&](const BroadcastMask& mask) { return forbids(mask, mask.at(b, h, i) + j * mask.keyStride); });
}

}  // namespace mha
