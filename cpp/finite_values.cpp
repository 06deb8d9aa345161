#include "finite_values.hpp"

#include <algorithm>
#include <cmath>

#include "simd.hpp"
#include "tensor.hpp"

namespace mha {
namespace {

bool allFinite(const float* values, std::size_t count) {
  using simd::kLanes;
  // 0·x is 0 for every finite x and NaN for the others.
  const simd::F32x4 zero = simd::splat(0.0F);
  simd::F32x4 sum = zero;
  std::size_t p = 0;
  for (; p + kLanes <= count; p += kLanes) sum = simd::madd(simd::load(values + p), zero, sum);
  if (p < count) sum = simd::madd(simd::loadPart(values + p, count - p, 0.0F), zero, sum);
  return simd::sum(sum) == 0.0F;
}

}  // namespace

FiniteValues finiteValues(const float* values, std::size_t keys, std::size_t row, std::size_t columns) {
  FiniteValues result{values, row, {}, {}};
  for (std::size_t j = 0; j < keys; ++j) {
    if (!allFinite(values + j * row, columns)) result.removed.push_back(j);
  }
  if (result.removed.empty()) return result;
  result.copy.resize(sizeOf({keys, columns}));
  for (std::size_t j = 0; j < keys; ++j) {
    std::copy_n(values + j * row, columns, result.copy.data() + j * columns);
  }
  for (const std::size_t j : result.removed) std::fill_n(result.copy.data() + j * columns, columns, 0.0F);
  result.data = result.copy.data();
  result.row = columns;
  return result;
}

}  // namespace mha
