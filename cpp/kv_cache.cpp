#include "kv_cache.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "tensor.hpp"
#include "wrong_argument.hpp"

namespace mha {

std::uint64_t newLayerIds(std::size_t count) {
  static std::uint64_t next = 0;
  return std::exchange(next, next + count);
}

void KvCache::reserve(const KvSizes& sizes, std::size_t rows) {
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
  if (sizes.layer != sizes_.layer) {
    throw WrongArgument("cache", "be empty or filled by this layer, got one that another layer filled");
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
