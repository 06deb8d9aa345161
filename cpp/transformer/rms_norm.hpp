/// Root mean square normalisation.
#pragma once

#include <cstddef>

namespace mha {

/// y = x/√(mean(x²) + epsilon)·weight for each of `rows` rows of `width` values, which are `stride` apart in
/// both x and y; y may be x.
/// @see Zhang & Sennrich, "Root Mean Square Layer Normalization" (2019); torch.nn.RMSNorm
void rmsNorm(std::size_t rows, std::size_t width, std::size_t stride, const float* x, const float* weight,
             float epsilon, float* y);

}  // namespace mha
