/// Row softmax.
#pragma once

#include <cstddef>
#include <limits>

namespace mha {

/// The score of a masked key.
inline constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

/// Replaces `row` (n,) by its softmax: row[j] = exp(row[j] − max) / Σ exp(row − max).
///
/// A row of −inf (all keys masked) becomes zeros, as in ONNX's Attention and, since torch 2.5, in
/// scaled_dot_product_attention (torch's own softmax gives NaN). A NaN makes the whole row NaN. Subtracting
/// the maximum keeps every exponential in [0, 1].
/// @see torch.nn.functional.softmax
void softmaxRow(float* row, std::size_t n);

/// Replaces `grad` (n,), the gradient of `droppedWeights`, by the gradient of the argument of softmax times
/// `scale`. Without dropout, `droppedWeights` is `softmaxWeights`. Where
/// `droppedWeights` is 0, `grad` is not read.
///
/// The exact gradients of a row sum to zero; a rounding error of this sum would be multiplied by the
/// mean of the keys, which may be large. Therefore the sums are in double precision and divided by the sum of
/// the weights, which is only nearly 1.
void softmaxGradientRow(const float* softmaxWeights, const float* droppedWeights, std::size_t n, float scale,
                        float* grad);

/// The largest value of `row` (n,), NaN ignored; −inf if n is 0.
float rowMax(const float* row, std::size_t n);

/// Replaces `row` (n,) by exp(row[j] − max), for a `max` that no value exceeds, and returns their sum. All
/// zeros if `max` is −inf.
float expRow(float* row, std::size_t n, float max);

}  // namespace mha
