/// Linear layers for inference.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "heads.hpp"
#include "scratch.hpp"
#include "sizes.hpp"

namespace mha {

/// y = x·Wᵀ + b. Keeps only the packed form of W and b that gemm() reads.
/// @see torch.nn.Linear
class Linear {
 public:
  /// W and b are zero until set() is called. @throws std::bad_alloc, std::length_error
  Linear(std::size_t inFeatures, std::size_t outFeatures);

  /// `weight` (out,in) with contiguous rows; `bias` (out,) or null.
  void set(const float* weight, const float* bias);

  /// `count` features from `first` on.
  struct Features {
    std::size_t first;
    std::size_t count;
  };

  /// Writes part of the weight: element (o, i) of outputs × inputs is at o·outStride + i·inStride. Slower
  /// than set().
  void writeWeight(const Features& outputs, const Features& inputs, const float* weight,
                   std::size_t outStride, std::size_t inStride);
  void writeBias(const float* bias);

  /// Computes y (rows,out), contiguous, from packed x (rows,in).
  void apply(std::size_t rows, const float* packedX, float* y) const;

  /// Unpacks the weight (out,in) and the bias (out,).
  void copyWeight(float* weight) const;
  void copyBias(float* bias) const;
  /// Writes row `output` (in,) of the weight.
  void copyWeightRow(std::size_t output, float* row) const;

  /// W and b as gemm() takes them, packedSize(in, out) floats.
  [[nodiscard]] const float* packed() const { return packed_.data(); }

  [[nodiscard]] std::size_t inFeatures() const { return in_; }
  [[nodiscard]] std::size_t outFeatures() const { return out_; }

 private:
  std::size_t in_;
  std::size_t out_;
  std::vector<float> packed_;
};

/// Rows that are packed for Linear::apply().
class PackedInput {
 public:
  /// packLeft() of x (rows,width), contiguous, on all threads; valid until the next call.
  /// @throws std::bad_alloc, std::length_error
  const float* operator()(std::size_t rows, std::size_t width, const float* x);

 private:
  Scratch packed_;
};

/// Writes what apply(y) computes, (B·rows,width), to the first `rows` rows of each batch item of `y`. Where
/// these are not contiguous, all items are computed in `scratch` and then copied: separate products would be
/// too small to be fast.
template <class Apply>
void applyToItems(std::size_t batch, std::size_t rows, std::size_t width, const Heads<float>& y,
                  Scratch& scratch, const Apply& apply) {
  const std::size_t item = rows * width;
  if (batch == 1 || y.batch == item) {
    apply(y.data);
    return;
  }
  float* all = scratch.ensure(sizeOf({batch, item}));
  apply(all);
  for (std::size_t b = 0; b < batch; ++b) std::copy_n(all + b * item, item, y.at(b, 0));
}

}  // namespace mha
