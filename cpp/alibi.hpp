/// Attention with linear biases (ALiBi): scores decrease with the distance of key and query.
#pragma once

#include <cstddef>
#include <vector>

namespace mha {

/// The published slope of each head: 2^(−8/n), 2^(−16/n), … if n = `heads` is a power of two; otherwise those
/// of the largest power of two c below n, then every second one of 2c heads.
/// @see Press, Smith & Lewis, "Train Short, Test Long" (2022), section 3 and its code
std::vector<float> alibiSlopes(std::size_t heads);

/// `scores[j − begin]` −= slope·|position − j| for the keys j = begin … end − 1.
void addAlibi(float* scores, std::size_t begin, std::size_t end, float slope, std::ptrdiff_t position);

}  // namespace mha
