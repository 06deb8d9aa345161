/// A stack of transformer blocks, composed by a description.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "attention.hpp"
#include "kv_cache.hpp"
#include "mask.hpp"
#include "models/linear_map.hpp"
#include "models/parameters.hpp"
#include "models/relative_positions.hpp"
#include "models/row_map.hpp"
#include "models/row_parts.hpp"
#include "models/value_norms.hpp"
#include "rotary.hpp"
#include "scratch.hpp"
#include "tensor.hpp"
#include "transformer/activation.hpp"

namespace mha::models {

/// Where a block normalises, f being attention or the feed-forward network.
enum class NormPlacement : std::uint8_t {
  before,   // h + f(norm(h)): GPT-2, Llama, ViT
  after,    // norm(h + f(h)): BERT
  both,     // h + norm(f(norm(h))): Gemma
  outputs,  // h + norm(f(h)): OLMo 2
};

/// What differs from layer to layer.
struct LayerRules {
  float scale;                             // of the scores
  std::optional<Window> window = {};       // of the keys that a query sees
  std::optional<std::size_t> rotary = {};  // which of the model's rotary embeddings turns queries and keys
  std::size_t block;                       // whose parameters it uses: ALBERT's layers share one
  bool normsInput = true;  // false: attention takes h as it is, as in ModernBERT's first layer
};

struct TransformerConfig {
  std::size_t width;    // E
  std::size_t heads;    // H
  std::size_t kvHeads;  // H_kv, divides heads
  std::size_t headDim;  // d
  std::size_t innerWidth;
  bool gated;  // feed-forward: down(f(gate(x))·up(x)), else down(f(up(x)))
  ActivationFunction activation;
  NormRules norm;
  NormPlacement placement;
  bool parallel = false;  // attention and feed-forward take the same h, with norms before: GPT-NeoX
  std::optional<NormRules> headNorm = {};  // of queries and keys, head by head, before the rotary embedding
  bool headNormSpansHeads = false;         // of all heads of a row together: OLMo 2
  bool layerScale = false;                 // learned factors of what attention and feed-forward add
  bool causal = false;
  float softcap = 0.0F;  // of the scores; 0: none
  WeightStorage storage = WeightStorage::float32;
  std::size_t blocks;
  std::vector<LayerRules> layers = {};
  std::vector<std::vector<float>> rotaries = {};  // angle per position of each pair (i, i + r/2), r ≤ d
  std::optional<RelativeRules> relative = {};
  /// Of a decoder whose blocks attend to the rows of another text, too: their width.
  std::optional<std::size_t> memoryWidth = {};
};

/// Keys and values of all layers.
struct TransformerCache {
  std::vector<KvCache> layers = {};
  std::vector<KvCache> memory = {};           // of cross-attention
  std::vector<std::uint8_t> memoryMask = {};  // (B,S), or empty

  [[nodiscard]] std::size_t length() const { return layers.empty() ? 0 : layers.front().length(); }

  /// Shortens it to `rows` rows; the memory stays.
  void truncate(std::size_t rows) {
    for (KvCache& layer : layers) layer.truncate(rows);
  }

  /// As KvCache::select(), of all layers; the memory stays, which is the same for all beams.
  void select(const std::vector<std::size_t>& from) {
    for (KvCache& layer : layers) layer.select(from);
  }
};

struct TransformerInput {
  TensorView hidden;                              // (B,L,E)
  std::optional<View<std::uint8_t>> mask = {};    // (B,S), S with the keys of the cache: 1 = a real token
  std::span<const std::uint8_t> attentions = {};  // per layer: whether its weights are wanted
  std::span<const float> headMask = {};         // (layers,H): factors of the heads' weights; empty: all are 1
  std::span<const std::size_t> positions = {};  // (B,L) of rotary embeddings; empty: behind the cache
  bool hiddenStates = false;
  bool layerInputs = false;  // what each layer's attention takes
  TransformerCache* cache = nullptr;
  /// Rows (B,S',E') that cross-attention sees, and which of them are real. A cache keeps what a first call
  /// was given.
  std::optional<TensorView> memory = {};
  std::optional<View<std::uint8_t>> memoryMask = {};   // (B,S')
  std::span<const std::uint8_t> crossAttentions = {};  // as `attentions`
  bool valueWeighted = false;                          // beside the weights of the layers in `attentions`
  bool contexts = false;
  /// A row of `hidden` (B·L,E) of which is told what each part of the model adds to it.
  std::optional<std::size_t> traced = {};
  std::size_t firstLayer = 0;  // `hidden` is what enters it; the layers before it are left out
  /// (B,L,H·d): the heads' context in the first layer, whose attention is left out; empty: what it computes.
  std::span<const float> context = {};
  /// Row of each item that leaves the last layer, which computes nothing else of the others; none: all do.
  std::optional<std::size_t> onlyRow = {};
};

struct TransformerOutput {
  std::vector<Tensor> attentions;  // per layer (B,H,L,S) before the head mask, empty where it is not wanted
  std::vector<Tensor> crossAttentions;  // per layer (B,H,L,S')
  std::vector<Tensor> hiddenStates;     // what enters each layer (B,L,E), and what leaves the last
  std::vector<Tensor> layerInputs;      // (B,L,E)
  std::vector<Tensor> contexts;         // per layer (B,L,H·d): what its output map takes
  /// Per layer (B,H,L,S), empty where weights are not wanted: how long what head h adds to row i from row j
  /// is, a_ij·‖v_j·W_h‖. @see Kobayashi et al., "Attention is Not Only a Weight" (2020)
  std::vector<Tensor> valueWeighted;
  /// Of the traced row: what entered the first layer; layer by layer what each head, each head of
  /// cross-attention and the feed-forward network added; all biases but those of feed-forward networks.
  std::optional<RowParts> parts;
  Tensor last;  // (B,L,E), (B,1,E) with `onlyRow`
};

/// The linear maps of an attention.
struct AttentionMaps {
  /// Keys and values are of rows of `memoryWidth`. @throws std::bad_alloc, std::length_error
  AttentionMaps(const TransformerConfig& config, std::size_t memoryWidth);

