/// The multi-head attention layer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "attention.hpp"
#include "attention_gradient.hpp"
#include "attention_result.hpp"
#include "forward_record.hpp"
#include "kv_cache.hpp"
#include "linear.hpp"
#include "linear_gradient.hpp"
#include "mask_tensor.hpp"
#include "numpy_random.hpp"
#include "rotary.hpp"
#include "scratch.hpp"
#include "tensor.hpp"

namespace mha {

/// The activation function that follows each projection.
enum class Activation : std::uint8_t {
  none,
  relu,  // after the projections of query, key, value and output
};

/// Sizes and options of a layer, named as in PyTorch.
struct MultiHeadAttentionConfig {
  std::size_t embedDim;      // E: width of query
  std::size_t numHeads;      // H
  std::size_t numKvHeads;    // H_kv: divides numHeads; numHeads: multi-head, 1: multi-query attention
  std::size_t headDim;       // d_k
  std::size_t valueHeadDim;  // d_v
  std::size_t kdim;          // width of key
  std::size_t vdim;          // width of value
  std::size_t outDim;        // width of the output
  bool bias = true;
  bool addBiasKv = false;    // appends a learned key and value to the sequence
  bool addZeroAttn = false;  // then appends a zero key and value
  double dropout = 0.0;      // probability 0 … 1, of the weights, in training only
  Activation activation = Activation::none;
  std::optional<RotaryConfig> rope = {};
  std::uint64_t seed = 0;  // of the initial weights and of dropout
};

/// Options of one call.
struct ForwardOptions {
  std::optional<MaskTensor> attnMask = {};  // broadcast (L,S), (B,L,S), (B,H,L,S), unbatched (H,L,S)
  std::optional<View<std::uint8_t>> keyPaddingMask = {};  // (B,S), (S,) when unbatched: 1 = a real token
  bool isCausal = false;
  std::optional<Window> window = {};
  bool alibi = false;
  float softcap = 0.0F;             // 0: none
  std::optional<float> scale = {};  // 1/√d_k when absent
  bool needWeights = true;
  const Placement* placements = nullptr;  // (B,); keys of at most S
  std::span<const float> positions = {};  // (B,L): those of RoPE, of queries and as many new keys; or empty
  ReturnedScores returnScores = ReturnedScores::none;
  bool returnSteps = false;  // beside the raw scores or none
  KvCache* cache = nullptr;  // with n earlier keys: S of the masks includes them, query i has position n + i
  bool training = false;     // applies dropout and, without a cache, records the call for backward()
  WeightsSink* weightsSink = nullptr;
};

/// The number of multiply-adds in one forward; for softmax, of exponentials.
struct Flops {
  double projections;
  double scores;
  double context;
  double softmax;
};

/// Parameters by PyTorch's names, weights in (out,in) layout.
using StateDict = std::map<std::string, Tensor>;
using StateDictView = std::map<std::string, TensorView>;

/// Gradients of the inputs and parameters of a layer; each has the shape of its input or parameter.
struct LayerGradients {
  Tensor query;
  Tensor key;
  Tensor value;
  StateDict parameters;  // by the names of stateDict()
};

/// Where backward() writes gradients, each of the size of its input or parameter.
struct GradientTargets {
  float* query;
  float* key;
  float* value;
  std::map<std::string, float*> parameters;  // by the names of stateDict()
};

/// Multi-head attention: projects query, key and value, attends in every head, and projects the concatenated
/// contexts.
///
///   q = query·W_qᵀ + b_q        (B,L,E)    → (B,L,H·d_k)
///   k = key·W_kᵀ + b_k          (B,S,kdim) → (B,S,H_kv·d_k)
///   v = value·W_vᵀ + b_v        (B,S,vdim) → (B,S,H_kv·d_v)
///   context = softmax(q_h·k_hᵀ·scale + mask)·v_h for each head h   (B,L,H·d_v)
///   output = context·W_oᵀ + b_o                                     (B,L,outDim)
///
/// Inputs are (B,L,E) or unbatched (L,E); results have the same batching. A wrong argument throws
/// std::out_of_range before anything is computed; the layer and the cache stay as they were.
/// @see Vaswani et al., "Attention Is All You Need" (2017), section 3.2.2; torch.nn.MultiheadAttention
class MultiHeadAttention {
 public:
  /// Initial weights with the distributions of torch, but this library's generator: xavier_uniform for the
  /// projections of query, key and value, U(±1/√in) for the output's, zero biases, xavier_normal for the
  /// learned key and value.
  /// @throws std::out_of_range for wrong sizes; std::bad_alloc, std::length_error
  explicit MultiHeadAttention(const MultiHeadAttentionConfig& config);

