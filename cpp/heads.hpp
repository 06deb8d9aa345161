/// Strided view of the matrices of separate heads in one buffer.
#pragma once

#include <cstddef>

namespace mha {

/// Element (b, h, i, p) is at b·batch + h·head + i·row + p.
template <class T>
struct Heads {
  T* data;
  std::size_t batch;
  std::size_t head;
  std::size_t row;

  [[nodiscard]] T* at(std::size_t b, std::size_t h) const { return data + b * batch + h * head; }

  /// The same matrices without their first `firstRow` rows.
  [[nodiscard]] Heads from(std::size_t firstRow) const { return {data + firstRow * row, batch, head, row}; }

  // NOLINTNEXTLINE(google-explicit-constructor): a view for reading, as T* converts to const T*
  operator Heads<const T>() const { return {data, batch, head, row}; }
};

/// Views a contiguous (B,rows,heads·dim) as (B,heads,rows,dim).
template <class T>
Heads<T> splitHeads(T* data, std::size_t rows, std::size_t heads, std::size_t dim) {
  return {data, rows * heads * dim, dim, heads * dim};
}

}  // namespace mha
