/// Projected keys and values of earlier calls, for generating a sequence piece by piece.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "heads.hpp"

namespace mha {

/// Whose keys and values a cache holds, and their sizes; all stay the same while it holds anything.
struct KvSizes {
  std::uint64_t layer;  // another number for every layer
  std::size_t batch;
  std::size_t kvHeads;
  std::size_t headDim;       // d_k
  std::size_t valueHeadDim;  // d_v
};

/// Keys and values side by side: k (B, capacity, H_kv·d_k), v (B, capacity, H_kv·d_v), of which the first
/// length() rows of each batch item are kept. Room behind them is written first and kept afterwards, so that
/// a call that fails leaves the cache as it was.
class KvCache {
 public:
  /// Rows kept so far: the position of the next key.
  [[nodiscard]] std::size_t length() const { return length_; }

  /// Forgets all but the first `rows` rows; fewer stay as they are. The memory stays.
  void truncate(std::size_t rows) { length_ = std::min(rows, length_); }

  /// Makes room for `rows` more rows; an empty cache then has room for no more, so that its rows are
  /// contiguous.
  /// @throws std::out_of_range when the cache holds rows of another layer or batch size; std::bad_alloc,
  ///         std::length_error
  void reserve(const KvSizes& sizes, std::size_t rows);

  /// Keeps `rows` more of the rows that were written behind length(), for which room was reserved.
  void keep(std::size_t rows) { length_ += rows; }

  /// All rows with the room behind them, (B,H_kv,capacity,d), until the next reserve().
  [[nodiscard]] Heads<float> keys() { return split(keys_, sizes_.headDim); }
  [[nodiscard]] Heads<float> values() { return split(values_, sizes_.valueHeadDim); }

 private:
  void grow(std::size_t capacity);
  [[nodiscard]] std::vector<float> grown(const std::vector<float>& rows, std::size_t dim,
                                         std::size_t capacity) const;
  [[nodiscard]] Heads<float> split(std::vector<float>& rows, std::size_t dim) const {
    const std::size_t width = sizes_.kvHeads * dim;
    return {rows.data(), capacity_ * width, dim, width};
  }

  KvSizes sizes_{};
  std::size_t length_ = 0;
  std::size_t capacity_ = 0;
  std::vector<float> keys_;
  std::vector<float> values_;
};

}  // namespace mha
