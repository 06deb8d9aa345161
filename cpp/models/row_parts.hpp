/// A row as a sum of parts, and what maps make of each.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "models/row_map.hpp"

namespace mha::models {

/// Parts (count,width) that sum up to a row: what heads, feed-forward networks and biases have added to it.
/// Maps of the row are applied to all parts, so that they go on to sum up: linear maps as they are, norms
/// with the row's own mean and deviation, activations and soft caps as the row's own factors f(x)/x. What a
/// map adds to every row, its bias, becomes part of the last part.
class RowParts {
 public:
  /// All parts are zero. @throws std::bad_alloc, std::length_error
  RowParts(std::size_t count, std::size_t width);

  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::size_t width() const { return width_; }
  [[nodiscard]] float* at(std::size_t part) { return values_.data() + part * width_; }
  [[nodiscard]] float* biases() { return at(count_ - 1); }
  [[nodiscard]] const std::vector<float>& values() const { return values_; }

  /// Adds the parts of a summand: its last to the last, the others from `first` on.
  void add(RowParts& summand, std::size_t first);

  void scaleColumns(const std::vector<float>& factors);

  void apply(const Norm& norm);
  void apply(const LinearMap& linear);

  /// @param columns those of the last linear stage that are wanted; empty: all
  void apply(const RowMap& map, std::span<const std::size_t> columns);

  /// The parts of a linear map's result, by the heads of its input (heads·dim,); the last one is its bias.
  static RowParts ofHeads(const LinearMap& linear, const float* input, std::size_t heads);

 private:
  void applyColumns(const LinearMap& linear, std::span<const std::size_t> columns);
  template <class Function>
  void applyFunction(const Function& function);
  [[nodiscard]] std::vector<float> sum() const;

  std::size_t count_;
  std::size_t width_;
  std::vector<float> values_;
};

}  // namespace mha::models
