/// Masks, causal attention and windows: which keys a query may attend to, and what is added to its scores.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace mha {

/// A mask broadcast to (…,H,L,S): the stride of a dimension of length 1 is 0.
struct BroadcastMask {
  const std::uint8_t* allowed = nullptr;  // a boolean mask: 1 = may attend; or null
  const float* added = nullptr;           // an additive mask: −∞ = may not attend; or null
  std::vector<std::size_t> batchOffsets;  // start of the mask for each flattened leading index
  std::size_t headStride = 0;
  std::size_t queryStride = 0;
  std::size_t keyStride = 0;

  [[nodiscard]] std::size_t at(std::size_t b, std::size_t h, std::size_t i) const {
    return batchOffsets[b] + h * headStride + i * queryStride;
  }
};

/// Where the queries of a batch item stand, and how many of its keys are real: those behind them are seen by
/// no query. As floats, which are exact up to 2²⁴.
struct Placement {
  float firstPosition;  // of query 0; may be negative
  float keys;
};

/// The query at position t sees the keys t − left … t + right.
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

/// All masks of a call. They apply to the first `keys` columns; the columns behind them (the learned and the
/// zero key) are visible to every query.
struct Masking {
  std::size_t keys = 0;
  std::vector<BroadcastMask> masks = {};
  /// A query sees the keys up to its own position; for L ≠ S aligned at the top left, as in torch.
  bool causal = false;
  std::optional<Window> window = {};
  /// The position of query 0: the number of keys in the cache.
  std::size_t firstPosition = 0;
  /// Of each batch item, in place of `firstPosition` and `keys`; or null.
  const Placement* placements = nullptr;

  [[nodiscard]] bool any() const { return causal || window || placements != nullptr || !masks.empty(); }
  [[nodiscard]] std::ptrdiff_t positionOf(std::size_t b, std::size_t i) const {
    const auto first = static_cast<std::ptrdiff_t>(firstPosition);
    return (placements == nullptr ? first : static_cast<std::ptrdiff_t>(placements[b].firstPosition)) +
           static_cast<std::ptrdiff_t>(i);
  }

  /// The number of keys of a batch item that are real.
  [[nodiscard]] std::size_t keysOf(std::size_t b) const {
    return placements == nullptr ? keys : static_cast<std::size_t>(placements[b].keys);
  }

  /// The keys that `causal` and `window` allow query i.
  [[nodiscard]] KeyRange visible(std::size_t b, std::size_t i) const;

  /// The smallest range of the columns 0 … columns − 1 that holds all columns visible to any of the queries
  /// first … first + count − 1.
  [[nodiscard]] KeyRange visible(std::size_t b, std::size_t first, std::size_t count,
                                 std::size_t columns) const;

  /// Adds the additive masks to the scaled scores of query i in `columns`, and sets forbidden scores to −∞:
  /// set, not added, so that a forbidden NaN does not spread.
  void apply(float* scores, const KeyRange& columns, std::size_t b, std::size_t h, std::size_t i) const;

  /// Whether query i may attend to column j.
  [[nodiscard]] bool allows(std::size_t b, std::size_t h, std::size_t i, std::size_t j) const;
};

}  // namespace mha
