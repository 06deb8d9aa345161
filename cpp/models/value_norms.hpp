/// How long what a head takes from each value is.
#pragma once

#include <cstddef>
#include <vector>

#include "attention.hpp"
#include "heads.hpp"
#include "matrix_product.hpp"

namespace mha::models {

class ValueNorms {
 public:
  /// norms (B,H,S) ← ‖v_j·W_h‖: of key j's value v_j (d_v) and the columns W_h (out,d_v) of the output map's
  /// `weight` (out,H·d_v) that are head h's. @throws std::bad_alloc, std::length_error
  /// @see Kobayashi et al., "Attention is Not Only a Weight: Analyzing Transformers with Vector Norms" (2020)
  void operator()(const AttentionSizes& sizes, const Heads<const float>& values,
                  const std::vector<float>& weight, float* norms);

 private:
  MatrixProduct product_;
  std::vector<float> vectors_;
};

}  // namespace mha::models
