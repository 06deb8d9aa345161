#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <tuple>
#include <vector>

#include "built_model.hpp"
#include "models/transformer.hpp"
#include "models_reference.hpp"
#include "random_tensor.hpp"
#include "wrong_argument.hpp"

namespace models_transformer_test {

using mha::ActivationFunction;
using mha::Shape;
using mha::Tensor;
using mha::viewOf;
using mha::test::Built;
using mha::test::Matrix;
using mha::test::randomTensor;
using mha::test::smallConfig;
using mha::test::TransformerReference;
using namespace mha::models;

/// Compares a batch, of which `real` (B·L) masks keys and `headMask` (layers·H) heads, with the reference;
/// `positions` (B·L) are those of rotary embeddings.
void expectAsReference(const TransformerConfig& config, std::size_t batch, std::size_t length,
                       const std::vector<std::uint8_t>& real = {}, const std::vector<float>& headMask = {},
                       const std::vector<std::size_t>& positions = {}) {
  Built built(config);
  const Tensor hidden = randomTensor({batch, length, config.width}, 99);
  const std::vector<std::uint8_t> all(config.layers.size(), 1);
  TransformerInput input{
      .hidden = viewOf(hidden), .attentions = all, .headMask = headMask, .positions = positions};
  const Shape maskShape{batch, length};
  if (!real.empty()) input.mask.emplace(viewOf(real.data(), maskShape));
  const TransformerOutput output = built.model.forward(input);
  const TransformerReference reference(config, built.values);
  for (std::size_t b = 0; b < batch; ++b) {
    Matrix h(length, config.width);
    std::copy_n(hidden.data() + b * h.values.size(), h.values.size(), h.values.begin());
    const auto own = [&]<class T>(const std::vector<T>& all) {
      if (all.empty()) return all;
      const auto first = all.begin() + static_cast<std::ptrdiff_t>(b * length);
      return std::vector<T>(first, first + static_cast<std::ptrdiff_t>(length));
    };
    const auto expected = reference.run(h, own(real), headMask, own(positions));
    for (std::size_t i = 0; i < h.values.size(); ++i) {
      EXPECT_NEAR(output.last.data()[b * h.values.size() + i], expected.hidden.values[i], 2e-5);
    }
    for (std::size_t layer = 0; layer < config.layers.size(); ++layer) {
      const float* weights = output.attentions[layer].data() + b * config.heads * length * length;
      for (std::size_t head = 0; head < config.heads; ++head) {
        for (const double weight : expected.weights[layer][head].values)
          EXPECT_NEAR(*weights++, weight, 5e-6);
      }
    }
  }
}

TEST(ModelsTransformer, EqualsTheReferenceWithNormsBeforeAfterAndOnBothSides) {
  for (const NormPlacement placement :
       {NormPlacement::before, NormPlacement::after, NormPlacement::both, NormPlacement::outputs}) {
    for (const NormKind kind : {NormKind::layer, NormKind::rms}) {
      TransformerConfig config = smallConfig();
      config.placement = placement;
      config.norm = {.kind = kind, .epsilon = 1e-3F, .offset = kind == NormKind::rms ? 1.0F : 0.0F};
      expectAsReference(config, 1, 5);
    }
  }
}

TEST(ModelsTransformer, EqualsTheReferenceWithEveryActivationPlainAndGated) {
  for (const ActivationFunction activation :
       {ActivationFunction::relu, ActivationFunction::gelu, ActivationFunction::geluTanh,
        ActivationFunction::silu, ActivationFunction::tanh, ActivationFunction::quickGelu,
        ActivationFunction::identity}) {
    for (const bool gated : {false, true}) {
      TransformerConfig config = smallConfig();
      config.activation = activation;
      config.gated = gated;
      expectAsReference(config, 1, 3);
    }
  }
}

TransformerConfig llamaLike() {
  TransformerConfig config = smallConfig();
  config.kvHeads = 2;
  config.headDim = 4;
  config.gated = true;
  config.activation = ActivationFunction::silu;
  config.norm = {.kind = NormKind::rms, .epsilon = 1e-6F};
  config.headNorm = NormRules{.kind = NormKind::rms, .epsilon = 1e-6F};
  config.causal = true;
  config.rotaries = {{1.0F, 0.01F}, {0.7F, 0.2F}};
  config.layers = {{.scale = 0.5F, .rotary = 0, .block = 0},
                   {.scale = 0.5F, .window = mha::Window{.left = 2, .right = 0}, .rotary = 1, .block = 1}};
  return config;
}

TEST(ModelsTransformer, EqualsTheReferenceWithGroupedHeadsRotariesWindowsAndHeadNorms) {
  expectAsReference(llamaLike(), 2, 7);
}

TEST(ModelsTransformer, EqualsTheReferenceWithWindowsOnBothSides) {
  TransformerConfig config = llamaLike();
  config.causal = false;
  config.layers[1].window = mha::Window{.left = 2, .right = 2};
  expectAsReference(config, 2, 7);
}

TEST(ModelsRowMap, CapsWhatALinearMapGives) {
  mha::models::RowMap map(2);
  map.addLinear(3, mha::models::WeightStorage::float32);
  map.addSoftcap(0.7F);
  Parameters parameters;
  map.nameParameters("head", parameters);
  const std::vector<float> weight{1.0F, 0.0F, 0.0F, -2.0F, 3.0F, 3.0F};
  parameters.write("head.0.weight",
                   {.bytes = reinterpret_cast<const std::uint8_t*>(weight.data()), .rows = 3, .columns = 2});
  const std::vector<float> x{0.25F, 1.0F, -4.0F, 0.0F};
  const float* y = map.apply(2, x.data());
  const std::vector<double> uncapped{0.25, -2.0, 3.75, -4.0, 0.0, -12.0};
  for (std::size_t i = 0; i < uncapped.size(); ++i) {
    EXPECT_NEAR(y[i], 0.7 * std::tanh(uncapped[i] / 0.7), 1e-6);
  }
}

TEST(ModelsTransformer, EqualsTheReferenceWithSoftCapAndLayerScale) {
  TransformerConfig config = smallConfig();
  config.softcap = 1.5F;
  config.layerScale = true;
  expectAsReference(config, 1, 4);
}

TEST(ModelsTransformer, EqualsTheReferenceWhereLayersShareABlock) {
  TransformerConfig config = smallConfig();
  config.blocks = 1;
  for (LayerRules& layer : config.layers) layer.block = 0;
  expectAsReference(config, 1, 4);
}

TEST(ModelsTransformer, MasksPaddingOfEverySequence) {
  expectAsReference(smallConfig(), 2, 4, {1, 1, 1, 1, 1, 1, 0, 0});
}

TEST(ModelsTransformer, TurnsByThePositionsOfEverySequence) {
  expectAsReference(llamaLike(), 2, 5, {0, 0, 1, 1, 1, 1, 1, 1, 1, 1}, {}, {1, 1, 0, 1, 2, 7, 3, 3, 9, 0});
}

TEST(ModelsTransformer, ScalesTheHeadsOfEachLayerAlsoOfSharedBlocksAndGivesTheWeightsAsTheyWere) {
  TransformerConfig shared = smallConfig();
  shared.blocks = 1;
  for (LayerRules& layer : shared.layers) layer.block = 0;
  for (const TransformerConfig& config : {smallConfig(), llamaLike(), shared}) {
    expectAsReference(config, 2, 5, {}, {1.0F, 0.0F, 0.5F, -2.0F, 0.0F, 1.0F, 1.0F, 3.0F});
    expectAsReference(config, 1, 3, {}, {1.0F, 1.0F, 1.0F, 1.0F, 0.0F, 0.0F, 0.0F, 0.0F});
  }
}

TEST(ModelsTransformer, EqualsTheReferenceWithAttentionAndFeedForwardSideBySide) {
  TransformerConfig config = llamaLike();
  config.parallel = true;
  config.rotaries = {{1.0F}, {0.7F}};  // of half of each head
  expectAsReference(config, 2, 6);
}

TEST(ModelsTransformer, EqualsTheReferenceWithNormsOfAllHeadsAndALayerThatNormsNoInput) {
  TransformerConfig config = llamaLike();
  config.headNormSpansHeads = true;
  config.layers[0].normsInput = false;
  expectAsReference(config, 2, 6);
}

TEST(ModelsTransformer, AddsToScoresByDistance) {
  TransformerConfig config = smallConfig();
  config.relative = RelativeRules{.rows = {4, 3, 2, 0, 1, 1, 2}, .count = 5, .isBias = true};
  for (const bool causal : {false, true}) {
    config.causal = causal;
    expectAsReference(config, 2, 6, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0});
  }
}

