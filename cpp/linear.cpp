#include "linear.hpp"

#include <algorithm>

#include "gemm.hpp"
#include "parallel.hpp"

namespace mha {
namespace {

/// Each loop index computes this many output features: few panels, so that all threads finish together.
constexpr std::size_t kFeatureBlock = 4 * kPanelColumns;

/// Each loop index packs this many tiles.
constexpr std::size_t kTileBlock = 8;

}  // namespace

Linear::Linear(std::size_t inFeatures, std::size_t outFeatures) : in_(inFeatures), out_(outFeatures) {
  sizeOf({1 + inFeatures, outFeatures + kPanelColumns});
  packed_.resize(packedSize(inFeatures, outFeatures));
}

void Linear::set(const float* weight, const float* bias) {
  packTransposed(in_, out_, weight, in_, bias, packed_.data());
}

void Linear::writeWeight(const Features& outputs, const Features& inputs, const float* weight,
                         std::size_t outStride, std::size_t inStride) {
  for (std::size_t o = 0; o < outputs.count; ++o) {
    float* column =
        packed_.data() + packedIndex(in_, static_cast<std::ptrdiff_t>(inputs.first), outputs.first + o);
    const float* row = weight + o * outStride;
    for (std::size_t i = 0; i < inputs.count; ++i) column[i * kPanelColumns] = row[i * inStride];
  }
}

void Linear::writeBias(const float* bias) {
  for (std::size_t o = 0; o < out_; ++o) packed_[packedIndex(in_, -1, o)] = bias[o];
}

const float* PackedInput::operator()(std::size_t rows, std::size_t width, const float* x) {
  float* packed = packed_.ensure(sizeOf({rows, width}));
  const std::size_t tiles = leftTiles(rows);
  parallelFor((tiles + kTileBlock - 1) / kTileBlock, [&](std::size_t block, std::size_t /*thread*/) {
    const std::size_t first = block * kTileBlock;
    packLeftTiles(rows, width, x, width, packed, first, std::min(kTileBlock, tiles - first));
  });
  return packed;
}

void Linear::apply(std::size_t rows, const float* packedX, float* y) const {
  if (rows == 0) return;  // y may be null
  parallelFor((out_ + kFeatureBlock - 1) / kFeatureBlock, [&](std::size_t block, std::size_t /*thread*/) {
    const std::size_t first = block * kFeatureBlock;
    const float* weight = packed_.data() + packedSize(in_, first);
    gemm(rows, std::min(kFeatureBlock, out_ - first), packedX, {weight, in_, 0, in_}, y + first, out_);
  });
}

void Linear::copyWeight(float* weight) const {
  for (std::size_t o = 0; o < out_; ++o) copyWeightRow(o, weight + o * in_);
}

void Linear::copyWeightRow(std::size_t output, float* row) const {
  const float* column = packed_.data() + packedIndex(in_, 0, output);
  for (std::size_t i = 0; i < in_; ++i) row[i] = column[i * kPanelColumns];
}

void Linear::copyBias(float* bias) const {
  for (std::size_t o = 0; o < out_; ++o) *bias++ = packed_[packedIndex(in_, -1, o)];
}

}  // namespace mha