  /// query (B,L,E), key (B,S,kdim), value (B,S,vdim), all with B or all without. The keys and values of
  /// `options.cache` precede those of this call, which are appended to it.
  /// @throws std::out_of_range for shapes that do not fit the layer, the cache, the masks or each other;
  ///         std::bad_alloc, std::length_error
  AttentionResult forward(const TensorView& query, const TensorView& key, const TensorView& value,
                          const ForwardOptions& options);

  /// The gradients of Σ output⊙gradOutput, where output (B,L,outDim) is that of the last forward in training.
  /// They are not accumulated over calls. In self-attention, the gradient of the one input is the sum of
  /// those of query, key and value.
  /// @throws std::out_of_range without such a forward since the parameters were set, or for a wrong shape;
  ///         std::bad_alloc, std::length_error
  /// @see torch.Tensor.backward
  LayerGradients backward(const TensorView& gradOutput);
  void backward(const TensorView& gradOutput, const GradientTargets& targets);

  /// Copies of the parameters: in_proj_weight if kdim = vdim = E and all three projections are E → E (as in
  /// torch), otherwise q_proj_weight, k_proj_weight, v_proj_weight; out_proj.weight; with bias in_proj_bias
  /// (q | k | v) and out_proj.bias; with addBiasKv bias_k (1,1,H_kv·d_k) and bias_v (1,1,H_kv·d_v).
  [[nodiscard]] StateDict stateDict() const;

  /// Accepts both forms of the projection weights.
  /// @throws std::out_of_range if a parameter is missing, unknown or of the wrong shape; then none is changed
  void loadStateDict(const StateDictView& dict);

  [[nodiscard]] std::size_t parameterCount() const;

  /// Counts a call with `queries` L and `keys` S, to which the learned and the zero key are added. In
  /// doubles, because counts may exceed 2³².
  [[nodiscard]] Flops flops(std::size_t queries, std::size_t keys, std::size_t batch) const;

 private:
  /// The heads of one call; `key` and `value` lie in its cache.
  struct CallHeads {
    Heads<float> query;    // (B,H,L,d_k)
    Heads<float> key;      // (B,H_kv,S′,d_k)
    Heads<float> value;    // (B,H_kv,S′,d_v)
    Heads<float> context;  // (B,H,L,d_v)
  };

  /// The gradients of the projected query, key and value.
  struct ProjectedGradients {
    std::vector<float> q;  // (B,L,H·d_k)
    std::vector<float> k;  // (B,S′,H_kv·d_k)
    std::vector<float> v;  // (B,S′,H_kv·d_v)
  };

  [[nodiscard]] bool packsInProjection() const;
  [[nodiscard]] std::map<std::string, Shape> expectedShapes(bool packed) const;
  [[nodiscard]] std::size_t appendedKeys() const;

  [[nodiscard]] CallSizes check(const TensorView& query, const TensorView& key, const TensorView& value,
                                std::size_t past) const;
  [[nodiscard]] ScoreRules scoreRules(const CallSizes& sizes, const ForwardOptions& options) const;
  void project(const Linear& linear, const float* packedX, std::size_t count, float* y) const;
  void append(const std::vector<float>& learned, std::size_t width, float* rows) const;
  CallHeads projectInputs(const TensorView& query, const TensorView& key, const TensorView& value,
                          const CallSizes& sizes, KvCache& cache);
  void attend(const CallHeads& heads, const CallSizes& sizes, const ScoreRules& rules,
              const ForwardOptions& options, ForwardRecord* record, AttentionResult& result);
  void copySteps(const CallHeads& heads, const CallSizes& sizes, AttentionSteps& steps) const;

  std::vector<float> outputGradient(const TensorView& gradOutput, const GradientTargets& targets);
  ProjectedGradients attentionGradient(const std::vector<float>& gradContext);
  void projectionGradients(ProjectedGradients& projected, const GradientTargets& targets);

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
  PackedInput packed_;
  Scratch q_;             // (B,L,H·d_k)
  KvCache uncachedRows_;  // keys and values of calls without a cache; its length stays 0
  Scratch projected_;     // (B·rows,out)
  Scratch context_;       // (B,L,H·d_v)
  ForwardRecord record_;  // of the last forward in training
  LinearGradient linearGradient_;
  AttentionGradient attentionGradient_;
};

}  // namespace mha
