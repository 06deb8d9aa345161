/// Strided view of the matrices of separate heads in one buffer.
#pragma once

#include <algorithm>
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

/// Copies rows of `dim` values of B·heads matrices.
inline void copyRows(const Heads<const float>& from, const Heads<float>& to, std::size_t batch,
                     std::size_t heads, std::size_t rows, std::size_t dim) {
  for (std::size_t b = 0; b < batch; ++b) {
    for (std::size_t h = 0; h < heads; ++h) {
      for (std::size_t i = 0; i < rows; ++i) {
        std::copy_n(from.at(b, h) + i * from.row, dim, to.at(b, h) + i * to.row);
      }
    }
  }
}

/// Views a contiguous (B,heads,rows,dim).
template <class T>
Heads<T> wholeHeads(T* data, std::size_t rows, std::size_t heads, std::size_t dim) {
  return {data, heads * rows * dim, rows * dim, dim};
}

/// Views a contiguous (B,rows,heads·dim) as (B,heads,rows,dim).
template <class T>
Heads<T> splitHeads(T* data, std::size_t rows, std::size_t heads, std::size_t dim) {
  return {data, rows * heads * dim, dim, heads * dim};
}

}  // namespace mha
