#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "encoder_reference.hpp"
#include "golden.hpp"
#include "random_tensor.hpp"
#include "training/transformer_encoder.hpp"

namespace training_encoder_test {

using mha::Shape;
using mha::StateDict;
using mha::Tensor;
using mha::viewOf;
using mha::test::EncoderBatch;
using mha::test::EncoderReference;
using mha::test::golden;
using mha::test::randomTensor;
using mha::training::kIgnoredTarget;
using mha::training::Prediction;
using mha::training::StepOptions;
using mha::training::StepResult;
using mha::training::TransformerEncoder;
using mha::training::TransformerEncoderConfig;
using nlohmann::json;

void flatten(const json& nested, std::vector<double>& into) {
  if (!nested.is_array()) {
    into.push_back(nested.get<double>());
    return;
  }
  for (const json& inner : nested) flatten(inner, into);
}

template <class T>
std::vector<T> listOf(const json& nested) {
  std::vector<double> values;
  flatten(nested, values);
  std::vector<T> list(values.size());
  std::ranges::transform(values, list.begin(), [](double x) { return static_cast<T>(x); });
  return list;
}

Tensor tensorOf(const json& nested) {
  Shape shape;
  for (const json* level = &nested; level->is_array(); level = &level->front())
    shape.push_back(level->size());
  Tensor tensor = mha::allocate(shape);
  std::ranges::copy(listOf<float>(nested), tensor.data());
  return tensor;
}

StateDict dictOf(const json& named) {
  StateDict dict;
  for (const auto& [name, nested] : named.items()) dict.emplace(name, tensorOf(nested));
  return dict;
}

mha::StateDictView viewsOf(const StateDict& dict) {
  mha::StateDictView views;
  for (const auto& [name, tensor] : dict) views.emplace(name, viewOf(tensor));
  return views;
}

/// Largest difference over the largest expected magnitude; infinite where the shapes differ.
double relativeError(const Tensor& got, const Tensor& expected) {
  if (Shape(got.shape()) != Shape(expected.shape())) return std::numeric_limits<double>::infinity();
  double difference = 0.0;
  double largest = 0.0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double wanted = expected.data()[i];
    const double here = std::abs(static_cast<double>(got.data()[i]) - wanted);
    difference = std::isnan(here) ? std::numeric_limits<double>::infinity() : std::max(difference, here);
    largest = std::max(largest, std::abs(wanted));
  }
  return difference / (largest > 0.0 ? largest : 1.0);
}

void expectClose(const StateDict& got, const StateDict& expected, double tolerance) {
  ASSERT_EQ(got.size(), expected.size());
  for (const auto& [name, tensor] : expected) {
    ASSERT_TRUE(got.contains(name)) << name;
    EXPECT_LE(relativeError(got.at(name), tensor), tolerance) << name;
  }
}

/// A recorded run of PyTorch, and the encoder with its initial parameters.
struct TorchRun {
  explicit TorchRun(const json& golden)
      : file(golden), config(configOf(file["sizes"])), batch(batchOf(file)), encoder(config) {
    encoder.loadStateDict(viewsOf(dictOf(file["parameters"])));
  }

  static TransformerEncoderConfig configOf(const json& sizes) {
    return {.vocabSize = sizes["vocab_size"],
            .maxLength = sizes["max_length"],
            .embedDim = sizes["embed_dim"],
            .numHeads = sizes["num_heads"],
            .numLayers = sizes["num_layers"],
            .feedForwardDim = sizes["feed_forward_dim"]};
  }

  static EncoderBatch batchOf(const json& file) {
    EncoderBatch batch{.shape = Shape(tensorOf(file["targets"]).shape()),
                       .tokens = listOf<std::int32_t>(file["tokens"]),
                       .targets = listOf<std::int32_t>(file["targets"]),
                       .real = {}};
    if (const json& mask = file["key_padding_mask"]; mask.is_array()) {
      for (const json& row : mask) {
        for (const json& real : row) batch.real.push_back(static_cast<std::uint8_t>(real.get<bool>()));
      }
    }
    return batch;
  }

  json file;
  TransformerEncoderConfig config;
  EncoderBatch batch;
  TransformerEncoder encoder;
};

class EncoderGolden : public testing::TestWithParam<const char*> {
 protected:
  TorchRun run_{GetParam() == std::string("padded") ? golden("encoder/padded.json")
                                                    : golden("encoder/whole.json")};

