/// The Gaussian error linear unit (GELU) and its backward pass.
#pragma once

#include <cstddef>

namespace mha {

/// y[i] = x[i]·Φ(x[i]), with the normal distribution function Φ, within 2e-7 of the exact value for |x| ≤ 3
/// and 1e-7·|x| beyond; slope[i] = Φ(x[i]) + x[i]·φ(x[i]), its derivative, within 4e-7. (n,) each; `slope`
/// may be `x`.
/// @see torch.nn.functional.gelu, approximate='none'; Hendrycks & Gimpel, "Gaussian Error Linear Units"
/// (2016)
void gelu(std::size_t n, const float* x, float* y, float* slope);

/// Replaces `grad` (n,), the gradient of y, by that of x: multiplies it by `slope`.
void geluBackward(std::size_t n, const float* slope, float* grad);

}  // namespace mha
