/// The multi-head attention layer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "attention.hpp"
#include "attention_gradient.hpp"
#include "attention_result.hpp"
#include "kv_cache.hpp"
#include "layer_tape.hpp"
#include "linear.hpp"
#include "linear_gradient.hpp"
#include "mask_tensor.hpp"
#include "numpy_random.hpp"
#include "rotary.hpp"
#include "scratch.hpp"
#include "tensor.hpp"

namespace mha {

/// What follows each projection.
enum class Activation : std::uint8_t {
  none,
  relu,  // on query, key and value after their projections, and on the output
};

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
  bool bias = true;
  bool addBiasKv = false;    // a learned key and value behind the sequence's
  bool addZeroAttn = false;  // a zero key and value behind those
  double dropout = 0.0;      // 0 … 1, of the weights, in training
  Activation activation = Activation::none;
  std::optional<RotaryConfig> rope = {};
  std::uint64_t seed = 0;  // of the initial weights and then of dropout
};

/// Options of one call.
struct ForwardOptions {
  std::optional<MaskTensor> attnMask = {};  // (L,S), (B,L,S), (B,H,L,S), unbatched (H,L,S), broadcast
  std::optional<View<std::uint8_t>> keyPaddingMask = {};  // (B,S), (S,) when unbatched: 1 = a real token
  bool isCausal = false;
  std::optional<Window> window = {};
  bool alibi = false;
  float softcap = 0.0F;             // 0: none
  std::optional<float> scale = {};  // 1/√d_k when absent
  bool needWeights = true;
  bool returnScores = false;
  bool returnSteps = false;
  KvCache* cache = nullptr;  // of n earlier keys: S in the masks counts them, query i stands at n + i
  bool training = false;     // with dropout, and recorded for backward() unless there is a cache
  WeightsTaker* weightsTaker = nullptr;
};

/// Multiply-adds of one forward (each counted once) and, for softmax, exponentials.
struct Flops {
  double projections;
  double scores;
  double context;
  double softmax;
};

/// Parameters by PyTorch's names, weights in (out,in) layout.
using StateDict = std::map<std::string, Tensor>;
using StateDictView = std::map<std::string, TensorView>;

/// The gradients of what a layer takes and of its parameters, each of the shape of its own.
struct LayerGradients {
  Tensor query;
  Tensor key;
  Tensor value;
  StateDict parameters;  // the names of stateDict()
};

/// Multi-head attention: every head projects query, key and value, attends, and the contexts, side by side,
/// are projected once more.
///
///   q = query·W_qᵀ + b_q        (B,L,E)    → (B,L,H·d_k)
///   k = key·W_kᵀ + b_k          (B,S,kdim) → (B,S,H_kv·d_k)
///   v = value·W_vᵀ + b_v        (B,S,vdim) → (B,S,H_kv·d_v)
///   context = softmax(q_h·k_hᵀ·scale + mask)·v_h for each head h   (B,L,H·d_v)
///   output = context·W_oᵀ + b_o                                     (B,L,outDim)
///
/// Inputs are (B,L,E) or unbatched (L,E); results have the same batching. Every wrong argument throws
/// std::out_of_range before anything is computed and leaves the layer and the cache as they were.
/// @see Vaswani et al., "Attention Is All You Need" (2017), section 3.2.2; torch.nn.MultiheadAttention
class MultiHeadAttention {
 public:
  /// Weights as torch initialises them: xavier_uniform for the projections of query, key and value,
  /// U(±1/√in) for the output's, zero biases, xavier_normal for the learned key and value; drawn from this
  /// library's own generator.
  explicit MultiHeadAttention(const MultiHeadAttentionConfig& config);

  /// query (B,L,E), key (B,S,kdim), value (B,S,vdim), all with B or all without. The rows of `options.cache`
  /// come before those of this call, which it keeps afterwards.
  /// @throws std::out_of_range for shapes that do not fit the layer, the cache, the masks or each other;
  ///         std::bad_alloc, std::length_error
  AttentionResult forward(const TensorView& query, const TensorView& key, const TensorView& value,
                          const ForwardOptions& options);

  /// The gradients of Σ output⊙gradOutput, where output (B,L,outDim) is that of the last forward in training;
  /// they are new ones each time, nothing is accumulated. In self-attention, query, key and value are one
  /// tensor, whose gradient is the sum of theirs.
  /// @throws std::out_of_range when nothing was recorded since the parameters were set, or for another shape;
  ///         std::bad_alloc, std::length_error
  /// @see torch.Tensor.backward
  LayerGradients backward(const TensorView& gradOutput);

  /// in_proj_weight where torch packs (kdim = vdim = E and three projections E → E), else q_proj_weight,
  /// k_proj_weight, v_proj_weight; out_proj.weight; with bias in_proj_bias (q | k | v) and out_proj.bias;
  /// with addBiasKv bias_k (1,1,H_kv·d_k) and bias_v (1,1,H_kv·d_v).
  [[nodiscard]] StateDict stateDict() const;

  /// Takes either form of the projection weights; all or nothing.
  /// @throws std::out_of_range when a parameter is missing, unknown or of the wrong shape
  void loadStateDict(const StateDictView& dict);

  [[nodiscard]] std::size_t parameterCount() const;

  /// For L queries and S keys of a call, appended keys not counted in S. Sizes are doubles: counts exceed
  /// 2³².
  [[nodiscard]] Flops flops(std::size_t queries, std::size_t keys, std::size_t batch) const;

 private:
  struct Sizes;

  [[nodiscard]] bool packsInProjection() const;
  [[nodiscard]] std::map<std::string, Shape> expectedShapes(bool packed) const;
  [[nodiscard]] std::size_t appendedKeys() const;
  [[nodiscard]] Sizes check(const TensorView& query, const TensorView& key, const TensorView& value,
                            std::size_t past) const;
  [[nodiscard]] ScoreRules scoreRules(const Sizes& sizes, const ForwardOptions& options) const;
  void project(const Linear& linear, const float* packedX, std::size_t count, float* y) const;
  void project(const Linear& linear, const float* packedX, std::size_t batch, std::size_t rows,
               const Heads<float>& y);
  void append(const std::vector<float>& learned, std::size_t width, float* rows) const;

  MultiHeadAttentionConfig config_;
  Linear query_;
  Linear key_;
  Linear value_;
  Linear output_;
  std::uint64_t id_;
  std::vector<float> biasK_;  // (H_kv·d_k), empty without addBiasKv
  std::vector<float> biasV_;  // (H_kv·d_v)
  std::optional<Rotary> rotary_;
  DefaultRng generator_;
  Workspaces workspaces_;
  Scratch packed_;   // what is projected
  Scratch q_;        // (B,L,H·d_k)
  KvCache ownRows_;  // of calls without a cache; never kept
  Scratch projected_;
  Scratch context_;  // (B,L,H·d_v)
  LayerTape tape_;
  LinearGradient linearGradient_;
  AttentionGradient attentionGradient_;
};

}  // namespace mha
