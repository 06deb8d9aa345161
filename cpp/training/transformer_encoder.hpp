/// An encoder that learns to predict tokens.
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
#include "training/feed_forward.hpp"
#include "training/linear_layer.hpp"
#include "training/norm.hpp"
#include "training/parameters.hpp"
#include "training/self_attention.hpp"

namespace mha::training {

struct TransformerEncoderConfig {
  std::size_t vocabSize;       // V
  std::size_t maxLength;       // of a sentence
  std::size_t embedDim;        // E
  std::size_t numHeads;        // H, divides embedDim
  std::size_t numLayers;       // N ≥ 1
  std::size_t feedForwardDim;  // width inside the feed-forward halves
  std::uint64_t seed = 0;
};

/// Sentences of one length L, shorter ones padded.
struct Sentences {
  View<std::int32_t> tokens;                              // (B,L): ids below V
  std::optional<View<std::uint8_t>> keyPaddingMask = {};  // (B,L): 1 = a real token
};

struct EncoderOutput {
  Tensor logits;                    // (B,L,V)
  std::vector<Tensor> weights;      // per layer (B,H,L,L)
  std::vector<Tensor> layerInputs;  // per layer (B,L,E): what its attention takes, norm1(h)
};

/// A target that is not counted, as in torch.
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
/// The loss is the cross-entropy, a mean over the targets that count. Where only those matter, what follows
/// the last attention is computed for their rows alone.
///
/// Every wrong argument throws std::out_of_range before anything is computed and leaves the encoder as it
/// was.
/// @see torch.nn.TransformerEncoder of TransformerEncoderLayer(dropout=0, activation='gelu', norm_first=True,
///      batch_first=True); Xiong et al., "On Layer Normalization in the Transformer Architecture" (2020);
///      Press & Wolf, "Using the Output Embedding to Improve Language Models" (2017)
class TransformerEncoder {
 public:
  /// Parameters as torch initialises those of the layers, and embeddings from N(0, 0.02²) as BERT's (Devlin
  /// et al., 2019), drawn from this library's own generator: the same in every build. output.bias is zero.
  /// @throws std::out_of_range for a size of 0 or heads that do not divide embedDim; std::bad_alloc,
  ///         std::length_error
  explicit TransformerEncoder(const TransformerEncoderConfig& config);

  /// @throws std::out_of_range for wrong shapes or ids; std::bad_alloc, std::length_error, as all below
  EncoderOutput forward(const Sentences& sentences);

  /// `targets` (B,L): ids, or kIgnoredTarget.
  /// @throws std::out_of_range also when no target counts
  Prediction evaluate(const Sentences& sentences, const View<std::int32_t>& targets);

  /// The same, with the gradients of the loss, which gradientDict() then gives.
  Prediction computeGradients(const Sentences& sentences, const View<std::int32_t>& targets);
  [[nodiscard]] StateDict gradientDict() const;

  /// One step of AdamW against the clipped gradients. Weight matrices and the token embedding decay; biases,
  /// norms and the position embedding do not.
  StepResult trainStep(const Sentences& sentences, const View<std::int32_t>& targets,
                       const StepOptions& options);

  /// torch's names: layers.0.self_attn.in_proj_weight and so on, norm.weight, norm.bias, and
  /// token_embedding.weight (V,E), position_embedding.weight (maxLength,E), output.bias (V).
  [[nodiscard]] StateDict stateDict() const;
  /// All or nothing. @throws std::out_of_range when a parameter is missing, unknown or of the wrong shape
  void loadStateDict(const StateDictView& dict);

  /// What trainStep() remembers: step (1,) and for each parameter ….exp_avg and ….exp_avg_sq.
  [[nodiscard]] StateDict optimizerState() const;
  /// All or nothing. @throws std::out_of_range as loadStateDict(), or when the step is no whole number ≥ 0
  void loadOptimizerState(const StateDictView& state);

  [[nodiscard]] std::size_t parameterCount() const { return parameters_.size(); }

 private:
  struct Layer {
    SelfAttention attention;
    FeedForward feedForward;
  };

  /// Positions whose target counts, counted over the whole batch, and the targets there.
  struct Counted {
    std::vector<std::size_t> rows;
    std::vector<std::int32_t> targets;
  };

  void check(const Sentences& sentences) const;
  [[nodiscard]] Counted counted(const Sentences& sentences, const View<std::int32_t>& targets) const;
  [[nodiscard]] Shape hiddenShape(const Sentences& sentences) const;
  void set();
  float* embed(const Sentences& sentences);
  Prediction predict(const Sentences& sentences, const Counted& counted, bool training);
  Prediction computeGradients(const Sentences& sentences, const Counted& counted);
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
  std::vector<float> means_;           // of the gradients, as parameters_ lays them out
  std::vector<float> meansOfSquares_;  // of the gradients
  std::size_t step_ = 0;
  Scratch hidden_;      // (B,L,E)
  Scratch seen_;        // (counted,E): rows of hidden_ that count
  Scratch normed_;      // (counted,E)
  Scratch logits_;      // (counted,V), then their gradients
  Scratch gradNormed_;  // (counted,E)
  Scratch gradSeen_;    // (counted,E)
  Scratch gradHidden_;  // (B,L,E)
  Scratch gradSorted_;  // (B,L,E): its rows by token
};

}  // namespace mha::training
