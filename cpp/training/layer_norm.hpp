/// Layer normalisation.
#pragma once

#include <cstddef>

namespace mha::training {

/// What torch adds to the variance.
inline constexpr float kLayerNormEpsilon = 1e-5F;

/// Each row of x (rows,width) to mean 0 and variance 1, then scaled and shifted: with x̂ = (x − mean)/σ and
/// σ = √(variance + kLayerNormEpsilon), y = x̂·weight + bias. Gives y and x̂ (rows,width) and 1/σ (rows,),
/// which the gradient needs. x may be y or x̂.
/// @see torch.nn.functional.layer_norm; Ba et al., "Layer Normalization" (2016)
void layerNorm(std::size_t rows, std::size_t width, const float* x, const float* weight, const float* bias,
               float* y, float* normalized, float* inverseDeviations);

/// From ∂y (rows,width): adds ∂x, ∂weight = Σ ∂y·x̂ and ∂bias = Σ ∂y to what stands there. With g = ∂y·weight,
/// ∂x = (g − mean(g) − x̂·mean(g·x̂))/σ.
void layerNormBackward(std::size_t rows, std::size_t width, const float* normalized,
                       const float* inverseDeviations, const float* weight, const float* gradY, float* gradX,
                       float* gradWeight, float* gradBias);

}  // namespace mha::training
