#include "finite_values.hpp"

#include <algorithm>

#include "simd.hpp"
#include "sizes.hpp"

namespace mha {

bool allFinite(const float* values, std::size_t count) {
  using simd::kLanes;
  // 0·x is 0 for finite x and NaN otherwise.
  const simd::F32x4 zero = simd::splat(0.0F);
  simd::F32x4 sum = zero;
  std::size_t p = 0;
  for (; p + kLanes <= count; p += kLanes) sum = simd::madd(simd::load(values + p), zero, sum);
  if (p < count) sum = simd::madd(simd::loadPart(values + p, count - p, 0.0F), zero, sum);
  return simd::sum(sum) == 0.0F;
}

FiniteValues::FiniteValues(const float* values, std::size_t keys, std::size_t row, std::size_t columns)
    : FiniteValues(values, row) {
  for (std::size_t j = 0; j < keys; ++j) {
    if (!allFinite(values + j * row, columns)) removed_.push_back(j);
  }
  if (removed_.empty()) return;
  copy_.resize(sizeOf({keys, columns}));
  for (std::size_t j = 0; j < keys; ++j) {
    std::copy_n(values + j * row, columns, copy_.data() + j * columns);
  }
  for (const std::size_t j : removed_) std::fill_n(copy_.data() + j * columns, columns, 0.0F);
  row_ = columns;
}

}  // namespace mha
