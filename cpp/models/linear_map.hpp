/// A linear layer whose weight may be kept in 8 bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "linear.hpp"
#include "models/quantized_panels.hpp"
#include "scratch.hpp"

namespace mha::models {

enum class WeightStorage : std::uint8_t { float32, int8 };

/// y = x·Wᵀ + b, as Linear. With int8, memory for float32 is taken at the first writeWeight() and given back
/// with the last element: all of W must be written before the layer is used.
class LinearMap {
 public:
  /// @throws std::bad_alloc, std::length_error
  LinearMap(std::size_t inFeatures, std::size_t outFeatures, WeightStorage storage);

  /// As in Linear.
  void writeWeight(const Linear::Features& outputs, const Linear::Features& inputs, const float* weight,
                   std::size_t outStride, std::size_t inStride);
  void writeBias(const float* bias);

  /// As in Linear: packed x (rows,in) → y (rows,out). int8 weights are unpacked into `unpacked`, a buffer per
  /// thread. @throws std::bad_alloc
  void apply(std::size_t rows, const float* packedX, float* y, std::vector<Scratch>& unpacked) const;

  /// Row `output` (in,) of the weight as it is kept.
  void copyWeightRow(std::size_t output, float* row) const;
  void copyBias(float* bias) const;

  [[nodiscard]] std::size_t inFeatures() const { return in_; }
  [[nodiscard]] std::size_t outFeatures() const { return out_; }

 private:
  std::size_t in_;
  std::size_t out_;
  WeightStorage storage_;
  std::size_t unwritten_;  // elements of W
  std::optional<Linear> linear_;
  QuantizedPanels quantized_;
};

}  // namespace mha::models
