/// Rotary position embedding: queries and keys turn with their position, so that scores depend on distances.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "heads.hpp"

namespace mha {

/// Which components form a pair (p, q) that turns together.
enum class RotaryConvention : std::uint8_t {
  half,         // (i, i + dim/2): GPT-NeoX, Llama in Hugging Face's layout
  interleaved,  // (2i, 2i + 1): the paper, GPT-J
};

struct RotaryConfig {
  std::size_t dim;  // even: only the first dim components of a head turn
  double base;      // > 1
  RotaryConvention convention;
};

/// Pair i at position t turns by the angle t·base^(−2i/dim).
/// @see Su et al., "RoFormer: Enhanced Transformer with Rotary Position Embedding" (2021), section 3.2
class Rotary {
 public:
  /// The caller checks the ranges of `config`.
  explicit Rotary(const RotaryConfig& config) : config_(config) {}

  /// Turns in place the `rows` rows of `heads` heads of batch item b; row i stands at position first + i.
  /// @throws std::bad_alloc, std::length_error before anything has turned
  void apply(const Heads<float>& x, std::size_t b, std::size_t heads, std::size_t rows, std::size_t first) {
    turn(x, b, heads, rows, first, 1.0F);
  }

  /// Turns back what apply() turns; also the gradient of the turned rows into that of the rows.
  void undo(const Heads<float>& x, std::size_t b, std::size_t heads, std::size_t rows, std::size_t first) {
    turn(x, b, heads, rows, first, -1.0F);
  }

 private:
  void turn(const Heads<float>& x, std::size_t b, std::size_t heads, std::size_t rows, std::size_t first,
            float direction);
  void extendTable(std::size_t positions);

  RotaryConfig config_;
  struct Turn {
    float cosine;
    float sine;
  };
  std::vector<Turn> turns_;  // (positions so far, dim/2)
};

}  // namespace mha
