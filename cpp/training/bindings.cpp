/// The Embind table of the training binary. No logic. web/wasm/training.d.ts describes it to TypeScript.

#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <optional>
#include <string>
#include <vector>

#include "embind.hpp"
#include "numpy_random.hpp"
#include "training/transformer_encoder.hpp"

namespace {

using emscripten::val;
using mha::embind::block;
using mha::embind::guarded;
using mha::embind::Incoming;
using mha::embind::IncomingDict;
using mha::embind::makeDefaultRng;
using mha::embind::seedFrom;
using mha::training::Prediction;
using mha::training::Sentences;
using mha::training::TransformerEncoder;

TransformerEncoder* makeEncoder(const val& config) {
  const auto size = [&](const char* name) { return config[name].as<std::size_t>(); };
  return guarded([&] {
    return new TransformerEncoder({.vocabSize = size("vocabSize"),
                                   .maxLength = size("maxLength"),
                                   .embedDim = size("embedDim"),
                                   .numHeads = size("numHeads"),
                                   .numLayers = size("numLayers"),
                                   .feedForwardDim = size("feedForwardDim"),
                                   .seed = seedFrom(config["seed"])});
  });
}

/// Sentences copied in from JavaScript.
class IncomingSentences {
 public:
  IncomingSentences(const val& tokens, const val& keyPaddingMask) : tokens_(tokens) {
    if (!keyPaddingMask.isNull()) keyPaddingMask_.emplace(keyPaddingMask);
  }

  [[nodiscard]] Sentences view() const {
    Sentences sentences{.tokens = tokens_.view()};
    if (keyPaddingMask_) sentences.keyPaddingMask.emplace(keyPaddingMask_->view());
    return sentences;
  }

 private:
  Incoming<std::int32_t> tokens_;
  std::optional<Incoming<std::uint8_t>> keyPaddingMask_;
};

val blocks(const std::vector<mha::Tensor>& tensors) {
  val array = val::array();
  for (const mha::Tensor& tensor : tensors) array.call<void>("push", block(tensor));
  return array;
}

val objectOf(const Prediction& prediction) {
  val object = val::object();
  object.set("loss", prediction.loss);
  object.set("correct", prediction.correct);
  object.set("count", prediction.count);
  return object;
}

val forward(TransformerEncoder& encoder, const val& tokens, const val& keyPaddingMask) {
  return guarded([&] {
    const auto output = encoder.forward(IncomingSentences(tokens, keyPaddingMask).view());
    val object = val::object();
    object.set("logits", block(output.logits));
    object.set("weights", blocks(output.weights));
    object.set("layerInputs", blocks(output.layerInputs));
    return object;
  });
}

val evaluate(TransformerEncoder& encoder, const val& tokens, const val& targets, const val& keyPaddingMask) {
  return guarded([&] {
    const IncomingSentences sentences(tokens, keyPaddingMask);
    return objectOf(encoder.evaluate(sentences.view(), Incoming<std::int32_t>(targets).view()));
  });
}

val gradients(TransformerEncoder& encoder, const val& tokens, const val& targets, const val& keyPaddingMask) {
  return guarded([&] {
    const IncomingSentences sentences(tokens, keyPaddingMask);
    const Incoming<std::int32_t> targetData(targets);
    val object = objectOf(encoder.computeGradients(sentences.view(), targetData.view()));
    object.set("parameters", block(encoder.gradientDict()));
    return object;
  });
}

val trainStep(TransformerEncoder& encoder, const val& tokens, const val& targets, const val& keyPaddingMask,
              const val& options) {
  const auto number = [&](const char* name) { return options[name].as<double>(); };
  return guarded([&] {
    const IncomingSentences sentences(tokens, keyPaddingMask);
    const Incoming<std::int32_t> targetData(targets);
    const auto result = encoder.trainStep(sentences.view(), targetData.view(),
                                          {.adamW = {.learningRate = number("learningRate"),
                                                     .weightDecay = number("weightDecay"),
                                                     .beta1 = number("beta1"),
                                                     .beta2 = number("beta2"),
                                                     .eps = number("eps")},
                                           .maxGradNorm = number("maxGradNorm")});
    val object = objectOf(result.prediction);
    object.set("gradNorm", result.gradNorm);
    return object;
  });
}

val stateDict(const TransformerEncoder& encoder) {
  return guarded([&] { return block(encoder.stateDict()); });
}

void loadStateDict(TransformerEncoder& encoder, const val& dict) {
  guarded([&] {
    const IncomingDict tensors(dict);
    encoder.loadStateDict(tensors.view());
  });
}

val optimizerState(const TransformerEncoder& encoder) {
  return guarded([&] { return block(encoder.optimizerState()); });
}

void loadOptimizerState(TransformerEncoder& encoder, const val& state) {
  guarded([&] {
    const IncomingDict tensors(state);
    encoder.loadOptimizerState(tensors.view());
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(training) {
  using emscripten::allow_raw_pointers;
  using emscripten::class_;

  mha::embind::bindEngine();

  class_<TransformerEncoder>("Encoder")
      .constructor(&makeEncoder, allow_raw_pointers())
      .function("forward", &forward)
      .function("evaluate", &evaluate)
      .function("gradients", &gradients)
      .function("trainStep", &trainStep)
      .function("stateDict", &stateDict)
      .function("loadStateDict", &loadStateDict)
      .function("optimizerState", &optimizerState)
      .function("loadOptimizerState", &loadOptimizerState)
      .function("parameterCount", &TransformerEncoder::parameterCount);

  class_<mha::DefaultRng>("DefaultRng")
      .constructor(&makeDefaultRng, allow_raw_pointers())
      .function("normal", &mha::embind::normal<mha::DefaultRng>)
      .function("random", &mha::embind::random<mha::DefaultRng>);
}