TEST(ModelsTransformer, MultipliesVectorsOfDistancesWithQueriesAndKeys) {
  for (const bool isNormed : {false, true}) {
    TransformerConfig config = smallConfig();
    config.placement = NormPlacement::after;
    config.relative = RelativeRules{.rows = {7, 6, 5, 4, 3, 2, 1}, .count = 8, .isBias = false};
    if (isNormed) config.relative->norm = config.norm;
    expectAsReference(config, 1, 3);
    expectAsReference(config, 2, 6);
    expectAsReference(config, 2, 6, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0});
    config.kvHeads = 2;
    expectAsReference(config, 1, 5);
  }
}

TEST(ModelsTransformer, RefusesRowsOfDistancesThatItsTableDoesNotHave) {
  TransformerConfig config = smallConfig();
  config.relative = RelativeRules{.rows = {0, 1}, .count = 2, .isBias = true};
  EXPECT_THROW(Built{config}, mha::WrongArgument);
  config.relative->rows = {0, 1, 2};
  EXPECT_THROW(Built{config}, mha::WrongArgument);
}

TransformerConfig decoderLike() {
  TransformerConfig config = llamaLike();
  config.headNorm = {};
  config.memoryWidth = 10;
  return config;
}

/// A memory (2,S,10), of which the second item has one row that is no real token.
struct TwoMemories {
  static constexpr std::size_t kRows = 4;
  Tensor rows = randomTensor({2, kRows, 10}, 17);
  std::vector<std::uint8_t> real{1, 1, 1, 1, 1, 1, 1, 0};
  Shape maskShape{2, kRows};

