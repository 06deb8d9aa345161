/// A transformer encoder for training.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "multi_head_attention.hpp"
#include "numpy_random.hpp"
#include "scratch.hpp"
#include "tensor.hpp"
#include "training/adamw.hpp"
#include "training/cross_entropy.hpp"
#include "training/layers.hpp"
#include "training/parameters.hpp"

namespace mha::training {

struct TransformerEncoderConfig {
  std::size_t vocabSize;       // V
  std::size_t maxLength;       // of a sentence
  std::size_t embedDim;        // E
  std::size_t numHeads;        // H, divides embedDim
  std::size_t numLayers;       // N ≥ 1
  std::size_t feedForwardDim;  // width inside the feed-forward blocks
  std::uint64_t seed = 0;
};

/// Sentences of one length L; shorter ones are padded.
struct Sentences {
  View<std::int32_t> tokens;                              // (B,L): ids below V
  std::optional<View<std::uint8_t>> keyPaddingMask = {};  // (B,L): 1 = a real token
};

struct EncoderOutput {
  Tensor logits;                    // (B,L,V)
  std::vector<Tensor> weights;      // per layer (B,H,L,L)
  std::vector<Tensor> layerInputs;  // per layer (B,L,E): the input of its attention, norm1(h)
};

/// A target that the loss ignores, as in torch.
inline constexpr std::int32_t kIgnoredTarget = -100;

struct StepOptions {
  AdamWOptions adamW = {};
  double maxGradNorm = 1.0;
};

struct StepResult {
  Prediction prediction;  // before the step
  double gradNorm = 0.0;  // before it was clipped
};

/// A pre-norm transformer encoder over token and learned position embeddings, with logits by the token
/// embedding:
///
///   h = token_embedding[tokens] + position_embedding[0 … L−1]           (B,L,E)
///   for each layer: h += attention(norm1(h)), h += linear2(gelu(linear1(norm2(h))))
///   logits = norm(h)·token_embeddingᵀ + output.bias                     (B,L,V)
///
/// The loss is the mean cross-entropy of the targets that are not kIgnoredTarget ("counted"). For the loss
/// alone, the steps after the last attention are computed for the counted rows only.
///
/// A wrong argument throws std::out_of_range before anything is computed; the encoder stays as it was.
/// @see torch.nn.TransformerEncoder of TransformerEncoderLayer(dropout=0, activation='gelu', norm_first=True,
///      batch_first=True); Xiong et al., "On Layer Normalization in the Transformer Architecture" (2020);
///      Press & Wolf, "Using the Output Embedding to Improve Language Models" (2017)
class TransformerEncoder {
 public:
  /// Layers with the initial distributions of torch, embeddings from N(0, 0.02²) as in BERT (Devlin et al.,
  /// 2019), drawn from this library's generator: the same numbers in every build. output.bias is zero.
  /// @throws std::out_of_range for a size of 0 or if numHeads does not divide embedDim; std::bad_alloc,
  ///         std::length_error
  explicit TransformerEncoder(const TransformerEncoderConfig& config);

  /// @throws std::out_of_range for wrong shapes or ids; std::bad_alloc, std::length_error, as all below
  EncoderOutput forward(const Sentences& sentences);

  /// Computes loss and accuracy. `targets` (B,L) has ids, or kIgnoredTarget.
  /// @throws std::out_of_range also if all targets are ignored
  Prediction evaluate(const Sentences& sentences, const View<std::int32_t>& targets);

  /// Like evaluate(), and also computes the gradients of the loss; read them with gradientDict().
  Prediction computeGradients(const Sentences& sentences, const View<std::int32_t>& targets);
  [[nodiscard]] StateDict gradientDict() const;

  /// One step of AdamW with the clipped gradients. Weight decay applies to weight matrices and the token
  /// embedding, not to biases, norms and the position embedding.
  StepResult trainStep(const Sentences& sentences, const View<std::int32_t>& targets,
                       const StepOptions& options);

  /// torch's names: layers.0.self_attn.in_proj_weight and so on, norm.weight, norm.bias, and
  /// token_embedding.weight (V,E), position_embedding.weight (maxLength,E), output.bias (V).
  [[nodiscard]] StateDict stateDict() const;
  /// @throws std::out_of_range if a parameter is missing, unknown or of the wrong shape; then none is changed
  void loadStateDict(const StateDictView& dict);

  /// The state of AdamW: step (1,), and for each parameter ….exp_avg and ….exp_avg_sq.
  [[nodiscard]] StateDict optimizerState() const;
  /// @throws std::out_of_range like loadStateDict(), and if the step is not a whole number from 0 to 2²⁴
  void loadOptimizerState(const StateDictView& state);

  [[nodiscard]] std::size_t parameterCount() const { return parameters_.size(); }

 private:
  struct Layer {
    SelfAttention attention;
    FeedForward feedForward;
  };

  /// The targets that are not ignored.
  struct CountedTargets {
    std::vector<std::size_t> rows;      // their positions, 0 … B·L − 1
    std::vector<std::int32_t> targets;  // their ids
  };

  void check(const Sentences& sentences) const;
  [[nodiscard]] CountedTargets countedTargets(const Sentences& sentences,
                                              const View<std::int32_t>& targets) const;
  [[nodiscard]] Shape hiddenShape(const Sentences& sentences) const;
  void loadLayers();
  float* embed(const Sentences& sentences);
  Prediction predict(const Sentences& sentences, const CountedTargets& counted, bool training);
  Prediction computeGradients(const Sentences& sentences, const CountedTargets& counted);
  void embeddingGradients(const Sentences& sentences, const float* grad);

  TransformerEncoderConfig config_;
  DefaultRng generator_;
  Parameters parameters_;
  Parameters::Slot tokenEmbedding_;
  Parameters::Slot positionEmbedding_;
  Parameters::Slot outputBias_;
  std::vector<Layer> layers_;
  Norm norm_;
  LinearLayer output_;
  std::vector<float> means_;           // running means of the gradients, laid out as in parameters_
  std::vector<float> meansOfSquares_;  // running means of the squared gradients
  std::size_t step_ = 0;
  Scratch hidden_;           // (B,L,E)
  Scratch countedRows_;      // (counted,E): the counted rows of hidden_
  Scratch normed_;           // (counted,E)
  Scratch logits_;           // (counted,V), then their gradients
  Scratch gradNormed_;       // (counted,E)
  Scratch gradCountedRows_;  // (counted,E)
  Scratch gradHidden_;       // (B,L,E)
  Scratch gradSorted_;       // (B,L,E): gradHidden_ sorted by token
};

}  // namespace mha::training