  StepResult step() {
    const json& options = run_.file["options"];
    return run_.encoder.trainStep(run_.batch.sentences(), run_.batch.targetView(),
                                  {.adamW = {.learningRate = options["lr"],
                                             .weightDecay = options["weight_decay"],
                                             .beta1 = options["betas"][0],
                                             .beta2 = options["betas"][1],
                                             .eps = options["eps"]},
                                   .maxGradNorm = options["max_grad_norm"]});
  }
};

INSTANTIATE_TEST_SUITE_P(Runs, EncoderGolden, testing::Values("padded", "whole"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(EncoderGolden, LogitsWeightsAndLayerInputsEqualTorch) {
  const auto output = run_.encoder.forward(run_.batch.sentences());
  EXPECT_LE(relativeError(output.logits, tensorOf(run_.file["logits"])), 2e-6);
  ASSERT_EQ(output.weights.size(), run_.config.numLayers);
  for (std::size_t i = 0; i < run_.config.numLayers; ++i) {
    EXPECT_LE(relativeError(output.weights[i], tensorOf(run_.file["weights"][i])), 2e-6) << i;
    EXPECT_LE(relativeError(output.layerInputs[i], tensorOf(run_.file["layer_inputs"][i])), 2e-6) << i;
  }
}

TEST_P(EncoderGolden, LossAndGradientsEqualTorch) {
  const auto sentences = run_.batch.sentences();
  const StateDict before = run_.encoder.stateDict();
  const Prediction prediction = run_.encoder.computeGradients(sentences, run_.batch.targetView());
  EXPECT_NEAR(prediction.loss, run_.file["loss"].get<double>(), 2e-6);
  EXPECT_EQ(prediction.correct, run_.file["correct"].get<std::size_t>());
  EXPECT_EQ(prediction.count, run_.file["count"].get<std::size_t>());
  expectClose(run_.encoder.gradientDict(), dictOf(run_.file["gradients"]), 5e-6);
  EXPECT_EQ(run_.encoder.stateDict(), before);

  const Prediction evaluated = run_.encoder.evaluate(sentences, run_.batch.targetView());
  EXPECT_EQ(evaluated.loss, prediction.loss);
  EXPECT_EQ(evaluated.correct, prediction.correct);
}

TEST_P(EncoderGolden, ParametersAfterThreeStepsEqualTorch) {
  for (const json& wanted : run_.file["steps"]) {
    const StepResult result = step();
    EXPECT_NEAR(result.prediction.loss, wanted["loss"].get<double>(), 5e-6);
    EXPECT_NEAR(result.gradNorm, wanted["grad_norm"].get<double>(), 2e-5);
  }
  expectClose(run_.encoder.stateDict(), dictOf(run_.file["parameters_after"]), 1e-5);
}

TEST_P(EncoderGolden, TrainingContinuesExactlyAfterSaveAndLoad) {
  step();
  TransformerEncoder other({.vocabSize = run_.config.vocabSize,
                            .maxLength = run_.config.maxLength,
                            .embedDim = run_.config.embedDim,
                            .numHeads = run_.config.numHeads,
                            .numLayers = run_.config.numLayers,
                            .feedForwardDim = run_.config.feedForwardDim,
                            .seed = 9});
  other.loadStateDict(viewsOf(run_.encoder.stateDict()));
  other.loadOptimizerState(viewsOf(run_.encoder.optimizerState()));
  std::swap(run_.encoder, other);
  step();
  step();
  std::swap(run_.encoder, other);
  step();
  step();
  EXPECT_EQ(other.stateDict(), run_.encoder.stateDict());
  EXPECT_EQ(other.optimizerState(), run_.encoder.optimizerState());
  EXPECT_EQ(other.optimizerState().at("step")(0), 3.0F);
}

/// A small encoder none of whose parameters has its initial zero or one.
StateDict anywhere(const TransformerEncoder& encoder) {
  StateDict dict = encoder.stateDict();
  std::uint64_t seed = 20;
  for (auto& [name, tensor] : dict) {
    const Tensor noise = randomTensor(Shape(tensor.shape()), seed++);
    for (std::size_t i = 0; i < tensor.size(); ++i) tensor.data()[i] += 0.2F * noise.data()[i];
  }
  return dict;
}

TEST(EncoderGradient, EqualsFiniteDifferencesInEveryParameter) {
  const TransformerEncoderConfig config{.vocabSize = 7,
                                        .maxLength = 5,
                                        .embedDim = 6,
                                        .numHeads = 2,
                                        .numLayers = 2,
                                        .feedForwardDim = 5,
                                        .seed = 4};
  const EncoderBatch batch{
      .shape = {2, 4},
      .tokens = {1, 6, 3, 1, 2, 0, 5, 5},
      .targets = {kIgnoredTarget, 2, kIgnoredTarget, 6, 4, kIgnoredTarget, kIgnoredTarget, kIgnoredTarget},
      .real = {1, 1, 1, 1, 1, 1, 0, 0}};
  TransformerEncoder encoder(config);
  const StateDict parameters = anywhere(encoder);
  encoder.loadStateDict(viewsOf(parameters));
  EncoderReference reference(config, parameters);
  const Prediction prediction = encoder.computeGradients(batch.sentences(), batch.targetView());
  EXPECT_NEAR(prediction.loss, reference.loss(batch), 2e-6);

  constexpr double kStep = 1e-5;
  for (const auto& [name, gradient] : encoder.gradientDict()) {
    std::vector<double>& values = reference.parameter(name);
    ASSERT_EQ(values.size(), gradient.size()) << name;
    Tensor differences = mha::allocate(Shape(gradient.shape()));
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double before = values[i];
      values[i] = before + kStep;
      const double ahead = reference.loss(batch);
      values[i] = before - kStep;
      const double behind = reference.loss(batch);
      values[i] = before;
      differences.data()[i] = static_cast<float>((ahead - behind) / (2.0 * kStep));
    }
    EXPECT_LE(relativeError(gradient, differences), 1e-5) << name;
  }
}

TransformerEncoderConfig small() {
  return {.vocabSize = 9, .maxLength = 4, .embedDim = 8, .numHeads = 2, .numLayers = 2, .feedForwardDim = 16};
}

const EncoderBatch kBatch{.shape = {2, 3},
                          .tokens = {3, 1, 5, 4, 1, 0},
                          .targets = {kIgnoredTarget, 4, kIgnoredTarget, kIgnoredTarget, 7, kIgnoredTarget},
                          .real = {1, 1, 1, 1, 1, 0}};

// The loss is a mean over sentences.
TEST(EncoderGradient, OfARepeatedSentenceEqualsThatOfTheSentence) {
  const auto gradientsOf = [](std::size_t copies) {
    const std::vector<std::int32_t> tokens = {0, 2, 1, 2};
    const std::vector<std::int32_t> targets = {3, kIgnoredTarget, 4, 5};
    EncoderBatch batch{.shape = {copies, tokens.size()}, .tokens = {}, .targets = {}, .real = {}};
    for (std::size_t i = 0; i < copies; ++i) {
      batch.tokens.insert(batch.tokens.end(), tokens.begin(), tokens.end());
      batch.targets.insert(batch.targets.end(), targets.begin(), targets.end());
    }
    TransformerEncoder encoder(
        {.vocabSize = 7, .maxLength = 4, .embedDim = 4, .numHeads = 1, .numLayers = 1, .feedForwardDim = 4});
    encoder.computeGradients(batch.sentences(), batch.targetView());
    return encoder.gradientDict();
  };
  expectClose(gradientsOf(12'000), gradientsOf(1), 5e-6);
}

TEST(EncoderTraining, MemorisesABatch) {
  TransformerEncoder encoder(small());
  StepOptions options;
  options.adamW.learningRate = 0.01;
  const double before = encoder.evaluate(kBatch.sentences(), kBatch.targetView()).loss;
  EXPECT_NEAR(before, std::log(9.0), 0.3);
  for (int i = 0; i < 100; ++i) encoder.trainStep(kBatch.sentences(), kBatch.targetView(), options);
  const Prediction after = encoder.evaluate(kBatch.sentences(), kBatch.targetView());
  EXPECT_LT(after.loss, 0.02);
  EXPECT_EQ(after.correct, 2U);
}

TEST(EncoderTraining, DecaysOnlyMatricesAndTheTokenEmbedding) {
  TransformerEncoder encoder(small());
  encoder.loadStateDict(viewsOf(anywhere(encoder)));
  const StateDict before = encoder.stateDict();
  // With an infinite eps, the gradient has no effect: only the decay remains.
  StepOptions options;
  options.adamW = {.learningRate = 0.5, .weightDecay = 0.5, .eps = std::numeric_limits<double>::infinity()};
  encoder.trainStep(kBatch.sentences(), kBatch.targetView(), options);
  std::set<std::string> decayed;
  for (const auto& [name, tensor] : encoder.stateDict()) {
    if (tensor == before.at(name)) continue;
    decayed.insert(name);
    EXPECT_LE(relativeError(tensor, Tensor(before.at(name) * 0.75F)), 1e-7) << name;
  }
  std::set<std::string> expected{"token_embedding.weight"};
  for (const char* layer : {"layers.0.", "layers.1."}) {
    for (const char* name :
         {"self_attn.in_proj_weight", "self_attn.out_proj.weight", "linear1.weight", "linear2.weight"}) {
      expected.insert(std::string(layer) + name);
    }
  }
  EXPECT_EQ(decayed, expected);
}

TEST(EncoderTraining, PaddingChangesNothing) {
  TransformerEncoder encoder(small());
  const EncoderBatch one{.shape = {1, 2}, .tokens = {4, 1}, .targets = {kIgnoredTarget, 7}, .real = {}};
  const EncoderBatch padded{.shape = {1, 4},
                            .tokens = {4, 1, 8, 2},
                            .targets = {kIgnoredTarget, 7, kIgnoredTarget, kIgnoredTarget},
                            .real = {1, 1, 0, 0}};
  const Prediction alone = encoder.computeGradients(one.sentences(), one.targetView());
  const StateDict gradients = encoder.gradientDict();
  EXPECT_NEAR(encoder.computeGradients(padded.sentences(), padded.targetView()).loss, alone.loss, 1e-6);
  expectClose(encoder.gradientDict(), gradients, 2e-6);
}

TEST(EncoderInitialisation, HasTorchsDistributionsAndDependsOnTheSeed) {
  TransformerEncoderConfig config = small();
  config.vocabSize = 400;
  config.embedDim = 32;
  const StateDict dict = TransformerEncoder(config).stateDict();
  EXPECT_EQ(dict, TransformerEncoder(config).stateDict());
  config.seed = 1;
  EXPECT_NE(dict.at("layers.1.linear2.bias"),
            TransformerEncoder(config).stateDict().at("layers.1.linear2.bias"));
  EXPECT_NE(dict.at("layers.0.self_attn.in_proj_weight"), dict.at("layers.1.self_attn.in_proj_weight"));

  const auto largest = [&](const char* name) {
    float max = 0.0F;
    for (const float x : dict.at(name)) max = std::max(max, std::abs(x));
    return max;
  };
  const auto within = [&](const char* name, double bound) {
    EXPECT_LE(largest(name), bound) << name;
    EXPECT_GT(largest(name), 0.8 * bound) << name;
  };
  within("layers.0.self_attn.in_proj_weight", std::sqrt(6.0 / (32 + 96)));
  within("layers.0.self_attn.out_proj.weight", 1.0 / std::sqrt(32.0));
  within("layers.0.linear1.weight", 1.0 / std::sqrt(32.0));
  within("layers.0.linear2.weight", 1.0 / std::sqrt(16.0));
  EXPECT_LE(largest("layers.0.linear1.bias"), 1.0 / std::sqrt(32.0));
  EXPECT_GT(largest("layers.0.linear1.bias"), 0.0F);
  EXPECT_EQ(largest("layers.0.self_attn.in_proj_bias"), 0.0F);
  EXPECT_EQ(largest("output.bias"), 0.0F);
  for (const float x : dict.at("layers.1.norm2.weight")) EXPECT_EQ(x, 1.0F);
  EXPECT_EQ(largest("norm.bias"), 0.0F);
  double squares = 0.0;
  for (const float x : dict.at("token_embedding.weight")) squares += static_cast<double>(x) * x;
  EXPECT_NEAR(std::sqrt(squares / (400.0 * 32.0)), 0.02, 0.001);
}

TEST(EncoderInitialisation, HasTheExpectedParameterCount) {
  const TransformerEncoder encoder(small());
  std::size_t sum = 0;
  for (const auto& [name, tensor] : encoder.stateDict()) sum += tensor.size();
  EXPECT_EQ(encoder.parameterCount(), sum);
  // Embeddings and output bias, then per layer attention, feed-forward and two norms, then the last norm.
  EXPECT_EQ(sum, 9 * 8 + 4 * 8 + 9 + 2 * ((4 * 64 + 32) + (2 * 128 + 16 + 8) + 4 * 8) + 2 * 8U);
}

/// Expects a std::out_of_range with `words` in its message, and an unchanged encoder.
template <class Call>
void expectRefused(TransformerEncoder& encoder, const std::string& words, const Call& call) {
  const StateDict before = encoder.stateDict();
  const StateDict state = encoder.optimizerState();
  try {
    call();
    ADD_FAILURE() << "not refused: " << words;
  } catch (const std::out_of_range& error) {
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
  EXPECT_EQ(encoder.stateDict(), before);
  EXPECT_EQ(encoder.optimizerState(), state);
}

TEST(EncoderErrors, NameTheWrongArgumentOfABatch) {
  TransformerEncoder encoder(small());
  const auto refused = [&](const std::string& words, const auto& change) {
    EncoderBatch batch = kBatch;
    change(batch);
    expectRefused(encoder, words,
                  [&] { encoder.trainStep(batch.sentences(), batch.targetView(), StepOptions{}); });
  };
  refused("`tokens` must hold ids from 0 to 8, got 9 at (1, 0)", [](EncoderBatch& b) { b.tokens[3] = 9; });
  refused("`tokens` must hold ids from 0 to 8, got -100 at (0, 2)",
          [](EncoderBatch& b) { b.tokens[2] = -100; });
  refused("`targets` must hold ids from 0 to 8 or -100, got 9 at (1, 1)",
          [](EncoderBatch& b) { b.targets[4] = 9; });
  refused("`targets` must hold an id to predict, got only -100",
          [](EncoderBatch& b) { std::ranges::fill(b.targets, kIgnoredTarget); });
  refused("`tokens` must be (B, L), got shape (6,)", [](EncoderBatch& b) { b.shape = {6}; });
  refused("`tokens` must have at most 4 tokens (maxLength) in a row, got shape (1, 6)",
          [](EncoderBatch& b) { b.shape = {1, 6}; });
  const EncoderBatch other{
      .shape = {3, 2}, .tokens = kBatch.tokens, .targets = kBatch.targets, .real = kBatch.real};
  expectRefused(encoder, "`targets` must have the shape (2, 3) of `tokens`, got shape (3, 2)",
                [&] { encoder.evaluate(kBatch.sentences(), other.targetView()); });
  expectRefused(encoder, "`keyPaddingMask` must have the shape (2, 3) of `tokens`, got shape (3, 2)", [&] {
    encoder.forward({.tokens = viewOf(kBatch.tokens.data(), kBatch.shape),
                     .keyPaddingMask = viewOf(kBatch.real.data(), other.shape)});
  });
}

TEST(EncoderErrors, NameTheWrongEntryOfADict) {
  TransformerEncoder encoder(small());
  const auto refused = [&](const std::string& words, const auto& change) {
    StateDict dict = anywhere(encoder);
    change(dict);
    expectRefused(encoder, words, [&] { encoder.loadStateDict(viewsOf(dict)); });
  };
  refused("`dict` must hold norm.bias, which is missing", [](StateDict& d) { d.erase("norm.bias"); });
  refused("got norm.scale", [](StateDict& d) { d.emplace("norm.scale", d.at("norm.weight")); });
  refused("`output.bias` must have shape (9,), got shape (8,)",
          [](StateDict& d) { d.at("output.bias") = randomTensor({8}, 1); });
  const auto refusedState = [&](const std::string& words, const auto& change) {
    StateDict state = encoder.optimizerState();
    for (auto& [name, tensor] : state) tensor += 1.0F;
    change(state);
    expectRefused(encoder, words, [&] { encoder.loadOptimizerState(viewsOf(state)); });
  };
  refusedState("`state` must hold norm.bias.exp_avg_sq, which is missing",
               [](StateDict& s) { s.erase("norm.bias.exp_avg_sq"); });
  refusedState("`step` must be a whole number", [](StateDict& s) { s.at("step")(0) = 0.5F; });
  refusedState("`step` must be a whole number", [](StateDict& s) { s.at("step")(0) = -1.0F; });
}

TEST(EncoderErrors, NameTheWrongSize) {
  const auto refused = [](const std::string& words, const auto& change) {
    TransformerEncoderConfig config = small();
    change(config);
    try {
      const TransformerEncoder encoder(config);
      ADD_FAILURE() << "not refused: " << words;
    } catch (const std::out_of_range& error) {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
  };
  refused("`numHeads` must divide embedDim (8), got 3", [](auto& c) { c.numHeads = 3; });
  refused("`numLayers` must be at least 1", [](auto& c) { c.numLayers = 0; });
  refused("`vocabSize` must be at least 1", [](auto& c) { c.vocabSize = 0; });
}

}  // namespace training_encoder_test
