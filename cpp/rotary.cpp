#include "rotary.hpp"

#include <cmath>

#include "numpy_log.hpp"

namespace mha {
namespace {

struct SinCos {
  double sine;
  double cosine;
};

/// The sine and cosine, within 1e-10 for |angle| up to 10⁶, far below float32's precision. The C library's
/// are exact for any angle but add 3 KB.
SinCos sinCos(double angle) {
  constexpr double kTwoPi = 6.283185307179586;
  const double x = (angle - kTwoPi * std::nearbyint(angle / kTwoPi)) / 8.0;
  // Taylor series of sin x and cos x − 1 for |x| ≤ π/8, then the double-angle formulas three times.
  const double y = x * x;
  double sine = x * (1 - y / 6 * (1 - y / 20 * (1 - y / 42 * (1 - y / 72 * (1 - y / 110)))));
  double cosineMinusOne = -y / 2 * (1 - y / 12 * (1 - y / 30 * (1 - y / 56 * (1 - y / 90 * (1 - y / 132)))));
  for (int i = 0; i < 3; ++i) {
    const double halfSine = sine;
    sine = 2 * halfSine * (1 + cosineMinusOne);
    cosineMinusOne = -2 * halfSine * halfSine;
  }
  return {sine, 1 + cosineMinusOne};
}

}  // namespace

Rotary::Rotary(RotaryConfig config)
    : pairs_(config.dim / 2), convention_(config.convention), table_(std::move(config.table)) {
  if (!table_.empty()) return;
  // numpyLog() needs an argument below 1. The C library's pow and log would add 4 KB of tables.
  const double logBase = -numpyLog(1.0 / config.base);
  for (std::size_t i = 0; i < pairs_; ++i) {
    const double exponent = -2.0 * static_cast<double>(i) / static_cast<double>(config.dim);
    angles_.push_back(std::exp(exponent * logBase));
  }
}

void Rotary::extendTable(std::size_t positions) {
  std::size_t n = table_.size() / 2;
  if (n >= positions * pairs_) return;
  table_.resize(2 * positions * pairs_);
  for (; n < positions * pairs_; ++n) {
    const std::size_t position = n / pairs_;
    const double angle = static_cast<double>(position) * angles_[n % pairs_];
    const auto [sine, cosine] = sinCos(roundsAngles_ ? static_cast<float>(angle) : angle);
    table_[2 * n] = static_cast<float>(cosine);
    table_[2 * n + 1] = static_cast<float>(sine);
  }
}

void Rotary::rotate(const Heads<float>& x, std::size_t b, std::size_t heads, std::size_t rows,
                    std::size_t first, float direction) {
  extendTable(first + rows);
  const bool half = convention_ == RotaryConvention::half;
  const std::size_t step = half ? 1 : 2;
  const std::size_t partner = half ? pairs_ : 1;
  for (std::size_t h = 0; h < heads; ++h) {
    for (std::size_t row = 0; row < rows; ++row) {
      float* vector = x.at(b, h) + row * x.row;
      const float* angles = table_.data() + 2 * (first + row) * pairs_;
      for (std::size_t i = 0; i < pairs_; ++i) {
        // In double precision: each result is rounded once.
        const double cosine = angles[2 * i];
        const double sine = direction * angles[2 * i + 1];
        float& p = vector[i * step];
        float& q = vector[i * step + partner];
        const double rotated = p * cosine - q * sine;
        q = static_cast<float>(p * sine + q * cosine);
        p = static_cast<float>(rotated);
      }
    }
  }
}

void Rotary::applyAll(const Heads<float>& x, std::size_t batch, std::size_t heads, std::size_t rows,
                      std::size_t first, std::span<const float> positions, float direction) {
  const std::size_t run = positions.empty() ? rows : 1;
  for (std::size_t b = 0; b < batch; ++b) {
    for (std::size_t i = 0; i < rows; i += run) {
      const std::size_t position =
          positions.empty() ? first : static_cast<std::size_t>(positions[b * rows + i]);
      rotate(x.from(i), b, heads, run, position, direction);
    }
  }
}

}  // namespace mha
