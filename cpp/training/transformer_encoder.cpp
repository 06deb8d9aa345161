#include "training/transformer_encoder.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>

#include "elementwise.hpp"
#include "random_weights.hpp"
#include "row_sums.hpp"
#include "wrong_argument.hpp"

namespace mha::training {
namespace {

/// BERT's `initializer_range`.
constexpr double kEmbeddingDeviation = 0.02;

constexpr const char* kMeanSuffix = ".exp_avg";
constexpr const char* kMeanOfSquaresSuffix = ".exp_avg_sq";

TransformerEncoderConfig checked(const TransformerEncoderConfig& config) {
  requirePositive("vocabSize", config.vocabSize);
  requirePositive("maxLength", config.maxLength);
  requirePositive("embedDim", config.embedDim);
  requirePositive("numHeads", config.numHeads);
  requirePositive("numLayers", config.numLayers);
  requirePositive("feedForwardDim", config.feedForwardDim);
  if (config.embedDim % config.numHeads != 0) {
    throw WrongArgument("numHeads", "divide embedDim (" + std::to_string(config.embedDim) + "), got " +
                                        std::to_string(config.numHeads));
  }
  return config;
}

/// Checks that all `ids` are below vocabSize or equal to `allowed`.
void requireIds(const char* name, const View<std::int32_t>& ids, std::size_t vocabSize,
                const std::optional<std::int32_t>& allowed) {
  const std::size_t length = ids.shape(1);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const std::int32_t id = ids.data()[i];
    if (id == allowed || (id >= 0 && static_cast<std::size_t>(id) < vocabSize)) continue;
    const std::string orAllowed = allowed ? " or " + std::to_string(*allowed) : "";
    throw WrongArgument(name, "hold ids from 0 to " + std::to_string(vocabSize - 1) + orAllowed + ", got " +
                                  std::to_string(id) + " at " + toText({i / length, i % length}));
  }
}

template <class T>
void requireSameShape(const char* name, const View<T>& tensor, const View<std::int32_t>& tokens) {
  const Shape& expected = tokens.shape();
  if (Shape(tensor.shape()) != expected) {
    throwShape(name, "have the shape " + toText(expected) + " of `tokens`", Shape(tensor.shape()));
  }
}

}  // namespace

TransformerEncoder::TransformerEncoder(const TransformerEncoderConfig& config)
    : config_(checked(config)),
      generator_(config.seed),
      tokenEmbedding_(parameters_.add("token_embedding.weight", {config.vocabSize, config.embedDim}, true)),
      positionEmbedding_(
          parameters_.add("position_embedding.weight", {config.maxLength, config.embedDim}, false)),
      outputBias_(parameters_.add("output.bias", {config.vocabSize}, false)),
      norm_(config.embedDim, "norm", parameters_),
      output_(config.embedDim, config.vocabSize, tokenEmbedding_, outputBias_) {
  drawNormal(generator_, kEmbeddingDeviation, parameters_.value(tokenEmbedding_));
  drawNormal(generator_, kEmbeddingDeviation, parameters_.value(positionEmbedding_));
  for (std::size_t i = 0; i < config.numLayers; ++i) {
    const std::string prefix = "layers." + std::to_string(i) + ".";
    SelfAttention attention(config.embedDim, config.numHeads, prefix, parameters_, generator_);
    FeedForward feedForward(config.embedDim, config.feedForwardDim, prefix, parameters_, generator_);
    layers_.push_back({std::move(attention), std::move(feedForward)});
  }
  means_.resize(parameters_.size());
  meansOfSquares_.resize(parameters_.size());
  loadLayers();
}

void TransformerEncoder::loadLayers() {
  for (Layer& layer : layers_) {
    layer.attention.load(parameters_);
    layer.feedForward.load(parameters_);
  }
  output_.load(parameters_);
}

void TransformerEncoder::check(const Sentences& sentences) const {
  const View<std::int32_t>& tokens = sentences.tokens;
  if (tokens.dimension() != 2) throwShape("tokens", "be (B, L)", Shape(tokens.shape()));
  if (tokens.size() == 0) throwShape("tokens", "not be empty", Shape(tokens.shape()));
  if (tokens.shape(1) > config_.maxLength) {
    throwShape("tokens", "have at most " + std::to_string(config_.maxLength) + " tokens (maxLength) in a row",
               Shape(tokens.shape()));
  }
  requireIds("tokens", tokens, config_.vocabSize, std::nullopt);
  if (sentences.keyPaddingMask) requireSameShape("keyPaddingMask", *sentences.keyPaddingMask, tokens);
}

