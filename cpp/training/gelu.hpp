/// The Gaussian error linear unit.
#pragma once

#include <cstddef>

namespace mha::training {

/// y[i] = x[i]·Φ(x[i]), Φ the distribution function of the normal distribution, within 2e-7 of the exact
/// value for |x| ≤ 3 and 1e-7·|x| beyond, and slope[i] = Φ(x[i]) + x[i]·φ(x[i]), its derivative, within 4e-7.
/// `slope` may be `x`.
/// @see torch.nn.functional.gelu, approximate='none'; Hendrycks & Gimpel, "Gaussian Error Linear Units"
/// (2016)
void gelu(std::size_t n, const float* x, float* y, float* slope);

/// Multiplies the gradient (n,) of y by `slope`, which makes it that of x.
void geluBackward(std::size_t n, const float* slope, float* grad);

}  // namespace mha::training
