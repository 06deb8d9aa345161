/// The number of elements of a shape, checked for overflow.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>

namespace mha {

/// The product of the lengths. @throws std::length_error if so many doubles exceed the address space
std::size_t sizeOf(std::span<const std::size_t> lengths);

inline std::size_t sizeOf(std::initializer_list<std::size_t> lengths) {
  return sizeOf(std::span(lengths.begin(), lengths.end()));
}

}  // namespace mha
