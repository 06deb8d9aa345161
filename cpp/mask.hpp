/// Which keys a query may attend to, and what is added to its scores.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace mha {

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

/// Query at position t sees the keys t − left … t + right.
struct Window {
  std::size_t left;
  std::size_t right;
};

/// Keys begin … end − 1.
struct KeyRange {
  std::size_t begin;
  std::size_t end;

  [[nodiscard]] bool empty() const { return begin >= end; }
  [[nodiscard]] std::size_t size() const { return end - begin; }
  [[nodiscard]] KeyRange intersect(const KeyRange& other) const {
    return {std::max(begin, other.begin), std::min(end, other.end)};
  }
};

/// Everything that decides which scores count.
///
/// The masks, `causal` and `window` speak of the first `keys` columns. Columns behind them (a learned key, a
/// zero key) are seen by every query.
struct Masking {
  std::size_t keys = 0;
  std::vector<BroadcastMask> masks = {};
  /// A query sees the keys up to its own position: aligned at the top left, as torch does where L ≠ S.
  bool causal = false;
  std::optional<Window> window = {};
  /// Position of query 0: the number of keys before it, where those come from a cache.
  std::size_t firstPosition = 0;

  [[nodiscard]] bool any() const { return causal || window || !masks.empty(); }
  [[nodiscard]] std::size_t positionOf(std::size_t i) const { return firstPosition + i; }

  /// The keys that `causal` and `window` leave to query i.
  [[nodiscard]] KeyRange visible(std::size_t i) const;

  /// The smallest range of `columns` that holds every key that `causal` and `window` leave to any of the
  /// queries first … first + count − 1.
  [[nodiscard]] KeyRange visible(std::size_t first, std::size_t count, std::size_t columns) const;

  /// Adds to the scaled scores of query i in `columns` what the masks add, and puts −∞ where a key is
  /// forbidden. A forbidden score is replaced, not added to, so its NaN goes no further.
  void apply(float* scores, const KeyRange& columns, std::size_t b, std::size_t h, std::size_t i) const;

  /// Whether query i may attend to column j.
  [[nodiscard]] bool allows(std::size_t b, std::size_t h, std::size_t i, std::size_t j) const;
};

}  // namespace mha
