/// Row softmax.
#pragma once

#include <cstddef>

namespace mha {

/// Replaces `row` (n,) by its softmax: row[j] = exp(row[j] − max) / Σ exp(row − max).
///
/// A row that is −inf everywhere (all keys masked) becomes zeros, as in ONNX's Attention and, since
/// torch 2.5, in scaled_dot_product_attention (torch's own softmax gives NaN); a NaN makes the whole row NaN.
/// The subtraction of the maximum keeps every exponential in [0, 1].
/// @see torch.nn.functional.softmax
void softmaxRow(float* row, std::size_t n);

/// From `grad` (n,), the gradient of `dropped`, that of what softmax took, times `scale`, in its place.
/// `dropped` is what dropout made of `weights`, or `weights`. Where it is 0, `grad` is not read.
///
/// The gradients of a row sum to zero. What rounding leaves of that sum is multiplied by all that the keys
/// have in common: so the sums are of doubles, and weights whose sum is not quite 1 are divided by it.
void softmaxGradientRow(const float* weights, const float* dropped, std::size_t n, float scale, float* grad);

/// The largest of `row` (n,), NaN passed over; −inf when n is 0.
float rowMax(const float* row, std::size_t n);

/// row[j] = exp(row[j] − max), where `max` is at least the largest of them; returns their sum. All zeros when
/// `max` is −inf.
float expRow(float* row, std::size_t n, float max);

}  // namespace mha
