/// Values that may be multiplied by zero.
#pragma once

#include <cstddef>
#include <vector>

namespace mha {

/// The values of one head without those that are NaN or ±∞: a masked key has weight 0, and 0·NaN is not 0.
struct FiniteValues {
  const float* data;                 // (S,d_v)
  std::size_t row;                   // floats from one row to the next
  std::vector<float> copy;           // what `data` points to when rows had to be zeroed
  std::vector<std::size_t> removed;  // the keys of those rows
};

/// `values` (keys,columns), rows `row` apart, themselves where all are finite. @throws std::bad_alloc
FiniteValues finiteValues(const float* values, std::size_t keys, std::size_t row, std::size_t columns);

}  // namespace mha
