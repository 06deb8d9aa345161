/// Values that may be multiplied by zero.
#pragma once

#include <cstddef>
#include <vector>

namespace mha {

/// Whether none of `values` (count,) is NaN or ±∞.
bool allFinite(const float* values, std::size_t count);

/// The values of one head without those that are NaN or ±∞: a masked key has weight 0, and 0·NaN is not 0.
class FiniteValues {
 public:
  /// `values`, rows `row` apart, whatever they hold.
  FiniteValues(const float* values, std::size_t row) : values_(values), row_(row) {}

  /// `values` (keys,columns), rows `row` apart; in a copy if rows must be zeroed. @throws std::bad_alloc
  FiniteValues(const float* values, std::size_t keys, std::size_t row, std::size_t columns);

  /// (S,d_v), row() floats from one row to the next.
  [[nodiscard]] const float* data() const { return removed_.empty() ? values_ : copy_.data(); }
  [[nodiscard]] std::size_t row() const { return row_; }

  /// The keys whose rows are zeroed.
  [[nodiscard]] const std::vector<std::size_t>& removed() const { return removed_; }

 private:
  const float* values_;
  std::size_t row_;
  std::vector<float> copy_;
  std::vector<std::size_t> removed_;
};

}  // namespace mha
