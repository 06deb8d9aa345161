#include "linear_gradient.hpp"

#include <algorithm>

#include "row_sums.hpp"

namespace mha {
namespace {

/// Copies x (rows,in), contiguous, to `copy`, with zeros for the rows whose gradY (rows,out) is zero.
void copyRowsWithGradient(std::size_t rows, const float* x, std::size_t in, const float* gradY,
                          std::size_t out, float* copy) {
  for (std::size_t i = 0; i < rows; ++i) {
    const float* grad = gradY + i * out;
    if (std::any_of(grad, grad + out, [](float value) { return value != 0.0F; })) {
      std::copy_n(x + i * in, in, copy + i * in);
    } else {
      std::fill_n(copy + i * in, in, 0.0F);
    }
  }
}

}  // namespace

void LinearGradient::operator()(const Linear& linear, std::size_t rows, const float* x, const float* gradY,
                                const LinearGradients& gradients) {
  const std::size_t in = linear.inFeatures();
  const std::size_t out = linear.outFeatures();
  float* weight = weight_.ensure(sizeOf({out, in}));
  linear.copyWeight(weight);
  product_(rows, out, in, {gradY, out}, {weight, in}, gradients.x, in);

  float* copy = x_.ensure(sizeOf({rows, in}));
  copyRowsWithGradient(rows, x, in, gradY, out, copy);
  product_(out, rows, in, {gradY, out, true}, {copy, in}, gradients.weight, in);

  if (gradients.bias == nullptr) return;
  std::fill_n(gradients.bias, out, 0.0F);
  addRows(rows, out, gradY, out, gradients.bias);
}

}  // namespace mha
