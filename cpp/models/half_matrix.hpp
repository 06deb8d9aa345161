/// A weight in the 16 bits of its file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gemm.hpp"
#include "linear.hpp"

namespace mha::models {

/// float16 here has the bits of IEEE's with an exponent that is larger by 10: it has all numbers of magnitude
/// 2⁻²⁴ to 2⁷, and none of them is subnormal.
enum class HalfFormat : std::uint8_t { float16, bfloat16 };

/// B (k,n) for gemm() in numbers of 16 bits, which give the same float32 again. Zero until it is written.
class HalfMatrix final : public CompressedMatrix {
 public:
  /// @throws std::bad_alloc, std::length_error
  HalfMatrix(HalfFormat format, std::size_t k, std::size_t n);

  /// Like Linear::writeWeight(), B being its transpose. False, with a part written, if the format lacks a
  /// number.
  bool write(const Linear::Features& outputs, const Linear::Features& inputs, const float* weight,
             std::size_t outStride, std::size_t inStride);

  /// B[row][column].
  [[nodiscard]] float at(std::size_t row, std::size_t column) const;

  void unpack(std::size_t group, std::size_t first, std::size_t count, float* panels) const override;
  bool multiplyRow(std::size_t group, const float* x, const float* bias, float* y) const override;

 private:
  /// Where B[row][column] lies: groups (k,32), with each 8 columns in the order that simd.hpp takes.
  [[nodiscard]] std::size_t indexOf(std::size_t row, std::size_t column) const;

  HalfFormat format_;
  std::size_t k_;
  std::vector<std::uint16_t> values_;
};

}  // namespace mha::models
