#include "rotary.hpp"

#include <cmath>

#include "numpy_log.hpp"

namespace mha {

void Rotary::extendTable(std::size_t positions) {
  const std::size_t pairs = config_.dim / 2;
  // numpyLog, which takes what is below 1: pow and log of the C library bring 4 KB of tables of their own.
  const double logBase = -numpyLog(1.0 / config_.base);
  for (std::size_t n = turns_.size(); n < positions * pairs; ++n) {
    const std::size_t position = n / pairs;
    const double exponent = -2.0 * static_cast<double>(n % pairs) / static_cast<double>(config_.dim);
    const double angle = static_cast<double>(position) * std::exp(exponent * logBase);
    turns_.push_back({static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))});
  }
}

void Rotary::turn(const Heads<float>& x, std::size_t b, std::size_t heads, std::size_t rows,
                  std::size_t first, float direction) {
  extendTable(first + rows);
  const std::size_t pairs = config_.dim / 2;
  const bool half = config_.convention == RotaryConvention::half;
  const std::size_t step = half ? 1 : 2;
  const std::size_t partner = half ? pairs : 1;
  for (std::size_t h = 0; h < heads; ++h) {
    for (std::size_t row = 0; row < rows; ++row) {
      float* vector = x.at(b, h) + row * x.row;
      const Turn* turns = turns_.data() + (first + row) * pairs;
      for (std::size_t i = 0; i < pairs; ++i) {
        const float cosine = turns[i].cosine;
        const float sine = direction * turns[i].sine;
        float& p = vector[i * step];
        float& q = vector[i * step + partner];
        const float turned = p * cosine - q * sine;
        q = p * sine + q * cosine;
        p = turned;
      }
    }
  }
}

}  // namespace mha
