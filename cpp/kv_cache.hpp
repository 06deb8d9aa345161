/// Projected keys and values of earlier calls, for generating a sequence piece by piece.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "heads.hpp"
#include "tensor.hpp"

namespace mha {

/// The first of `count` numbers that no other layer has, for KvSizes.
std::uint64_t newLayerIds(std::size_t count);

/// The layer that filled a cache, and the sizes of its rows; fixed while the cache holds rows.
struct KvSizes {
  std::uint64_t layer;  // identifies the layer
  std::size_t batch;
  std::size_t kvHeads;
  std::size_t headDim;       // d_k
  std::size_t valueHeadDim;  // d_v
};

/// Keys (B,capacity,H_kv·d_k) and values (B,capacity,H_kv·d_v), of which the first length() rows of each
/// batch item are in use. A forward writes its rows after these and commits them at its end: if it fails, the
/// cache stays as it was.
class KvCache {
 public:
  /// The number of rows in use, which is the position of the next key.
  [[nodiscard]] std::size_t length() const { return length_; }

  /// Shortens the cache to `rows` rows, if it is longer. Frees no memory.
  void truncate(std::size_t rows) { length_ = std::min(rows, length_); }

  /// The batch items whose rows it holds.
  [[nodiscard]] std::size_t batch() const { return sizes_.batch; }

  /// Item b becomes a copy of the item `from[b]`, as when beams of a search are taken up. Their number stays.
  /// @throws WrongArgument for other numbers of items, or an item that is not there; std::bad_alloc
  void select(const std::vector<std::size_t>& from);

  /// Replaces the rows by keys (B,H_kv,S,d_k) and values (B,H_kv,S,d_v), as of any layer of these sizes. The
  /// caller checks the shapes.
  /// @throws std::bad_alloc, std::length_error; the cache is then empty
  void fill(const TensorView& keys, const TensorView& values);

  /// Copies of the rows: (B,H_kv,S,d_k) and (B,H_kv,S,d_v).
  [[nodiscard]] Tensor copyKeys() { return copy(keys(), sizes_.headDim); }
  [[nodiscard]] Tensor copyValues() { return copy(values(), sizes_.valueHeadDim); }

  /// Makes room for `rows` more rows. The capacity of an empty cache becomes exactly `rows`, so that its rows
  /// are contiguous.
  /// @throws std::out_of_range when the cache holds rows of another layer or batch size; std::bad_alloc,
  ///         std::length_error
  void reserve(const KvSizes& sizes, std::size_t rows);

  /// Makes `rows` rows part of the cache, which were written after the last one within the reserved room.
  void commit(std::size_t rows) {
    length_ += rows;
    sizes_.layer = reservedFor_;
  }

  /// The keys or values as (B,H_kv,capacity,d), valid until the next reserve().
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

  [[nodiscard]] Tensor copy(const Heads<const float>& rows, std::size_t dim) const;

  KvSizes sizes_{};
  std::uint64_t reservedFor_ = 0;  // the layer that the next rows are of
  std::size_t length_ = 0;
  std::size_t capacity_ = 0;
  std::vector<float> keys_;
  std::vector<float> values_;
};

}  // namespace mha