TransformerEncoder::CountedTargets TransformerEncoder::countedTargets(
    const Sentences& sentences, const View<std::int32_t>& targets) const {
  check(sentences);
  requireSameShape("targets", targets, sentences.tokens);
  requireIds("targets", targets, config_.vocabSize, kIgnoredTarget);
  CountedTargets counted;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (targets.data()[i] == kIgnoredTarget) continue;
    counted.rows.push_back(i);
    counted.targets.push_back(targets.data()[i]);
  }
  if (counted.rows.empty()) {
    throw WrongArgument("targets", "hold an id to predict, got only " + std::to_string(kIgnoredTarget));
  }
  return counted;
}

Shape TransformerEncoder::hiddenShape(const Sentences& sentences) const {
  return {sentences.tokens.shape(0), sentences.tokens.shape(1), config_.embedDim};
}

float* TransformerEncoder::embed(const Sentences& sentences) {
  const std::size_t width = config_.embedDim;
  const std::size_t length = sentences.tokens.shape(1);
  const float* tokens = parameters_.value(tokenEmbedding_).data();
  const float* positions = parameters_.value(positionEmbedding_).data();
  float* hidden = hidden_.ensure(sizeOf(hiddenShape(sentences)));
  for (std::size_t i = 0; i < sentences.tokens.size(); ++i) {
    const auto id = static_cast<std::size_t>(sentences.tokens.data()[i]);
    float* row = hidden + i * width;
    std::copy_n(tokens + id * width, width, row);
    addTo(row, positions + i % length * width, width);
  }
  return hidden;
}

EncoderOutput TransformerEncoder::forward(const Sentences& sentences) {
  check(sentences);
  const Shape shape = hiddenShape(sentences);
  const std::size_t rows = shape[0] * shape[1];
  EncoderOutput result;
  result.logits = allocate({shape[0], shape[1], config_.vocabSize});
  float* hidden = embed(sentences);
  for (Layer& layer : layers_) {
    result.weights.push_back(
        layer.attention.forward(shape, sentences.keyPaddingMask, false, hidden, parameters_));
    result.layerInputs.emplace_back(viewOf(layer.attention.input(), shape));
    layer.feedForward.forward(rows, hidden, parameters_);
  }
  float* normed = normed_.ensure(sizeOf(shape));
  norm_.forward(rows, hidden, normed, parameters_);
  output_.forward(rows, normed, result.logits.data());
  return result;
}

Prediction TransformerEncoder::predict(const Sentences& sentences, const CountedTargets& counted,
                                       bool training) {
  const Shape shape = hiddenShape(sentences);
  const std::size_t width = config_.embedDim;
  float* hidden = embed(sentences);
  for (Layer& layer : layers_) {
    layer.attention.forward(shape, sentences.keyPaddingMask, training, hidden, parameters_);
    if (&layer != &layers_.back()) layer.feedForward.forward(shape[0] * shape[1], hidden, parameters_);
  }
  const std::size_t count = counted.rows.size();
  float* countedRows = countedRows_.ensure(sizeOf({count, width}));
  for (std::size_t i = 0; i < count; ++i) {
    std::copy_n(hidden + counted.rows[i] * width, width, countedRows + i * width);
  }
  layers_.back().feedForward.forward(count, countedRows, parameters_);
  float* normed = normed_.ensure(sizeOf({count, width}));
  norm_.forward(count, countedRows, normed, parameters_);
  float* logits = logits_.ensure(sizeOf({count, config_.vocabSize}));
  output_.forward(count, normed, logits);
  return crossEntropy(count, config_.vocabSize, counted.targets.data(), logits);
}

Prediction TransformerEncoder::evaluate(const Sentences& sentences, const View<std::int32_t>& targets) {
  return predict(sentences, countedTargets(sentences, targets), false);
}

Prediction TransformerEncoder::computeGradients(const Sentences& sentences,
                                                const View<std::int32_t>& targets) {
  return computeGradients(sentences, countedTargets(sentences, targets));
}

Prediction TransformerEncoder::computeGradients(const Sentences& sentences, const CountedTargets& counted) {
  const Prediction prediction = predict(sentences, counted, true);
  const Shape shape = hiddenShape(sentences);
  const std::size_t width = config_.embedDim;
  const std::size_t count = counted.rows.size();
  float* gradNormed = gradNormed_.ensure(sizeOf({count, width}));
  output_.backward(count, normed_.data(), logits_.data(), gradNormed, parameters_);
  float* gradCountedRows = gradCountedRows_.ensure(sizeOf({count, width}));
  std::fill_n(gradCountedRows, count * width, 0.0F);
  norm_.backward(count, gradNormed, gradCountedRows, parameters_);
  layers_.back().feedForward.backward(count, gradCountedRows, parameters_);

  float* grad = gradHidden_.ensure(sizeOf(shape));
  std::fill_n(grad, sizeOf(shape), 0.0F);
  for (std::size_t i = 0; i < count; ++i) {
    std::copy_n(gradCountedRows + i * width, width, grad + counted.rows[i] * width);
  }
  for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer) {
    if (layer != layers_.rbegin()) layer->feedForward.backward(shape[0] * shape[1], grad, parameters_);
    layer->attention.backward(shape, grad, parameters_);
  }
  embeddingGradients(sentences, grad);
  return prediction;
}

