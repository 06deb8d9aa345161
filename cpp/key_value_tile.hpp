/// Keys and values of one head, as products with blocks of queries read them.
#pragma once

#include <cstddef>

#include "attention_call.hpp"
#include "mask.hpp"

namespace mha {

/// A matrix whose rows are `stride` floats apart.
struct Rows {
  const float* data;
  std::size_t stride;

  [[nodiscard]] const float* at(std::size_t row) const { return data + row * stride; }
};

/// The keys (S,d_k) and values (S,d_v) of one head within a range of columns. They are packed when this is
/// made; for a single query they are read as they are, because packing takes longer than its products. Both
/// ways give the same bits.
class KeyValueTile {
 public:
  /// `keyBuffer` holds packedSize(d_k, range.size()) floats, `valueBuffer` packedSize(range.size(), d_v).
  KeyValueTile(const AttentionSizes& sizes, std::size_t queries, const KeyRange& range, const Rows& keys,
               const Rows& values, float* keyBuffer, float* valueBuffer);

  /// scores (count,columns.size()), rows `stride` apart, = packed queries (count,d_k) · keysᵀ. `columns` are
  /// within the range and begin at a whole panel of it.
  void multiplyKeys(std::size_t count, const float* queries, const KeyRange& columns, float* scores,
                    std::size_t stride) const;

  /// context (count,d_v), rows `stride` apart, = packed weights (count,columns.size()) · values.
  void multiplyValues(std::size_t count, const float* weights, const KeyRange& columns, float* context,
                      std::size_t stride) const;

 private:
  const AttentionSizes& sizes_;
  bool isPacked_;
  KeyRange range_;
  Rows keys_;
  Rows values_;
  float* keyBuffer_;
  float* valueBuffer_;
};

}  // namespace mha
