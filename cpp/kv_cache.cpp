#include "kv_cache.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "tensor.hpp"
#include "wrong_argument.hpp"

namespace mha {

namespace {

/// In place of a layer's number: the rows are the caller's own.
constexpr std::uint64_t kAnyLayer = 0;

}  // namespace

std::uint64_t newLayerIds(std::size_t count) {
  static std::uint64_t next = kAnyLayer + 1;
  return std::exchange(next, next + count);
}

void KvCache::fill(const TensorView& keys, const TensorView& values) {
  const Shape& shape = keys.shape();
  const std::size_t rows = shape[2];
  truncate(0);
  reserve({kAnyLayer, shape[0], shape[1], shape[3], values.shape(3)}, rows);
  const auto write = [&](const TensorView& from, const Heads<float>& to) {
    const std::size_t dim = from.shape(3);
    copyRows(wholeHeads(from.data(), rows, shape[1], dim), to, shape[0], shape[1], rows, dim);
  };
  write(keys, this->keys());
  write(values, this->values());
  commit(rows);
}

void KvCache::select(const std::vector<std::size_t>& from) {
  if (length_ == 0) return;
  const auto isThere = [&](std::size_t item) { return item < sizes_.batch; };
  if (from.size() != sizes_.batch || !std::ranges::all_of(from, isThere)) {
    throw WrongArgument("items", "be " + std::to_string(sizes_.batch) + " items of the cache");
  }
  const auto selected = [&](const std::vector<float>& rows, std::size_t dim) {
    const std::size_t width = sizes_.kvHeads * dim;
    std::vector<float> result(rows.size());
    for (std::size_t b = 0; b < from.size(); ++b) {
      std::copy_n(rows.data() + from[b] * capacity_ * width, length_ * width,
                  result.data() + b * capacity_ * width);
    }
    return result;
  };
  std::vector<float> keys = selected(keys_, sizes_.headDim);
  values_ = selected(values_, sizes_.valueHeadDim);
  keys_ = std::move(keys);
}

Tensor KvCache::copy(const Heads<const float>& rows, std::size_t dim) const {
  Tensor result = allocate({sizes_.batch, sizes_.kvHeads, length_, dim});
  copyRows(rows, wholeHeads(result.data(), length_, sizes_.kvHeads, dim), sizes_.batch, sizes_.kvHeads,
           length_, dim);
  return result;
}

void KvCache::reserve(const KvSizes& sizes, std::size_t rows) {
  reservedFor_ = sizes.layer;
  if (length_ == 0) {
    const auto fit = [&](std::vector<float>& buffer, std::size_t dim) {
      const std::size_t size = sizeOf({sizes.batch, rows, sizes.kvHeads * dim});
      if (buffer.size() < size) buffer.resize(size);
    };
    fit(keys_, sizes.headDim);
    fit(values_, sizes.valueHeadDim);
    sizes_ = sizes;
    capacity_ = rows;
    return;
  }
  const bool fits = sizes_.layer == kAnyLayer && sizes.kvHeads == sizes_.kvHeads &&
                    sizes.headDim == sizes_.headDim && sizes.valueHeadDim == sizes_.valueHeadDim;
  if (sizes.layer != sizes_.layer && !fits) {
    throw WrongArgument("cache",
                        "be empty, filled by this layer or with keys and values of its heads, got another");
  }
  if (sizes.batch != sizes_.batch) {
    throw WrongArgument("query", "have the batch size " + std::to_string(sizes_.batch) + " of `cache`, got " +
                                     std::to_string(sizes.batch));
  }
  const std::size_t needed = length_ + rows;
  if (needed <= capacity_) return;
  try {
    grow(std::max(needed, 2 * length_));
  } catch (const std::exception&) {
    grow(needed);  // there is no memory for twice the length
  }
}

void KvCache::grow(std::size_t capacity) {
  std::vector<float> keys = grown(keys_, sizes_.headDim, capacity);
  values_ = grown(values_, sizes_.valueHeadDim, capacity);
  keys_ = std::move(keys);
  capacity_ = capacity;
}

std::vector<float> KvCache::grown(const std::vector<float>& rows, std::size_t dim,
                                  std::size_t capacity) const {
  const std::size_t width = sizes_.kvHeads * dim;
  std::vector<float> result(sizeOf({sizes_.batch, capacity, width}));
  for (std::size_t b = 0; b < sizes_.batch; ++b) {
    std::copy_n(rows.data() + b * capacity_ * width, length_ * width, result.data() + b * capacity * width);
  }
  return result;
}

}  // namespace mha
