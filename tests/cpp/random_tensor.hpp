/// Reproducible test data.
#pragma once

#include <algorithm>

#include "numpy_random.hpp"
#include "tensor.hpp"

namespace mha::test {

/// Draws from N(0, 1), the same for the same seed.
inline Tensor randomTensor(const Shape& shape, std::uint64_t seed) {
  DefaultRng generator(seed);
  std::vector<double> draws(sizeOf(shape));
  generator.normal(0.0, 1.0, draws);
  Tensor tensor = allocate(shape);
  std::ranges::transform(draws, tensor.begin(), [](double x) { return static_cast<float>(x); });
  return tensor;
}

}  // namespace mha::test
