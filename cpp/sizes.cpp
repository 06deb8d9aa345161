#include "sizes.hpp"

#include <cstdint>
#include <limits>
#include <stdexcept>

namespace mha {

std::size_t sizeOf(std::span<const std::size_t> lengths) {
  constexpr std::size_t kLargest = std::numeric_limits<std::ptrdiff_t>::max() / sizeof(double);
  std::size_t size = 1;
  for (const std::size_t length : lengths) {
    if (length > 0 && size > kLargest / length) throw std::length_error("tensor too large");
    size *= length;
  }
  return size;
}

}  // namespace mha
