#include "rotary.hpp"

#include <cmath>

#include "numpy_log.hpp"

namespace mha {

void Rotary::extendTable(std::size_t positions) {
  const std::size_t pairs = config_.dim / 2;
  // numpyLog, which takes what is below 1: pow and log of the C library bring 4 KB of tables of their own.
  const double logBase = -numpyLog(1.0 / config_.base);
  cosines_.reserve(positions * pairs);
  sines_.reserve(positions * pairs);
  for (std::size_t t = cosines_.size() / pairs; t < positions; ++t) {
    for (std::size_t i = 0; i < pairs; ++i) {
      const double exponent = -2.0 * static_cast<double>(i) / static_cast<double>(config_.dim);
      const double angle = static_cast<double>(t) * std::exp(exponent * logBase);
      cosines_.push_back(static_cast<float>(std::cos(angle)));
      sines_.push_back(static_cast<float>(std::sin(angle)));
    }
  }
}

void Rotary::apply(const Heads<float>& x, std::size_t b, std::size_t heads, std::size_t rows,
                   std::size_t first) {
  extendTable(first + rows);
  const std::size_t pairs = config_.dim / 2;
  const bool half = config_.convention == RotaryConvention::half;
  const std::size_t step = half ? 1 : 2;
  const std::size_t partner = half ? pairs : 1;
  for (std::size_t h = 0; h < heads; ++h) {
    for (std::size_t row = 0; row < rows; ++row) {
      float* vector = x.at(b, h) + row * x.row;
      const float* cosines = cosines_.data() + (first + row) * pairs;
      const float* sines = sines_.data() + (first + row) * pairs;
      for (std::size_t i = 0; i < pairs; ++i) {
        float& p = vector[i * step];
        float& q = vector[i * step + partner];
        const float turned = p * cosines[i] - q * sines[i];
        q = p * sines[i] + q * cosines[i];
        p = turned;
      }
    }
  }
}

}  // namespace mha
