/// Rotary position embedding (RoPE): rotates queries and keys by their position, so that scores depend on
/// distances.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "heads.hpp"

namespace mha {

/// Which two components of a vector are rotated as a pair.
enum class RotaryConvention : std::uint8_t {
  half,         // (i, i + dim/2): GPT-NeoX, Llama in Hugging Face's layout
  interleaved,  // (2i, 2i + 1): the paper, GPT-J
};

struct RotaryConfig {
  std::size_t dim;  // even: the first dim components of a head are rotated, the rest is unchanged
  double base;      // > 1
  RotaryConvention convention;
  std::vector<float> table = {};  // (positions,dim/2,2): cosines and sines in place of those of `base`
};

/// Pair i at position t is rotated by the angle t·base^(−2i/dim), in radians.
/// @see Su et al., "RoFormer: Enhanced Transformer with Rotary Position Embedding" (2021), section 3.2
class Rotary {
 public:
  /// The caller checks the ranges of `config`, and that every position is in its table, if it has one.
  explicit Rotary(RotaryConfig config);

  /// `angles` (dim/2,): by how much each pair turns from one position to the next, in radians. Their
  /// multiples are rounded to float32, as transformers does whatever the type of a model's weights: 3,000
  /// tokens on, that turns by up to 1e-4 radians more or less.
  Rotary(std::vector<float> angles, RotaryConvention convention)
      : pairs_(angles.size()),
        angles_(angles.begin(), angles.end()),
        convention_(convention),
        roundsAngles_(true) {}

  /// Rotates in place `rows` rows of `heads` heads of batch item b; row i has the position first + i.
  /// @throws std::bad_alloc, std::length_error, both before `x` is changed
  void apply(const Heads<float>& x, std::size_t b, std::size_t heads, std::size_t rows, std::size_t first) {
    rotate(x, b, heads, rows, first, 1.0F);
  }

  /// The rows of all batch items; row i has the position first + i, or its own of `positions`
  /// (B,rows), unless these are empty.
  void apply(const Heads<float>& x, std::size_t batch, std::size_t heads, std::size_t rows, std::size_t first,
             std::span<const float> positions) {
    applyAll(x, batch, heads, rows, first, positions, 1.0F);
  }

  /// The inverse of apply(), which also maps the gradient of its result to that of its argument.
  void applyInverse(const Heads<float>& x, std::size_t batch, std::size_t heads, std::size_t rows,
                    std::size_t first, std::span<const float> positions) {
    applyAll(x, batch, heads, rows, first, positions, -1.0F);
  }

 private:
  void applyAll(const Heads<float>& x, std::size_t batch, std::size_t heads, std::size_t rows,
                std::size_t first, std::span<const float> positions, float direction);
  void rotate(const Heads<float>& x, std::size_t b, std::size_t heads, std::size_t rows, std::size_t first,
              float direction);
  void extendTable(std::size_t positions);

  std::size_t pairs_;           // dim/2
  std::vector<double> angles_;  // (dim/2,): radians per position; empty with a table of the caller's
  RotaryConvention convention_;
  bool roundsAngles_ = false;
  std::vector<float> table_;  // (positions so far, dim/2, 2): cosine and sine
};

}  // namespace mha
