/// What a model does to each row apart from its blocks: projects embeddings, normalises, computes logits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/linear_map.hpp"
#include "models/parameters.hpp"
#include "scratch.hpp"
#include "transformer/activation.hpp"

namespace mha::models {

enum class NormKind : std::uint8_t { layer, rms };

struct NormRules {
  NormKind kind = NormKind::layer;
  float epsilon = 0.0F;
  float offset = 0.0F;  // added to the stored weights: 1 in Gemma
};

/// A normalisation with its parameters. That of root mean squares has no bias.
class Norm {
 public:
  Norm(const NormRules& rules, std::size_t width)
      : kind_(rules.kind),
        epsilon_(rules.epsilon),
        offset_(rules.offset),
        weight_(width),
        bias_(rules.kind == NormKind::layer ? width : 0) {}

  /// x (rows,width) → y (rows,width); y may be x. @throws std::bad_alloc
  void apply(std::size_t rows, const float* x, float* y);

  /// Adds `prefix`.weight and, of a layer norm, `prefix`.bias.
  void nameParameters(const std::string& prefix, Parameters& parameters);

 private:
  friend class RowParts;

  NormKind kind_;
  float epsilon_;
  float offset_;
  std::vector<float> weight_;
  std::vector<float> bias_;
  Scratch inverseDeviations_;
};

/// A linear map, then a factor, an activation, a norm, a soft cap; each may be left out.
struct RowStage {
  std::vector<LinearMap> linear;  // at most one
  float scale = 1.0F;
  ActivationFunction activation = ActivationFunction::identity;
  std::vector<Norm> norm;  // at most one
  float softcap = 0.0F;    // c of c·tanh(x/c); 0: none
};

/// Stages one after the other: (rows,in) → (rows,out).
class RowMap {
 public:
  explicit RowMap(std::size_t width) : in_(width), out_(width) {}

  void addLinear(std::size_t out, WeightStorage storage);
  void addScale(float scale);
  void addActivation(ActivationFunction function);
  void addNorm(const NormRules& rules);
  void addSoftcap(float softcap);

  [[nodiscard]] std::size_t inFeatures() const { return in_; }
  [[nodiscard]] std::size_t outFeatures() const { return out_; }

  /// x (rows,in) → (rows,out), in memory of this map that is valid until its next call.
  /// @throws std::bad_alloc, std::length_error
  const float* apply(std::size_t rows, const float* x);

  /// Width of what the last linear map takes.
  [[nodiscard]] std::size_t lastInFeatures() const { return lastLinear().inFeatures(); }

  /// Row `index` of the weight of the last linear map: with tied embeddings, a token's vector.
  void copyWeightRow(std::size_t index, float* row) const;

  /// Adds `prefix`.<index of the stage>.weight and .bias.
  void nameParameters(const std::string& prefix, Parameters& parameters);

 private:
  friend class RowParts;

  [[nodiscard]] const LinearMap& lastLinear() const;

  std::size_t in_;
  std::size_t out_;
  std::vector<RowStage> stages_;
  MapInput input_;
  std::vector<Scratch> buffers_ = std::vector<Scratch>(2);
};

}  // namespace mha::models
