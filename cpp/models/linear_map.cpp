#include "models/linear_map.hpp"

#include <algorithm>

#include "gemm.hpp"
#include "parallel.hpp"

namespace mha::models {
namespace {

/// Panels that one thread unpacks at a time: they stay in its cache.
constexpr std::size_t kPanelBlock = 4;

}  // namespace

LinearMap::LinearMap(std::size_t inFeatures, std::size_t outFeatures, WeightStorage storage)
    : in_(inFeatures), out_(outFeatures), storage_(storage), unwritten_(sizeOf({inFeatures, outFeatures})) {
  if (storage == WeightStorage::float32) linear_.emplace(in_, out_);
}

void LinearMap::writeWeight(const Linear::Features& outputs, const Linear::Features& inputs,
                            const float* weight, std::size_t outStride, std::size_t inStride) {
  if (!linear_) linear_.emplace(in_, out_);
  linear_->writeWeight(outputs, inputs, weight, outStride, inStride);
  unwritten_ -= std::min(unwritten_, outputs.count * inputs.count);
  if (storage_ == WeightStorage::int8 && unwritten_ == 0) {
    quantized_.quantize(in_, out_, linear_->packed());
    linear_.reset();
  }
}

void LinearMap::writeBias(const float* bias) {
  if (storage_ == WeightStorage::int8) {
    quantized_.setBias(out_, bias);
  } else {
    linear_->writeBias(bias);
  }
}

void LinearMap::apply(std::size_t rows, const float* packedX, float* y,
                      std::vector<Scratch>& unpacked) const {
  if (linear_) {
    linear_->apply(rows, packedX, y);
    return;
  }
  unpacked.resize(threadCount());
  const std::size_t panels = (out_ + kPanelColumns - 1) / kPanelColumns;
  parallelFor((panels + kPanelBlock - 1) / kPanelBlock, [&](std::size_t block, std::size_t thread) {
    const std::size_t first = block * kPanelBlock;
    const std::size_t count = std::min(kPanelBlock, panels - first);
    const std::size_t column = first * kPanelColumns;
    float* weight = unpacked[thread].ensure(packedSize(in_, count * kPanelColumns));
    quantized_.unpack(first, count, weight);
    gemm(rows, std::min(count * kPanelColumns, out_ - column), packedX, {weight, in_, 0, in_}, y + column,
         out_);
  });
}

void LinearMap::copyWeightRow(std::size_t output, float* row) const {
  if (linear_) {
    linear_->copyWeightRow(output, row);
  } else {
    quantized_.copyColumn(output, row);
  }
}

void LinearMap::copyBias(float* bias) const {
  if (linear_) {
    linear_->copyBias(bias);
  } else {
    quantized_.copyBias(out_, bias);
  }
}

}  // namespace mha::models
