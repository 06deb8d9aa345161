/// The distributions that initial weights are drawn from.
#pragma once

#include <span>

#include "numpy_random.hpp"

namespace mha {

/// Fills `weights` with draws from U(−bound, bound).
void drawUniform(DefaultRng& generator, double bound, std::span<float> weights);

/// Fills `weights` with draws from N(0, deviation²).
void drawNormal(DefaultRng& generator, double deviation, std::span<float> weights);

}  // namespace mha
