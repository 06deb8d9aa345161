/// A weight in the 16 bits of its file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gemm.hpp"
#include "linear.hpp"

namespace mha::models {

/// B (k,n) for gemm() in numbers of 16 bits, which give the same float32 again. Zero until it is written.
class HalfMatrix {
 public:
  /// @throws std::bad_alloc, std::length_error
  HalfMatrix(HalfFormat format, std::size_t k, std::size_t n);

  /// Like Linear::writeWeight(), B being its transpose. False, with a part written, if the format lacks a
  /// number.
  bool write(const Linear::Features& outputs, const Linear::Features& inputs, const float* weight,
             std::size_t outStride, std::size_t inStride);

  /// B[row][column].
  [[nodiscard]] float at(std::size_t row, std::size_t column) const;

  /// The columns 32·group … for gemm(), with their bias (32,).
  [[nodiscard]] HalfGroup group(std::size_t group, const float* bias) const {
    return {format_, k_, values_.data() + group * k_ * kGroupColumns, bias};
  }

  [[nodiscard]] HalfFormat format() const { return format_; }

 private:
  /// Where B[row][column] lies: groups (k,32), with each 8 columns in the order that simd.hpp takes.
  [[nodiscard]] std::size_t indexOf(std::size_t row, std::size_t column) const;

  HalfFormat format_;
  std::size_t k_;
  std::vector<std::uint16_t> values_;
};

}  // namespace mha::models
