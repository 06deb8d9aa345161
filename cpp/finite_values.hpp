/// Values without NaN and infinities, so that their product with a weight of 0 is 0.
#pragma once

#include <cstddef>
#include <vector>

namespace mha {

/// Whether none of `values` (count,) is NaN or ±∞.
bool allFinite(const float* values, std::size_t count);

/// The values of one head, with zeros for rows that hold NaN or ±∞: masked keys have weight 0, but 0·NaN is
/// NaN.
class FiniteValues {
 public:
  /// Views `values`, whose rows are `row` apart, without looking for NaN or ±∞.
  FiniteValues(const float* values, std::size_t row) : values_(values), row_(row) {}

  /// Views `values` (keys,columns), whose rows are `row` apart, or copies them if rows must be zeroed.
  /// @throws std::bad_alloc
  FiniteValues(const float* values, std::size_t keys, std::size_t row, std::size_t columns);

  /// The values (S,d_v), whose rows are row() apart.
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
