/// A linear layer whose weight may be kept in fewer than 32 bits.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "linear.hpp"
#include "models/half_matrix.hpp"
#include "models/quantized_matrix.hpp"

namespace mha::models {

/// automatic: as the file stores them. In 16 bits they give what float32 gives, bit for bit; in 8 what int8
/// gives.
enum class WeightStorage : std::uint8_t { automatic, float32, int8 };

/// How a file stores numbers, little-endian. i8: whole numbers, which are multiplied by a scale of their row.
enum class ElementType : std::uint8_t { f32, f16, bf16, i8 };

/// Rows that several linear maps take, in the forms that these need.
class MapInput {
 public:
  /// x (rows,width), contiguous, is read until the next call.
  void set(std::size_t rows, std::size_t width, const float* x);

 private:
  friend class LinearMap;

  const float* packed();
  /// The same multiplied by simd::kHalfUnit; null if that is too large.
  const float* packedForHalves();
  const QuantizedRows& quantized();

  std::size_t rows_ = 0;
  std::size_t width_ = 0;
  const float* x_ = nullptr;
  const float* packed_ = nullptr;  // null until it is needed
  bool isScaled_ = false;
  bool isQuantized_ = false;
  PackedInput pack_;
  std::vector<float> scaled_;  // empty if it is too large
  QuantizedRows quantizedRows_;
};

/// y = x·Wᵀ + b, as Linear. Memory for W is taken when it is written, all of which must be before the layer
/// is used: W in float32 where this is its form, and with int8 until the last element. Weights in i8 also
/// need their scales.
class LinearMap {
 public:
  /// @throws std::bad_alloc, std::length_error
  LinearMap(std::size_t inFeatures, std::size_t outFeatures, WeightStorage storage);

  /// As in Linear. `type` is that of the file. @throws std::bad_alloc
  void writeWeight(ElementType type, const Linear::Features& outputs, const Linear::Features& inputs,
                   const float* weight, std::size_t outStride, std::size_t inStride);
  void writeBias(const float* bias);
  /// A factor of each output feature (out,), for i8. @throws std::bad_alloc
  void writeScale(const float* scale);

  /// x (rows,in) → y (rows,out), contiguous. @throws std::bad_alloc; WrongArgument if nothing has been
  /// written
  void apply(MapInput& x, float* y) const;

  /// Row `output` (in,) of the weight as it is kept.
  void copyWeightRow(std::size_t output, float* row) const;
  void copyBias(float* bias) const { std::copy_n(bias_.data(), out_, bias); }

  [[nodiscard]] std::size_t inFeatures() const { return in_; }
  [[nodiscard]] std::size_t outFeatures() const { return out_; }

 private:
  bool writeHalves(ElementType type, const Linear::Features& outputs, const Linear::Features& inputs,
                   const float* weight, std::size_t outStride, std::size_t inStride);
  Linear& floats();
  void finish();

  std::size_t in_;
  std::size_t out_;
  WeightStorage storage_;
  std::size_t unwritten_;     // elements of W
  bool isWhole_ = false;      // W is written in i8
  std::vector<float> scale_;  // (out,), or empty
  std::vector<float> bias_;   // in whole groups
  std::optional<Linear> linear_;
  std::unique_ptr<HalfMatrix> half_;
  std::unique_ptr<QuantizedMatrix> quantized_;
};

}  // namespace mha::models
