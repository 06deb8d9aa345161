#include "key_value_tile.hpp"

#include "gemm.hpp"

namespace mha {
namespace {

/// y (n,) = x (k,) · bᵀ.
void multiplyTransposed(std::size_t k, std::size_t n, const float* x, const Rows& b, float* scratch,
                        float* y) {
  if (n >= kLeastDots && k % simd::kLanes == 0) {
    dotRows(k, n, x, b.data, b.stride, y);
    return;
  }
  packTransposed(k, n, b.data, b.stride, nullptr, scratch);
  gemm(1, n, x, {scratch, k, 0, k}, y, n);
}

/// y (n,) = x (k,) · b.
void multiply(std::size_t k, std::size_t n, const float* x, const Rows& b, float* scratch, float* y) {
  if (n >= kLeastColumns) {
    sumRows(k, n, x, b.data, b.stride, y);
    return;
  }
  packRows(k, n, b.data, b.stride, scratch);
  gemm(1, n, x, {scratch, k, 0, k}, y, n);
}

}  // namespace

KeyValueTile::KeyValueTile(const AttentionSizes& sizes, std::size_t queries, const KeyRange& range,
                           const Rows& keys, const Rows& values, float* keyBuffer, float* valueBuffer)
    : sizes_(sizes),
      isPacked_(queries > 1),
      range_(range),
      keys_(keys),
      values_(values),
      keyBuffer_(keyBuffer),
      valueBuffer_(valueBuffer) {
  if (!isPacked_) return;
  packTransposed(sizes.headDim, range.size(), keys.at(range.begin), keys.stride, nullptr, keyBuffer);
  packRows(range.size(), sizes.valueHeadDim, values.at(range.begin), values.stride, valueBuffer);
}

void KeyValueTile::multiplyKeys(std::size_t count, const float* queries, const KeyRange& columns,
                                float* scores, std::size_t stride) const {
  const std::size_t dim = sizes_.headDim;
  if (isPacked_) {
    const float* packed = keyBuffer_ + packedSize(dim, columns.begin - range_.begin);
    gemm(count, columns.size(), queries, {packed, dim, 0, dim}, scores, stride);
  } else {
    multiplyTransposed(dim, columns.size(), queries, {keys_.at(columns.begin), keys_.stride}, keyBuffer_,
                       scores);
  }
}

void KeyValueTile::multiplyValues(std::size_t count, const float* weights, const KeyRange& columns,
                                  float* context, std::size_t stride) const {
  const std::size_t dim = sizes_.valueHeadDim;
  if (isPacked_) {
    gemm(count, dim, weights, {valueBuffer_, range_.size(), columns.begin - range_.begin, columns.size()},
         context, stride);
  } else {
    multiply(columns.size(), dim, weights, {values_.at(columns.begin), values_.stride}, valueBuffer_,
             context);
  }
}

}  // namespace mha
