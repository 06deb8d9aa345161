/// Measures of attention patterns, all from 0 to 1.
///
/// `weights` is (H,L,S) or (B,H,L,S), finite and at least 0, as attention returns it. Each row (one query) is
/// divided by its sum, which differs from 1 after dropout, and read as a distribution over the keys. Rows of
/// zeros (fully masked queries) are left out.
#pragma once

#include <cstdint>

#include "tensor.hpp"

namespace mha {

/// (H,) or (B,H): a head's mean over its rows of −Σ p·ln p / ln S. 0 = every query attends to one key, 1 = to
/// all keys equally; 0 if S = 1 or all rows are left out.
/// @throws std::out_of_range for another rank
Tensor entropy(const TensorView& weights);

/// (H,H) or (B,H,H): 1 − the mean Jensen–Shannon divergence (base 2) of two heads' rows, over the queries
/// that neither head leaves out; 0 if there is none. 1 = the same pattern, 0 = no key in common. Symmetric, 1
/// on the diagonal.
/// @throws std::out_of_range for another rank
/// @see Clark et al., "What Does BERT Look At?" (2019), section 6: the same divergence as a distance of heads
Tensor similarity(const TensorView& weights);

/// (H,R) or (B,H,R): the mean weight that a head puts on the targets of relation r. `targets` (R,L,S) is 1
/// where key j is a target of query i, otherwise 0. For each query with a target, the weights on its targets
/// are summed; the result is the mean over these queries, or 0 if there are none.
/// @throws std::out_of_range for another rank, or `targets` of other L and S
Tensor roleScores(const TensorView& weights, const View<std::uint8_t>& targets);

}  // namespace mha
