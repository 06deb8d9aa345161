#include "rotary.hpp"

#include <cmath>

#include "numpy_log.hpp"

namespace mha {
namespace {

struct CosineAndSine {
  double cosine;
  double sine;
};

/// Within 1e-10 for |angle| up to 10⁶, far below float32's steps. Those of the C library are exact for any
/// angle, with tables and code of 3 KB.
CosineAndSine turnBy(double angle) {
  constexpr double kCircle = 6.283185307179586;
  const double x = (angle - kCircle * std::nearbyint(angle / kCircle)) / 8.0;
  // Taylor's series for |x| ≤ π/8, of cos x − 1 to keep its digits; then three times the double angle.
  const double y = x * x;
  double sine = x * (1 - y / 6 * (1 - y / 20 * (1 - y / 42 * (1 - y / 72 * (1 - y / 110)))));
  double versed = -y / 2 * (1 - y / 12 * (1 - y / 30 * (1 - y / 56 * (1 - y / 90 * (1 - y / 132)))));
  for (int i = 0; i < 3; ++i) {
    const double half = sine;
    sine = 2 * half * (1 + versed);
    versed = -2 * half * half;
  }
  return {1 + versed, sine};
}

}  // namespace

void Rotary::extendTable(std::size_t positions) {
  const std::size_t pairs = config_.dim / 2;
  // numpyLog, which takes what is below 1: pow and log of the C library bring 4 KB of tables of their own.
  const double logBase = -numpyLog(1.0 / config_.base);
  for (std::size_t n = turns_.size(); n < positions * pairs; ++n) {
    const std::size_t position = n / pairs;
    const double exponent = -2.0 * static_cast<double>(n % pairs) / static_cast<double>(config_.dim);
    const double angle = static_cast<double>(position) * std::exp(exponent * logBase);
    const auto [cosine, sine] = turnBy(angle);
    turns_.push_back({static_cast<float>(cosine), static_cast<float>(sine)});
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
