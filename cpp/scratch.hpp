/// Memory for intermediate results.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace mha {

/// A buffer that is kept between calls and grows to the largest.
class Scratch {
 public:
  /// At least `size` floats; what they hold is not defined. @throws std::length_error, std::bad_alloc
  float* take(std::size_t size) {
    if (buffer_.size() < size) buffer_.resize(size);
    return buffer_.data();
  }

  /// Keeps a copy of `values` (size,). @throws std::length_error, std::bad_alloc
  void keep(const float* values, std::size_t size) { std::copy_n(values, size, take(size)); }

  [[nodiscard]] const float* data() const { return buffer_.data(); }

  /// Floats that are kept.
  [[nodiscard]] std::size_t size() const { return buffer_.size(); }

 private:
  std::vector<float> buffer_;
};

}  // namespace mha