  void give(TransformerInput& input) const {
    input.memory = viewOf(rows);
    input.memoryMask.emplace(viewOf(real.data(), maskShape));
  }

  [[nodiscard]] TransformerReference::Memory of(std::size_t b) const {
    TransformerReference::Memory memory{Matrix(kRows, 10), {}};
    std::copy_n(rows.data() + b * kRows * 10, kRows * 10, memory.rows.values.begin());
    memory.real.assign(real.data() + b * kRows, real.data() + (b + 1) * kRows);
    return memory;
  }
};

TEST(ModelsTransformer, AttendsToAMemory) {
  for (const NormPlacement placement : {NormPlacement::before, NormPlacement::after}) {
    TransformerConfig config = decoderLike();
    config.placement = placement;
    Built built(config);
    constexpr std::size_t kLength = 3;
    const Tensor hidden = randomTensor({2, kLength, config.width}, 99);
    const TwoMemories memories;
    const std::vector<std::uint8_t> all(config.layers.size(), 1);
    TransformerInput input{.hidden = viewOf(hidden), .attentions = all, .crossAttentions = all};
    memories.give(input);
    const TransformerOutput output = built.model.forward(input);
    const TransformerReference reference(config, built.values);
    for (std::size_t b = 0; b < 2; ++b) {
      Matrix h(kLength, config.width);
      std::copy_n(hidden.data() + b * h.values.size(), h.values.size(), h.values.begin());
      const TransformerReference::Memory memory = memories.of(b);
      const auto expected = reference.run(h, {}, {}, {}, &memory);
      for (std::size_t i = 0; i < h.values.size(); ++i) {
        EXPECT_NEAR(output.last.data()[b * h.values.size() + i], expected.hidden.values[i], 2e-5);
      }
      for (std::size_t layer = 0; layer < config.layers.size(); ++layer) {
        const float* weights =
            output.crossAttentions[layer].data() + b * config.heads * kLength * TwoMemories::kRows;
        for (const Matrix& head : expected.crossWeights[layer]) {
          for (const double weight : head.values) EXPECT_NEAR(*weights++, weight, 5e-6);
        }
      }
    }
  }
}

