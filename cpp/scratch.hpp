/// Memory for intermediate results.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace mha {

/// A buffer that is kept between calls and only grows.
class Scratch {
 public:
  /// Returns room for at least `size` floats of undefined value. @throws std::length_error, std::bad_alloc
  float* ensure(std::size_t size) {
    if (buffer_.size() < size) buffer_.resize(size);
    return buffer_.data();
  }

  /// Copies `values` (size,) into the buffer. @throws std::length_error, std::bad_alloc
  void store(const float* values, std::size_t size) { std::copy_n(values, size, ensure(size)); }

  [[nodiscard]] const float* data() const { return buffer_.data(); }

  /// The number of allocated floats.
  [[nodiscard]] std::size_t size() const { return buffer_.size(); }

 private:
  std::vector<float> buffer_;
};

}  // namespace mha
