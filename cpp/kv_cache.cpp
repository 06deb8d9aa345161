#include "kv_cache.hpp"

#include <algorithm>
#include <stdexcept>

#include "tensor.hpp"

namespace mha {
namespace {

std::string toText(const KvSizes& sizes) {
  return mha::toText(Shape{sizes.batch, sizes.kvHeads, sizes.headDim, sizes.valueHeadDim});
}

}  // namespace

void KvCache::reserve(const KvSizes& sizes, std::size_t rows) {
  if (length_ > 0 && sizes != sizes_) {
    throw std::out_of_range("`cache` must have the sizes (B, H_kv, d_k, d_v) of this call, " + toText(sizes) +
                            ", got one that holds " + toText(sizes_));
  }
  if (sizes == sizes_ && rows <= capacity_ - length_) return;
  const std::size_t capacity = std::max(length_ + rows, 2 * length_);
  std::vector<float> keys = grown(keys_, sizes.batch, sizes.kvHeads * sizes.headDim, capacity);
  values_ = grown(values_, sizes.batch, sizes.kvHeads * sizes.valueHeadDim, capacity);
  keys_ = std::move(keys);
  sizes_ = sizes;
  capacity_ = capacity;
}

std::vector<float> KvCache::grown(const std::vector<float>& rows, std::size_t batch, std::size_t width,
                                  std::size_t capacity) const {
  std::vector<float> result(sizeOf({batch, capacity, width}));
  for (std::size_t b = 0; length_ > 0 && b < batch; ++b) {
    std::copy_n(rows.data() + b * capacity_ * width, length_ * width, result.data() + b * capacity * width);
  }
  return result;
}

}  // namespace mha