/// Writes the gradient of the position embedding, and adds to that of the token embedding, which already
/// contains what came through the logits.
void TransformerEncoder::embeddingGradients(const Sentences& sentences, const float* grad) {
  const std::size_t width = config_.embedDim;
  const View<std::int32_t>& tokens = sentences.tokens;
  const std::size_t count = tokens.size();
  const std::span<float> ofPositions = parameters_.gradient(positionEmbedding_);
  std::ranges::fill(ofPositions, 0.0F);
  // Sums over the batch: each sentence is one row of length·width.
  const std::size_t sentence = tokens.shape(1) * width;
  addRows(tokens.shape(0), sentence, grad, sentence, ofPositions.data());

  // Sorts the rows by token. `ends[id]` is first the start of the rows of `id`, and after the sort their end.
  const std::span<float> ofTokens = parameters_.gradient(tokenEmbedding_);
  std::vector<std::size_t> ends(config_.vocabSize + 1);
  const auto idAt = [&](std::size_t i) { return static_cast<std::size_t>(tokens.data()[i]); };
  for (std::size_t i = 0; i < count; ++i) ++ends[idAt(i) + 1];
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  float* sorted = gradSorted_.ensure(count * width);
  for (std::size_t i = 0; i < count; ++i) {
    std::copy_n(grad + i * width, width, sorted + ends[idAt(i)]++ * width);
  }
  for (std::size_t id = 0, first = 0; first < count; first = ends[id++]) {
    addRows(ends[id] - first, width, sorted + first * width, width, ofTokens.data() + id * width);
  }
}

StateDict TransformerEncoder::gradientDict() const {
  StateDict dict;
  parameters_.copyTo(dict, parameters_.gradients(), "");
  return dict;
}

StepResult TransformerEncoder::trainStep(const Sentences& sentences, const View<std::int32_t>& targets,
                                         const StepOptions& options) {
  const Prediction prediction = computeGradients(sentences, countedTargets(sentences, targets));
  const std::span<float> gradients = parameters_.gradients();
  const double gradNorm = clipNorm(gradients, options.maxGradNorm);
  ++step_;
  parameters_.forEach([&](std::size_t first, std::size_t count, bool decays) {
    AdamWOptions adamWOptions = options.adamW;
    if (!decays) adamWOptions.weightDecay = 0.0;
    adamW(count, gradients.data() + first, adamWOptions, step_,
          {means_.data() + first, meansOfSquares_.data() + first}, parameters_.values().data() + first);
  });
  loadLayers();
  return {prediction, gradNorm};
}

StateDict TransformerEncoder::stateDict() const {
  StateDict dict;
  parameters_.copyTo(dict, parameters_.values(), "");
  return dict;
}

void TransformerEncoder::loadStateDict(const StateDictView& dict) {
  parameters_.load(dict);
  loadLayers();
}

StateDict TransformerEncoder::optimizerState() const {
  StateDict state;
  Tensor step = allocate({1});
  step(0) = static_cast<float>(step_);
  state.emplace("step", std::move(step));
  parameters_.copyTo(state, means_, kMeanSuffix);
  parameters_.copyTo(state, meansOfSquares_, kMeanOfSquaresSuffix);
  return state;
}

void TransformerEncoder::loadOptimizerState(const StateDictView& state) {
  std::map<std::string, Shape> shapes{{"step", {1}}};
  parameters_.shapesTo(shapes, kMeanSuffix);
  parameters_.shapesTo(shapes, kMeanOfSquaresSuffix);
  requireShapes("state", shapes, state);
  const float step = *state.at("step").data();
  // Steps are stored as float32, which holds every whole number up to 2²⁴.
  const bool isWhole = step >= 0.0F && step <= 16777216.0F && std::floor(step) == step;
  if (!isWhole) {
    throw WrongArgument("step", "be a whole number from 0 to 16777216, got another");
  }
  parameters_.copyFrom(state, kMeanSuffix, means_);
  parameters_.copyFrom(state, kMeanOfSquaresSuffix, meansOfSquares_);
  step_ = static_cast<std::size_t>(step);
}

}  // namespace mha::training
