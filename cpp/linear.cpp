#include "linear.hpp"

#include "gemm.hpp"

namespace mha {

Linear::Linear(std::size_t inFeatures, std::size_t outFeatures) : in_(inFeatures), out_(outFeatures) {
  sizeOf({1 + inFeatures, outFeatures + kPanelColumns});
  packed_.resize(packedSize(inFeatures, outFeatures));
}

void Linear::set(const float* weight, const float* bias) {
  packTransposed(in_, out_, weight, in_, bias, packed_.data());
}

void Linear::apply(std::size_t rows, const float* x, float* y) const {
  gemm(rows, out_, in_, x, in_, packed_.data(), y, out_);
}

void Linear::copyWeight(float* weight) const {
  for (std::size_t o = 0; o < out_; ++o) {
    for (std::size_t i = 0; i < in_; ++i) {
      *weight++ = packed_[packedIndex(in_, static_cast<std::ptrdiff_t>(i), o)];
    }
  }
}

void Linear::copyBias(float* bias) const {
  for (std::size_t o = 0; o < out_; ++o) *bias++ = packed_[packedIndex(in_, -1, o)];
}

}  // namespace mha
