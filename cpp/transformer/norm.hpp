/// Layer normalisation and its backward pass; root mean square normalisation.
#pragma once

#include <cstddef>

namespace mha {

/// Added to the variance, as in torch, unless told otherwise.
inline constexpr float kLayerNormEpsilon = 1e-5F;

/// Row by row: x̂ = (x − mean)/σ with σ = √(variance + epsilon), y = x̂·weight + bias. Writes y and x̂
/// (rows,width) and 1/σ (rows,); the backward pass needs x̂ and 1/σ. x may be y or x̂, and y may be x̂.
/// @see torch.nn.functional.layer_norm; Ba et al., "Layer Normalization" (2016)
void layerNorm(std::size_t rows, std::size_t width, const float* x, const float* weight, const float* bias,
               float* y, float* normalized, float* inverseDeviations, float epsilon = kLayerNormEpsilon);

/// Given ∂y (rows,width), adds ∂x to gradX, Σ ∂y·x̂ to gradWeight and Σ ∂y to gradBias. With g = ∂y·weight,
/// ∂x = (g − mean(g) − x̂·mean(g·x̂))/σ.
void layerNormBackward(std::size_t rows, std::size_t width, const float* normalized,
                       const float* inverseDeviations, const float* weight, const float* gradY, float* gradX,
                       float* gradWeight, float* gradBias);

/// y = x/√(mean(x²) + epsilon)·weight row by row, both (rows,width); y may be x.
/// @see Zhang & Sennrich, "Root Mean Square Layer Normalization" (2019); torch.nn.RMSNorm
void rmsNorm(std::size_t rows, std::size_t width, const float* x, const float* weight, float epsilon,
             float* y);

}  // namespace mha
