/// Attention with linear biases: keys count for less, the further they are from the query.
#pragma once

#include <cstddef>
#include <vector>

namespace mha {

/// The published slope of each head: 2^(−8/n), 2^(−16/n), … for n = `heads` a power of two; otherwise those
/// of the largest power of two c below n, then every second one of 2c.
/// @see Press, Smith & Lewis, "Train Short, Test Long" (2022), section 3 and the code that it points to
std::vector<float> alibiSlopes(std::size_t heads);

/// `scores[j − begin]` −= slope·|position − j| for the keys j = begin … end − 1.
void addAlibi(float* scores, std::size_t begin, std::size_t end, float slope, std::size_t position);

}  // namespace mha
