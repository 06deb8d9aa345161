#include "random_weights.hpp"

#include <algorithm>

namespace mha {

void drawUniform(DefaultRng& generator, double bound, std::span<float> weights) {
  std::ranges::generate(weights,
                        [&] { return static_cast<float>((2.0 * generator.random() - 1.0) * bound); });
}

void drawNormal(DefaultRng& generator, double deviation, std::span<float> weights) {
  std::ranges::generate(weights, [&] { return static_cast<float>(generator.normal() * deviation); });
}

}  // namespace mha
