/// What a score gains by how far its key is from its query.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "matrix_product.hpp"
#include "models/parameters.hpp"
#include "models/row_map.hpp"
#include "scratch.hpp"

namespace mha::models {

struct RelativeRules {
  /// Of each distance j − i of key j from query i, from −D to D, a row of the table, in rising or falling
  /// order. Larger distances count as ±D.
  std::vector<std::size_t> rows;
  std::size_t count;  // of the table's rows
  /// The table holds a number per head: T5. Otherwise a vector (E,), whose products with query and key are
  /// added: DeBERTa.
  bool isBias;
  std::optional<NormRules> norm = {};  // of the vectors
};

/// Queries first … first + queries − 1 and keys 0 … keys − 1 of a sequence.
struct RelativeSpan {
  std::size_t first;
  std::size_t queries;
  std::size_t keys;
};

/// @see Raffel et al., "Exploring the Limits of Transfer Learning with a Unified Text-to-Text Transformer"
/// (2020), section 2.1; He et al., "DeBERTa: Decoding-enhanced BERT with Disentangled Attention" (2021),
/// section 3.1
class RelativePositions {
 public:
  /// `width` of a vector of the table: H or E. @throws WrongArgument for rows that do not fit; std::bad_alloc
  RelativePositions(RelativeRules rules, std::size_t width);

  /// `prefix`relative, and `prefix`relative_norm.
  void nameParameters(const std::string& prefix, Parameters& parameters);

  [[nodiscard]] bool isBias() const { return rules_.isBias; }

  /// bias (H,L,S) of a table of numbers.
  void bias(const RelativeSpan& span, float* bias) const;

  /// The rows of the table that the distances of a span need.
  struct Rows {
    std::size_t first;
    std::size_t count;
  };
  [[nodiscard]] Rows rowsOf(const RelativeSpan& span) const;

  /// Vectors (count,E) of these rows, normalised; valid until the next call.
  const float* vectors(const Rows& rows);

  /// The bias (L,S) of one head: scale·(q_i·keys[row] + k_j·queries[row]) for the row of each distance, with
  /// the rows as the layer's key and query map project their vectors, (count,d) each.
  void disentangled(const RelativeSpan& span, const Rows& rows, std::size_t dim, const Factor& q,
                    const Factor& k, const Factor& keys, const Factor& queries, float scale, float* bias);

 private:
  [[nodiscard]] std::size_t rowOf(std::size_t query, std::size_t key) const;

  RelativeRules rules_;
  std::size_t width_;
  std::vector<float> table_;
  std::vector<Norm> norm_;  // at most one
  Scratch normed_;
  Scratch products_;
  MatrixProduct multiply_;
};

}  // namespace mha::models
