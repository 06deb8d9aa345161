/// The multi-head attention layer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "attention.hpp"
#include "linear.hpp"
#include "mask.hpp"
#include "scratch.hpp"
#include "tensor.hpp"

namespace mha {

/// Sizes and options of a layer, named as in PyTorch.
struct MultiHeadAttentionConfig {
  std::size_t embedDim;      // E: width of query
  std::size_t numHeads;      // H
  std::size_t numKvHeads;    // H_kv: divides numHeads; = numHeads is plain attention, 1 is multi-query
  std::size_t headDim;       // d_k
  std::size_t valueHeadDim;  // d_v
  std::size_t kdim;          // width of key
  std::size_t vdim;          // width of value
  std::size_t outDim;        // width of the output
  bool bias;
  std::uint64_t seed;  // of the initial weights
};

struct ForwardOptions {
  std::optional<MaskTensor> attnMask = {};                // (L,S), (B,L,S), (B,H,L,S), broadcast
  std::optional<View<std::uint8_t>> keyPaddingMask = {};  // (B,S), (S,) when unbatched: 1 = a real token
  bool isCausal = false;
  std::optional<float> scale = {};  // 1/√d_k when absent
  bool needWeights = true;
};

struct AttentionResult {
  Tensor output;                  // layer (B,L,outDim); scaledDotProductAttention (…,H,L,d_v)
  std::optional<Tensor> weights;  // (B,H,L,S); without B for unbatched input
};

/// Parameters by PyTorch's names, weights in (out,in) layout.
using StateDict = std::map<std::string, Tensor>;
using StateDictView = std::map<std::string, TensorView>;

/// Multi-head attention: every head projects query, key and value, attends, and the contexts, side by side,
/// are projected once more.
///
///   q = query·W_qᵀ + b_q        (B,L,E)    → (B,L,H·d_k)
///   k = key·W_kᵀ + b_k          (B,S,kdim) → (B,S,H_kv·d_k)
///   v = value·W_vᵀ + b_v        (B,S,vdim) → (B,S,H_kv·d_v)
///   context = softmax(q_h·k_hᵀ·scale + mask)·v_h for each head h   (B,L,H·d_v)
///   output = context·W_oᵀ + b_o                                     (B,L,outDim)
///
/// Inputs are (B,L,E) or unbatched (L,E). Every wrong argument throws std::out_of_range before anything is
/// computed and leaves the layer as it was.
/// @see Vaswani et al., "Attention Is All You Need" (2017), section 3.2.2; torch.nn.MultiheadAttention
class MultiHeadAttention {
 public:
  /// Weights as torch initialises them: xavier_uniform for the projections of query, key and value,
  /// U(±1/√in) for the output's, zero biases; drawn from this library's own generator.
  explicit MultiHeadAttention(const MultiHeadAttentionConfig& config);

  AttentionResult forward(const TensorView& query, const TensorView& key, const TensorView& value,
                          const ForwardOptions& options);

  /// in_proj_weight where torch packs (kdim = vdim = E and three projections E → E), else q_proj_weight,
  /// k_proj_weight, v_proj_weight; out_proj.weight; with bias in_proj_bias (q | k | v) and out_proj.bias.
  [[nodiscard]] StateDict stateDict() const;

  /// Takes either form of the projection weights; all or nothing.
  void loadStateDict(const StateDictView& dict);

  [[nodiscard]] std::size_t parameterCount() const;

 private:
  struct Sizes;

  [[nodiscard]] bool packsInProjection() const;
  [[nodiscard]] Shape inProjectionShape() const;
  [[nodiscard]] std::map<std::string, Shape> expectedShapes(bool packed) const;
  [[nodiscard]] Sizes check(const TensorView& query, const TensorView& key, const TensorView& value) const;

  MultiHeadAttentionConfig config_;
  Linear query_;
  Linear key_;
  Linear value_;
  Linear output_;
  Workspace workspace_;
  Scratch q_;        // (B,L,H·d_k)
  Scratch k_;        // (B,S,H_kv·d_k)
  Scratch v_;        // (B,S,H_kv·d_v)
  Scratch context_;  // (B,L,H·d_v)
};

}  // namespace mha