/// The rows of one token of all items of (B,L,E).
Tensor tokenOf(const Tensor& hidden, std::size_t token) {
  const auto [batch, length, width] = std::tuple(hidden.shape(0), hidden.shape(1), hidden.shape(2));
  Tensor one = mha::allocate({batch, 1, width});
  for (std::size_t b = 0; b < batch; ++b) {
    std::copy_n(hidden.data() + (b * length + token) * width, width, one.data() + b * width);
  }
  return one;
}

TEST(ModelsTransformer, KeepsAMemoryInItsCache) {
  const TransformerConfig config = decoderLike();
  Built built(config);
  constexpr std::size_t kLength = 3;
  const Tensor hidden = randomTensor({2, kLength, config.width}, 5);
  const TwoMemories memories;
  TransformerInput input{.hidden = viewOf(hidden)};
  memories.give(input);
  const TransformerOutput whole = built.model.forward(input);
  TransformerCache cache;
  for (std::size_t i = 0; i < kLength; ++i) {
    const Tensor one = tokenOf(hidden, i);
    TransformerInput step{.hidden = viewOf(one), .cache = &cache};
    if (i == 0) memories.give(step);
    const TransformerOutput piece = built.model.forward(step);
    for (std::size_t b = 0; b < 2; ++b) {
      for (std::size_t j = 0; j < config.width; ++j) {
        EXPECT_NEAR(piece.last.data()[b * config.width + j],
                    whole.last.data()[(b * kLength + i) * config.width + j], 1e-5);
      }
    }
  }
}

TEST(ModelsTransformer, TakesUpBeams) {
  // Both items become the second, and go on as it does.
  const TransformerConfig config = llamaLike();
  Built built(config);
  const Tensor hidden = randomTensor({2, 2, config.width}, 5);
  const auto goOn = [&](const std::vector<std::size_t>& from) {
    TransformerCache cache;
    (void)built.model.forward({.hidden = viewOf(hidden), .cache = &cache});
    cache.select(from);
    Tensor next = randomTensor({1, 1, config.width}, 6);
    Tensor both = mha::allocate({2, 1, config.width});
    for (std::size_t b = 0; b < 2; ++b) {
      std::copy_n(next.data(), config.width, both.data() + b * config.width);
    }
    const Tensor last = built.model.forward({.hidden = viewOf(both), .cache = &cache}).last;
    return std::vector<float>(last.begin(), last.end());
  };
  const std::vector<float> apart = goOn({0, 1});
  const std::vector<float> same = goOn({1, 1});
  const auto middle = static_cast<std::ptrdiff_t>(config.width);
  const std::vector<float> second(apart.begin() + middle, apart.end());
  EXPECT_EQ(std::vector<float>(same.begin(), same.begin() + middle), second);
  EXPECT_EQ(std::vector<float>(same.begin() + middle, same.end()), second);
  EXPECT_THROW(goOn({0}), mha::WrongArgument);
  EXPECT_THROW(goOn({0, 2}), mha::WrongArgument);
}

