#include "transformer/rms_norm.hpp"

#include <cmath>

namespace mha {

void rmsNorm(std::size_t rows, std::size_t width, std::size_t stride, const float* x, const float* weight,
             float epsilon, float* y) {
  for (std::size_t i = 0; i < rows; ++i) {
    const float* row = x + i * stride;
    // In double precision, because every later product of the row inherits its error.
    double squares = 0.0;
    for (std::size_t j = 0; j < width; ++j) squares += static_cast<double>(row[j]) * row[j];
    const double scale = 1.0 / std::sqrt(squares / static_cast<double>(width) + epsilon);
    float* normed = y + i * stride;
    for (std::size_t j = 0; j < width; ++j) normed[j] = static_cast<float>(row[j] * scale) * weight[j];
  }
}

}  // namespace mha
