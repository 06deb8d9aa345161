#include "tensor.hpp"

#include "wrong_argument.hpp"

namespace mha {

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