TEST(ModelsTransformer, RefusesMemoriesThatDoNotFit) {
  Built built(decoderLike());
  const Tensor hidden = randomTensor({2, 1, 12}, 5);
  TransformerCache cache;
  TransformerInput input{.hidden = viewOf(hidden), .cache = &cache};
  EXPECT_THROW(built.model.forward(input), mha::WrongArgument);
  const Tensor narrow = randomTensor({2, 3, 9}, 5);
  input.memory = viewOf(narrow);
  EXPECT_THROW(built.model.forward(input), mha::WrongArgument);
  const Tensor rows = randomTensor({2, 3, 10}, 5);
  input.memory = viewOf(rows);
  const std::vector<std::uint8_t> real(4, 1);
  const Shape shape{2, 2};
  input.memoryMask.emplace(viewOf(real.data(), shape));
  EXPECT_THROW(built.model.forward(input), mha::WrongArgument);
  input.memoryMask.reset();
  (void)built.model.forward(input);
  const Tensor single = randomTensor({1, 1, 12}, 5);
  cache.truncate(0);
  EXPECT_THROW(built.model.forward({.hidden = viewOf(single), .cache = &cache}), mha::WrongArgument);
  Built plain(smallConfig());
  TransformerInput other{.hidden = viewOf(hidden)};
  other.memory = viewOf(rows);
  EXPECT_THROW(plain.model.forward(other), mha::WrongArgument);
}

TEST(ModelsTransformer, GivesTheSameInPiecesWithACache) {
  for (const std::size_t batch : {1U, 2U}) {
    const TransformerConfig config = llamaLike();
    Built built(config);
    constexpr std::size_t kLength = 6;
    const Tensor hidden = randomTensor({batch, kLength, config.width}, 5);
    const TransformerOutput whole = built.model.forward({.hidden = viewOf(hidden)});
    TransformerCache cache;
    for (std::size_t i = 0; i < kLength; ++i) {
      Tensor one = mha::allocate({batch, 1, config.width});
      for (std::size_t b = 0; b < batch; ++b) {
        std::copy_n(hidden.data() + (b * kLength + i) * config.width, config.width,
                    one.data() + b * config.width);
      }
      const TransformerOutput piece = built.model.forward({.hidden = viewOf(one), .cache = &cache});
      for (std::size_t b = 0; b < batch; ++b) {
        for (std::size_t j = 0; j < config.width; ++j) {
          EXPECT_NEAR(piece.last.data()[b * config.width + j],
                      whole.last.data()[(b * kLength + i) * config.width + j], 1e-5);
        }
      }
    }
    EXPECT_EQ(cache.length(), kLength);
  }
}

TEST(ModelsTransformer, GivesHiddenStatesAndLayerInputsOnlyWhenAskedFor) {
  Built built(smallConfig());
  const Tensor hidden = randomTensor({1, 3, 12}, 5);
  EXPECT_TRUE(built.model.forward({.hidden = viewOf(hidden)}).hiddenStates.empty());
  const TransformerOutput output =
      built.model.forward({.hidden = viewOf(hidden), .hiddenStates = true, .layerInputs = true});
  ASSERT_EQ(output.hiddenStates.size(), 3);
  EXPECT_EQ(output.hiddenStates.front(), hidden);
  EXPECT_EQ(output.hiddenStates.back(), output.last);
  EXPECT_EQ(output.layerInputs.size(), 2);
  for (const Tensor& weights : output.attentions) EXPECT_EQ(weights.dimension(), 0);
}

