#include "tensor.hpp"

#include <limits>
#include <stdexcept>

#include "wrong_argument.hpp"

namespace mha {

std::size_t sizeOf(const Shape& shape) {
  constexpr std::size_t kLargest = std::numeric_limits<std::ptrdiff_t>::max() / sizeof(double);
  std::size_t size = 1;
  for (const std::size_t length : shape) {
    if (length > 0 && size > kLargest / length) throw std::length_error("tensor too large");
    size *= length;
  }
  return size;
}

Tensor allocate(const Shape& shape) {
  sizeOf(shape);
  return Tensor::from_shape(shape);
}

std::string toText(const Shape& shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(shape[i]);
  }
  return text + (shape.size() == 1 ? ",)" : ")");
}

void throwShape(const std::string& name, const std::string& expectation, const Shape& got) {
  throw WrongArgument(name, expectation + ", got shape " + toText(got));
}

}  // namespace mha
