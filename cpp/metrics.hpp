/// What heads attend to and how alike they are, in numbers from 0 to 1.
///
/// `weights` is (H,L,S) or (B,H,L,S), finite and at least 0, as attention returns it. Each row of it (one
/// query) is read as a distribution over the keys, that is divided by its sum, which dropout takes away
/// from 1. A row of zeros, whose query may attend to no key, counts for nothing.
#pragma once

#include <cstdint>

#include "tensor.hpp"

namespace mha {

/// (H,) or (B,H): a head's mean, over its rows, of −Σ p·ln p / ln S. 0 = every query attends to one key,
/// 1 = to all alike; 0 where S = 1 or no row counts.
/// @throws std::out_of_range for another rank
Tensor entropy(const TensorView& weights);

/// (H,H) or (B,H,H): 1 − the mean Jensen–Shannon divergence (base 2) of two heads' rows, over the queries for
/// which both have one; 0 where there is none. 1 = the same pattern, 0 = no key in common. Symmetric, 1 on
/// the diagonal.
/// @throws std::out_of_range for another rank
/// @see Clark et al., "What Does BERT Look At?" (2019), section 6: the same divergence as a distance of heads
Tensor similarity(const TensorView& weights);

/// (H,R) or (B,H,R): the share of a head's attention that goes where relation r says. `targets` (R,L,S) has 1
/// where key j is a target of query i, else 0. The score is the mean of Σ p over the targets, over the rows
/// that have a target; 0 where there is none.
/// @throws std::out_of_range for another rank, or `targets` of other L and S
Tensor roleScores(const TensorView& weights, const View<std::uint8_t>& targets);

}  // namespace mha