TEST(ModelsTransformer, RefusesShapesThatDoNotFit) {
  Built built(smallConfig());
  const Tensor narrow = randomTensor({1, 3, 11}, 5);
  EXPECT_THROW(built.model.forward({.hidden = viewOf(narrow)}), mha::WrongArgument);
  const Tensor hidden = randomTensor({1, 3, 12}, 5);
  const std::vector<std::uint8_t> real(2, 1);
  const Shape shape{1, 2};
  TransformerInput input{.hidden = viewOf(hidden)};
  input.mask.emplace(viewOf(real.data(), shape));
  EXPECT_THROW(built.model.forward(input), mha::WrongArgument);
  const std::vector<float> factors(7, 1.0F);
  EXPECT_THROW(built.model.forward({.hidden = viewOf(hidden), .headMask = factors}), mha::WrongArgument);
  const std::vector<std::size_t> positions(2);
  EXPECT_THROW(built.model.forward({.hidden = viewOf(hidden), .positions = positions}), mha::WrongArgument);
}

TEST(ModelsParameters, ReadsHalvesAndBrainFloatsExactly) {
  // 1, −2, the smallest subnormal, the largest half, infinity.
  const std::vector<std::uint16_t> halves{0x3C00, 0xC000, 0x0001, 0x7BFF, 0x7C00};
  std::vector<float> values(halves.size());
  widen(ElementType::f16, reinterpret_cast<const std::uint8_t*>(halves.data()), halves.size(), values.data());
  EXPECT_EQ(values,
            (std::vector<float>{1.0F, -2.0F, 0x1p-24F, 65504.0F, std::numeric_limits<float>::infinity()}));
  const std::vector<std::uint16_t> brains{0x3F80, 0xC040};
  widen(ElementType::bf16, reinterpret_cast<const std::uint8_t*>(brains.data()), 2, values.data());
  EXPECT_EQ(values[0], 1.0F);
  EXPECT_EQ(values[1], -3.0F);
}

TEST(ModelsParameters, WritesPartsOfTransposedMatrices) {
  // GPT-2's c_attn holds query, key and value side by side as (in, 3·out).
  LinearMap linear(2, 3, WeightStorage::float32);
  Parameters parameters;
  parameters.addLinear("value", linear);
  std::vector<float> fused(18);  // (2,9)
  for (std::size_t i = 0; i < fused.size(); ++i) fused[i] = static_cast<float>(i);
  parameters.write("value.weight", {.bytes = reinterpret_cast<const std::uint8_t*>(fused.data()),
                                    .rows = 2,
                                    .columns = 9,
                                    .firstColumn = 6,
                                    .transposed = true});
  const Tensor weight = parameters.read("value.weight");  // (3,2)
  EXPECT_EQ(std::vector<float>(weight.begin(), weight.end()), (std::vector<float>{6, 15, 7, 16, 8, 17}));
}

TEST(ModelsParameters, WritesRowsOfAMatrix) {
  std::vector<float> matrix(6);
  Parameters parameters;
  parameters.addMatrix("table", matrix, 2);
  const std::vector<float> rows{1, 2, 3, 4};
  parameters.write(
      "table",
      {.bytes = reinterpret_cast<const std::uint8_t*>(rows.data()), .rows = 2, .columns = 2, .firstRow = 1});
  EXPECT_EQ(matrix, (std::vector<float>{0, 0, 1, 2, 3, 4}));
  EXPECT_EQ(parameters.shapes().at("table"), (Shape{3, 2}));
}

TEST(ModelsParameters, RefusesUnknownNamesAndPiecesThatDoNotFit) {
  LinearMap linear(2, 3, WeightStorage::float32);
  Parameters parameters;
  parameters.addLinear("map", linear);
  const std::vector<float> row(2);
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(row.data());
  EXPECT_THROW(parameters.write("nothing", {.bytes = bytes, .columns = 2}), mha::WrongArgument);
  EXPECT_THROW(parameters.write("map.weight", {.bytes = bytes, .columns = 2, .firstRow = 3}),
               mha::WrongArgument);
  EXPECT_THROW(parameters.write("map.weight", {.bytes = bytes, .columns = 1}), mha::WrongArgument);
}

}  // namespace models_transformer_test
