#include "multi_head_attention.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>

#include "golden.hpp"
#include "random_tensor.hpp"
#include "reference.hpp"

namespace multi_head_attention_test {

using mha::ForwardOptions;
using mha::MultiHeadAttention;
using mha::MultiHeadAttentionConfig;
using mha::Shape;
using mha::Tensor;
using mha::viewOf;
using mha::test::golden;
using mha::test::randomTensor;
using mha::test::Reference;
using mha::test::relativeError;
using nlohmann::json;

constexpr double kTolerance = 2e-6;

MultiHeadAttentionConfig plain(std::size_t embedDim, std::size_t numHeads) {
  return {.embedDim = embedDim,
          .numHeads = numHeads,
          .numKvHeads = numHeads,
          .headDim = embedDim / numHeads,
          .valueHeadDim = embedDim / numHeads,
          .kdim = embedDim,
          .vdim = embedDim,
          .outDim = embedDim,
          .bias = true,
          .seed = 0};
}

Shape shapeOf(const json& nested) {
  Shape shape;
  for (const json* level = &nested; level->is_array(); level = &level->front())
    shape.push_back(level->size());
  return shape;
}

/// A number, a boolean, or the text "NaN" or "Infinity".
double numberOf(const json& leaf) {
  if (leaf.is_string()) return std::stod(leaf.get<std::string>());
  return leaf.is_boolean() ? static_cast<double>(leaf.get<bool>()) : leaf.get<double>();
}

void flatten(const json& nested, std::vector<double>& into) {
  if (nested.is_array()) {
    for (const json& inner : nested) flatten(inner, into);
  } else {
    into.push_back(numberOf(nested));
  }
}

template <class T>
xt::xarray<T> arrayOf(const json& nested) {
  std::vector<double> values;
  flatten(nested, values);
  const Shape shape = shapeOf(nested);
  xt::xarray<T> array = xt::xarray<T>::from_shape(shape);
  std::ranges::transform(values, array.begin(), [](double x) { return static_cast<T>(x); });
  return array;
}

/// torch's boolean masks say True = ignore; ours say 1 = may attend.
xt::xarray<std::uint8_t> flipped(const json& nested) { return 1 - arrayOf<std::uint8_t>(nested); }

mha::StateDictView viewsOf(const mha::StateDict& dict) {
  mha::StateDictView views;
  for (const auto& [name, tensor] : dict) views.emplace(name, viewOf(tensor));
  return views;
}

class TorchGolden : public testing::TestWithParam<const char*> {};

TEST_P(TorchGolden, OutputAndWeightsAreEqual) {
  const json file = golden(std::string("torch/") + GetParam() + ".json");
  const json& args = file["args"];
  MultiHeadAttentionConfig config = plain(args["embed_dim"], args["num_heads"]);
  if (args["kdim"].is_number()) config.kdim = args["kdim"];
  if (args["vdim"].is_number()) config.vdim = args["vdim"];
  config.bias = args["bias"];
  config.addBiasKv = args["add_bias_kv"];
  config.addZeroAttn = args["add_zero_attn"];
  MultiHeadAttention layer(config);
  mha::StateDict dict;
  for (const auto& [name, values] : file["params"].items()) dict.emplace(name, arrayOf<float>(values));
  layer.loadStateDict(viewsOf(dict));

  const json& inputs = file["inputs"];
  const Tensor query = arrayOf<float>(inputs["query"]);
  const auto input = [&](const char* name) {
    return inputs[name] == "=query" ? query : arrayOf<float>(inputs[name]);
  };
  const Tensor key = input("key");
  const Tensor value = inputs["value"] == "=key" ? key : input("value");

  ForwardOptions options;
  Tensor added;
  xt::xarray<std::uint8_t> allowed;
  if (const json& mask = inputs["attn_mask"]; mask.is_array()) {
    const json* first = &mask;
    while (first->is_array()) first = &first->front();
    if (first->is_boolean()) {
      allowed = flipped(mask);
      if (allowed.dimension() == 3) {  // torch's (B·H,L,S)
        allowed.reshape({query.shape(0), config.numHeads, allowed.shape(1), allowed.shape(2)});
      }
      options.attnMask = viewOf(allowed.data(), Shape(allowed.shape()));
    } else {
      added = arrayOf<float>(mask);
      options.attnMask = viewOf(added);
    }
  }
  xt::xarray<std::uint8_t> real;
  if (const json& padding = inputs["key_padding_mask"]; padding.is_array()) {
    real = flipped(padding);
    options.keyPaddingMask = viewOf(real.data(), Shape(real.shape()));
  }
  const auto got = layer.forward(viewOf(query), viewOf(key), viewOf(value), options);
  EXPECT_LE(relativeError(got.output, arrayOf<double>(file["outputs"]["output"])), kTolerance);
  EXPECT_LE(relativeError(*got.weights, arrayOf<double>(file["outputs"]["attn_weights_per_head"])),
            kTolerance);
}

INSTANTIATE_TEST_SUITE_P(Files, TorchGolden,
                         testing::Values("mha_self_basic", "mha_nobias", "mha_self_one_head",
                                         "mha_self_headdim1", "mha_self_len1", "mha_self_unbatched",
                                         "mha_self_E64_H8_L12", "mha_cross_same_dim", "mha_cross_kdim_vdim",
                                         "mha_cross_len1", "mha_causal_bool", "mha_causal_rect",
                                         "mha_causal_seed000_float", "mha_attn_mask_bool",
                                         "mha_attn_mask_3d_bool", "mha_attn_mask_float", "mha_key_padding",
                                         "mha_key_padding_fastpath", "mha_key_padding_unbatched",
                                         "mha_float_mask_plus_bool_padding", "mha_large_logits",
                                         "mha_add_bias_kv", "mha_add_zero_attn"),
                         [](const auto& info) { return std::string(info.param); });

TEST(MultiHeadAttention, CausalOptionEqualsTheCausalMask) {
  for (const char* name : {"mha_causal_bool", "mha_causal_rect"}) {
    const json file = golden(std::string("torch/") + name + ".json");
    const json& args = file["args"];
    MultiHeadAttention layer(plain(args["embed_dim"], args["num_heads"]));
    mha::StateDict dict;
    for (const auto& [parameter, values] : file["params"].items()) {
      dict.emplace(parameter, arrayOf<float>(values));
    }
    layer.loadStateDict(viewsOf(dict));
    const Tensor query = arrayOf<float>(file["inputs"]["query"]);
    const auto input = [&](const char* which) {
      return file["inputs"][which] == "=query" ? query : arrayOf<float>(file["inputs"][which]);
    };
    const Tensor key = input("key");
    const Tensor value = file["inputs"]["value"] == "=key" ? key : input("value");
    const auto got = layer.forward(viewOf(query), viewOf(key), viewOf(value), {.isCausal = true});
    EXPECT_LE(relativeError(got.output, arrayOf<double>(file["outputs"]["output"])), kTolerance) << name;
  }
}

TEST(MultiHeadAttention, FullyMaskedRowGivesZeroWeightsAndTheOutputBias) {
  const json file = golden("torch/mha_fully_masked_row_bool.json");
  MultiHeadAttention layer(plain(file["args"]["embed_dim"], file["args"]["num_heads"]));
  mha::StateDict dict;
  for (const auto& [name, values] : file["params"].items()) dict.emplace(name, arrayOf<float>(values));
  layer.loadStateDict(viewsOf(dict));
  const Tensor query = arrayOf<float>(file["inputs"]["query"]);
  const xt::xarray<std::uint8_t> allowed = flipped(file["inputs"]["attn_mask"]);
  const auto got = layer.forward(viewOf(query), viewOf(query), viewOf(query),
                                 {.attnMask = viewOf(allowed.data(), Shape(allowed.shape()))});
  const Reference expected = arrayOf<double>(file["outputs"]["output"]);
  const Tensor& bias = dict.at("out_proj.bias");
  for (std::size_t b = 0; b < expected.shape(0); ++b) {
    for (std::size_t i = 0; i < expected.shape(1); ++i) {
      for (std::size_t e = 0; e < expected.shape(2); ++e) {
        const double wanted = i == 2 ? bias(e) : expected(b, i, e);
        ASSERT_NEAR(got.output(b, i, e), wanted, 2e-6) << b << " " << i << " " << e;
      }
    }
    for (std::size_t h = 0; h < got.weights->shape(1); ++h) {
      for (std::size_t j = 0; j < got.weights->shape(3); ++j) EXPECT_EQ((*got.weights)(b, h, 2, j), 0.0F);
    }
  }
}

/// The formula's parameters by torch's names.
mha::StateDict formulaParameters(const json& params) {
  json inBias = json::array();
  for (const char* part : {"b_q", "b_k", "b_v"}) {
    for (const json& x : params[part]) inBias.push_back(x);
  }
  return {
      {"q_proj_weight", arrayOf<float>(params["W_q"])},   {"k_proj_weight", arrayOf<float>(params["W_k"])},
      {"v_proj_weight", arrayOf<float>(params["W_v"])},   {"in_proj_bias", arrayOf<float>(inBias)},
      {"out_proj.weight", arrayOf<float>(params["W_o"])}, {"out_proj.bias", arrayOf<float>(params["b_o"])}};
}

class FormulaGolden : public testing::TestWithParam<const char*> {};

TEST_P(FormulaGolden, OutputAndWeightsAreEqual) {
  const json file = golden(std::string("torch/") + GetParam() + ".json");
  const json& args = file["args"];
  MultiHeadAttentionConfig config = plain(args["embed_dim"], args["num_heads"]);
  config.numKvHeads = args["num_kv_heads"];
  if (args["rope"].is_string()) {
    config.rope = {.dim = args["rotary_dim"].is_number() ? args["rotary_dim"] : args["head_dim"],
                   .base = args["rope_base"],
                   .convention = args["rope"] == "half" ? mha::RotaryConvention::half
                                                        : mha::RotaryConvention::interleaved};
  }
  MultiHeadAttention layer(config);
  layer.loadStateDict(viewsOf(formulaParameters(file["params"])));

  ForwardOptions options;
  options.returnSteps = true;
  options.alibi = file["inputs"]["score_bias"].is_array();
  if (args.contains("window")) {  // which counts the query itself
    options.window = {.left = args["window"].get<std::size_t>() - 1, .right = 0};
  } else if (args.contains("radius")) {
    options.window = {.left = args["radius"], .right = args["radius"]};
  } else {
    options.isCausal = file["inputs"]["mask_keep"].is_array();
  }
  const Tensor x = arrayOf<float>(file["inputs"]["query_input"]);
  const auto got = layer.forward(viewOf(x), viewOf(x), viewOf(x), options);
  EXPECT_LE(relativeError(got.output, arrayOf<double>(file["outputs"]["output"])), kTolerance);
  EXPECT_LE(relativeError(*got.weights, arrayOf<double>(file["outputs"]["attn_weights_per_head"])),
            kTolerance);
  if (config.rope) {
    EXPECT_LE(relativeError(got.steps->query, arrayOf<double>(file["q_after_rope"])), kTolerance);
    EXPECT_LE(relativeError(got.steps->key, arrayOf<double>(file["k_after_rope"])), kTolerance);
  }
}

INSTANTIATE_TEST_SUITE_P(Files, FormulaGolden,
                         testing::Values("gqa_4q_2kv", "mqa_4q", "gqa_mha_equiv", "gqa_rope_causal",
                                         "rope_half", "rope_interleaved", "rope_interleaved_partial",
                                         "alibi_causal_h4", "alibi_symmetric_h4", "sliding_causal_w1",
                                         "sliding_causal_w2", "sliding_symmetric_w0", "sliding_symmetric_w1"),
                         [](const auto& info) { return std::string(info.param); });

class ReluGolden : public testing::TestWithParam<const char*> {};

TEST_P(ReluGolden, OutputWeightsAndStepsAreEqual) {
  const json file = golden(std::string("torch/") + GetParam() + ".json");
  const json& args = file["args"];
  const std::size_t units = args["num_units"];
  MultiHeadAttentionConfig config = plain(args["in_dim"], args["heads"]);
  config.headDim = units / config.numHeads;
  config.valueHeadDim = config.headDim;
  config.outDim = units;
  config.activation = mha::Activation::relu;
  MultiHeadAttention layer(config);
  mha::StateDict dict = formulaParameters(file["params"]);
  for (const char* name : {"q_proj_weight", "k_proj_weight", "v_proj_weight", "out_proj.weight"}) {
    dict[name] = Tensor(xt::transpose(dict[name]));  // Keras keeps (in,out)
  }
  layer.loadStateDict(viewsOf(dict));
  const auto input = [&](const char* name) { return arrayOf<float>(file["inputs"][name]); };
  const Tensor query = input("query");
  const Tensor key = input("key");
  const Tensor value = input("value");
  ForwardOptions options;
  options.isCausal = args["masked"];
  options.returnSteps = true;
  const auto got = layer.forward(viewOf(query), viewOf(key), viewOf(value), options);
  EXPECT_LE(relativeError(got.output, arrayOf<double>(file["outputs"]["output"])), kTolerance);
  EXPECT_LE(relativeError(*got.weights, arrayOf<double>(file["outputs"]["attn_weights_per_head"])),
            kTolerance);
  EXPECT_LE(relativeError(got.steps->concat, arrayOf<double>(file["intermediates"]["concat"])), kTolerance);
}

INSTANTIATE_TEST_SUITE_P(Files, ReluGolden,
                         testing::Values("seed003_relu_mha", "seed003_relu_mha_masked",
                                         "seed003_relu_dead_head"),
                         [](const auto& info) { return std::string(info.param); });

TEST(MultiHeadAttention, StateDictRoundTrips) {
  MultiHeadAttentionConfig separate = plain(12, 3);
  separate.kdim = 7;
  separate.vdim = 5;
  MultiHeadAttentionConfig wide = plain(10, 4);  // headDim is free: 10 is not divisible by 4
  wide.headDim = 3;
  wide.valueHeadDim = 6;
  wide.outDim = 9;
  for (const auto& config : {plain(8, 2), separate, wide}) {
    MultiHeadAttention layer(config);
    mha::StateDict dict = layer.stateDict();
    std::uint64_t seed = 0;
    std::size_t count = 0;
    for (auto& [name, tensor] : dict) {
      tensor = randomTensor(tensor.shape(), ++seed);
      count += tensor.size();
    }
    EXPECT_EQ(dict.count("in_proj_weight"), config.embedDim == 8 ? 1U : 0U);
    EXPECT_EQ(layer.parameterCount(), count);
    layer.loadStateDict(viewsOf(dict));
    const mha::StateDict again = layer.stateDict();
    ASSERT_EQ(again.size(), dict.size());
    for (const auto& [name, tensor] : again) EXPECT_EQ(tensor, dict.at(name)) << name;
  }
}

TEST(MultiHeadAttention, InitialisesLikeTorch) {
  const MultiHeadAttention layer(plain(64, 4));
  const mha::StateDict dict = layer.stateDict();
  const double inBound = std::sqrt(6.0 / (64 + 3 * 64));
  const double outBound = 1.0 / std::sqrt(64.0);
  const auto expectUniform = [](const Tensor& weight, double bound) {
    const double largest = xt::amax(xt::abs(weight))();
    EXPECT_LE(largest, bound);
    EXPECT_GT(largest, 0.99 * bound);
    const double variance = xt::mean(xt::square(xt::cast<double>(weight)))();
    EXPECT_NEAR(variance, bound * bound / 3, 0.05 * bound * bound / 3);
  };
  expectUniform(dict.at("in_proj_weight"), inBound);
  expectUniform(dict.at("out_proj.weight"), outBound);
  EXPECT_EQ(xt::amax(xt::abs(dict.at("in_proj_bias")))(), 0.0F);
  EXPECT_EQ(xt::amax(xt::abs(dict.at("out_proj.bias")))(), 0.0F);

  MultiHeadAttentionConfig other = plain(64, 4);
  EXPECT_EQ(MultiHeadAttention(other).stateDict().at("in_proj_weight"), dict.at("in_proj_weight"));
  other.seed = 1;
  EXPECT_NE(MultiHeadAttention(other).stateDict().at("in_proj_weight"), dict.at("in_proj_weight"));
}

template <class Call>
void expectError(const char* message, Call call) {
  try {
    call();
    FAIL() << "no error, expected: " << message;
  } catch (const std::out_of_range& error) {
    EXPECT_STREQ(error.what(), message);
  }
}

TEST(MultiHeadAttention, AcceptsAKeyThatIsAShorterViewOfTheQuery) {
  MultiHeadAttention layer(plain(8, 2));
  const Tensor query = randomTensor({7, 8}, 1);
  const Tensor key = xt::view(query, xt::range(0, 3), xt::all());
  const mha::TensorView shorter = viewOf(query.data(), Shape{3, 8});
  EXPECT_EQ(layer.forward(viewOf(query), shorter, shorter, {}).output,
            layer.forward(viewOf(query), viewOf(key), viewOf(key), {}).output);
}

TEST(MultiHeadAttention, GivesNothingForNoQueries) {
  // Several panels of features and blocks of them: offsets to a null pointer are undefined.
  MultiHeadAttention layer(plain(72, 2));
  const Tensor keys = randomTensor({2, 5, 72}, 1);
  for (const Shape& shape : {Shape{2, 0, 72}, Shape{0, 3, 72}}) {
    const Tensor empty = mha::allocate(shape);
    const Tensor& key = shape[0] == 0 ? empty : keys;
    EXPECT_EQ(Shape(layer.forward(viewOf(empty), viewOf(key), viewOf(key), {}).output.shape()), shape);
  }
}

TEST(MultiHeadAttention, NamesTheWrongArgumentAndStaysUsable) {
  MultiHeadAttention layer(plain(8, 2));
  const Tensor x = randomTensor({2, 5, 8}, 1);
  const Tensor before = layer.forward(viewOf(x), viewOf(x), viewOf(x), {}).output;
  const Tensor narrow = randomTensor({2, 5, 7}, 2);
  const Tensor single = randomTensor({5, 8}, 3);
  const Tensor longer = randomTensor({2, 6, 8}, 4);
  const Tensor more = randomTensor({3, 5, 8}, 5);
  const Tensor deep = randomTensor({1, 2, 5, 8}, 6);
  const std::vector<std::uint8_t> bytes(60, 1);

  expectError("`query` must have last dimension 8 (embedDim), got shape (2, 5, 7)",
              [&] { layer.forward(viewOf(narrow), viewOf(x), viewOf(x), {}); });
  expectError("`key` must have last dimension 8 (kdim), got shape (2, 5, 7)",
              [&] { layer.forward(viewOf(x), viewOf(narrow), viewOf(x), {}); });
  expectError("`query` must be (L, E) or (B, L, E), got shape (1, 2, 5, 8)",
              [&] { layer.forward(viewOf(deep), viewOf(x), viewOf(x), {}); });
  expectError("`key` must have as many dimensions as `query`, got shape (5, 8)",
              [&] { layer.forward(viewOf(x), viewOf(single), viewOf(x), {}); });
  expectError("`key` must have the batch size 2 of `query`, got shape (3, 5, 8)",
              [&] { layer.forward(viewOf(x), viewOf(more), viewOf(more), {}); });
  expectError("`value` must have the length 5 of `key`, got shape (2, 6, 8)",
              [&] { layer.forward(viewOf(x), viewOf(x), viewOf(longer), {}); });
  expectError("`attnMask` must broadcast to (2, 5, 5), got shape (2, 5, 6)", [&] {
    layer.forward(viewOf(x), viewOf(x), viewOf(x), {.attnMask = viewOf(bytes.data(), Shape{2, 5, 6})});
  });
  expectError("`keyPaddingMask` must have shape (2, 5), got shape (2, 6)", [&] {
    layer.forward(viewOf(x), viewOf(x), viewOf(x), {.keyPaddingMask = viewOf(bytes.data(), Shape{2, 6})});
  });
  mha::StateDict dict = layer.stateDict();
  dict["in_proj_bias"] = randomTensor({23}, 7);
  expectError("`in_proj_bias` must have shape (24,), got shape (23,)",
              [&] { layer.loadStateDict(viewsOf(dict)); });
  dict.erase("in_proj_bias");
  expectError(
      "`dict` must hold in_proj_bias, in_proj_weight, out_proj.bias, out_proj.weight; in_proj_bias is "
      "missing",
      [&] { layer.loadStateDict(viewsOf(dict)); });
  expectError("`numHeads` must be at least 1, got 0", [] {
    MultiHeadAttentionConfig config = plain(8, 2);
    config.numHeads = 0;
    MultiHeadAttention{config};
  });
  expectError("`numKvHeads` must divide numHeads (2), got 3", [] {
    MultiHeadAttentionConfig config = plain(8, 2);
    config.numKvHeads = 3;
    MultiHeadAttention{config};
  });

  EXPECT_EQ(layer.forward(viewOf(x), viewOf(x), viewOf(x), {}).output, before);
}

}  // namespace multi_head_attention_test
