#include "linear_gradient.hpp"

#include <algorithm>

#include "row_sums.hpp"

namespace mha {

void copyRowsThatCount(std::size_t rows, const float* from, std::size_t width, const float* other,
                       std::size_t otherWidth, float* to) {
  for (std::size_t i = 0; i < rows; ++i) {
    const float* row = other + i * otherWidth;
    if (std::any_of(row, row + otherWidth, [](float value) { return value != 0.0F; })) {
      std::copy_n(from + i * width, width, to + i * width);
    } else {
      std::fill_n(to + i * width, width, 0.0F);
    }
  }
}

void LinearGradient::operator()(const Linear& linear, std::size_t rows, const float* x, const float* gradY,
                                const LinearGradients& gradients) {
  const std::size_t in = linear.inFeatures();
  const std::size_t out = linear.outFeatures();
  float* weight = weight_.take(sizeOf({out, in}));
  linear.copyWeight(weight);
  product_(rows, out, in, {gradY, out}, {weight, in}, gradients.x, in);

  float* seen = x_.take(sizeOf({rows, in}));
  copyRowsThatCount(rows, x, in, gradY, out, seen);
  product_(out, rows, in, {gradY, out, true}, {seen, in}, gradients.weight, in);

  if (gradients.bias == nullptr) return;
  std::fill_n(gradients.bias, out, 0.0F);
  addRows(rows, out, gradY, out, gradients.bias);
}

}  // namespace mha