  void nameParameters(const std::string& prefix, Parameters& parameters);

  LinearMap query;
  LinearMap key;
  LinearMap value;
  LinearMap output;
};

/// The parameters of one block.
class Block {
 public:
  explicit Block(const TransformerConfig& config);

  void nameParameters(const std::string& prefix, Parameters& parameters);

 private:
  friend class Transformer;

  AttentionMaps attention_;
  std::vector<AttentionMaps> cross_;  // at most one
  std::vector<Norm> crossNorm_;       // likewise
  std::vector<LinearMap> gate_;       // at most one
  LinearMap up_;
  LinearMap down_;
  Norm attentionNorm_;
  Norm feedForwardNorm_;
  std::vector<Norm> outputNorms_;  // of attention and feed-forward, where norms stand on both sides
  std::vector<Norm> headNorms_;    // of query and key
  std::vector<float> attentionScale_;
  std::vector<float> feedForwardScale_;
};

/// h ← block by block: attention, cross-attention in decoders with a memory, then a feed-forward network,
/// each added to h.
/// @see Vaswani et al., "Attention Is All You Need" (2017), section 3; transformers' modelling files
class Transformer {
 public:
  /// All parameters are zero until they are written. @throws WrongArgument for sizes that do not fit;
  /// std::bad_alloc
  explicit Transformer(const TransformerConfig& config);

  /// `prefix`layers.<block>.query.weight and so on.
  void nameParameters(const std::string& prefix, Parameters& parameters);

  /// @throws WrongArgument for shapes that do not fit the model or the cache, which keeps what it held;
  ///         std::bad_alloc, std::length_error
  TransformerOutput forward(const TransformerInput& input);

  [[nodiscard]] const TransformerConfig& config() const { return config_; }

 private:
  struct Call;

  void project(std::size_t batch, std::size_t length, const LinearMap& linear, const Heads<float>& rows);
  void normHeads(const Call& call, Block& block, const Heads<float>& q, const Heads<float>& k) const;
  void turn(const Call& call, std::size_t rotary, const Heads<float>& q, const Heads<float>& k);
  const float* disentangledBias(const Call& call, std::size_t layer, const Heads<float>& q, KvCache& cache);
  void attend(const Call& call, std::size_t layer, const float* x, float* context, float* weights);
  void weighByValues(const Call& call, std::size_t layer, const float* weights, float* weighted);
  void attendMemory(const Call& call, std::size_t layer, const float* x, float* y, float* weights);
  void readMemory(const TransformerInput& input, Call& call);
  void checkInspection(const TransformerInput& input, const Call& call) const;
  void feedForward(std::size_t rows, Block& block, const float* x, float* y);

  TransformerConfig config_;
  std::vector<Block> blocks_;
  std::vector<Rotary> rotaries_;
  std::vector<RelativePositions> relative_;  // at most one
  std::uint64_t id_;                         // of the first layer in a KvCache; those of the others follow
  TransformerCache ownCache_;                // of calls without one; never kept
  Workspaces workspaces_;
  Scratch normed_;
  Scratch parallelNormed_;
  MapInput input_;
  Scratch query_;
  Scratch context_;
  Scratch projected_;
  Scratch added_;
  Scratch bias_;
  Scratch positionKeys_;
  Scratch positionQueries_;
  Scratch inner_;
  Scratch up_;
  ValueNorms valueNorms_;
};

}  // namespace mha::models
