/// Attention that computes whole rows of scores: for weights, intermediate results and dropout.
#pragma once

#include "attention_call.hpp"
#include "finite_values.hpp"

namespace mha {

/// Allocates the buffers of denseAttention(), which itself allocates nothing. @throws std::bad_alloc
void reserveDense(const AttentionCall& call, Workspace& workspace);

/// Computes `part` of `call`. `values` are the values of the part's key/value head; `dropout` may be null.
void denseAttention(const AttentionCall& call, const AttentionPart& part, const FiniteValues& values,
                    Dropout* dropout, Workspace& workspace);

}  // namespace mha
