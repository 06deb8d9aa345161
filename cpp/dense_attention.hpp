/// Attention with whole rows of scores: for weights, intermediates and dropout.
#pragma once

#include "attention_call.hpp"
#include "finite_values.hpp"

namespace mha {

/// Takes the memory that denseAttention() uses, so that it allocates nothing. @throws std::bad_alloc
void reserveDense(const AttentionCall& call, Workspace& workspace);

/// Computes `part` of `call` with `values` for its key/value head; `dropout` may be null.
void denseAttention(const AttentionCall& call, const AttentionPart& part, const FiniteValues& values,
                    Dropout* dropout, Workspace& workspace);

}  // namespace mha
