#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "built_model.hpp"
#include "models/row_parts.hpp"
#include "models/transformer.hpp"
#include "models/value_norms.hpp"
#include "random_tensor.hpp"
#include "wrong_argument.hpp"

namespace models_effects_test {

using mha::Tensor;
using mha::viewOf;
using mha::test::Built;
using mha::test::randomTensor;
using mha::test::smallConfig;
using namespace mha::models;

/// Every place for norms, and what else stands in a layer.
std::vector<TransformerConfig> configs() {
  std::vector<TransformerConfig> all;
  for (const auto placement :
       {NormPlacement::before, NormPlacement::after, NormPlacement::both, NormPlacement::outputs}) {
    for (const auto kind : {NormKind::layer, NormKind::rms}) {
      all.push_back(smallConfig());
      all.back().placement = placement;
      all.back().norm = {.kind = kind, .epsilon = 1e-5F};
    }
  }
  all.push_back(smallConfig());
  all.back().parallel = true;
  all.push_back(smallConfig());
  all.back().layerScale = true;
  all.back().kvHeads = 2;
  all.push_back(smallConfig());
  all.back().memoryWidth = 5;
  return all;
}

TEST(ModelsEffects, PartsAddUpToTheRow) {
  for (const TransformerConfig& config : configs()) {
    Built built(config);
    const Tensor hidden = randomTensor({2, 5, config.width}, 7);
    const Tensor memory = randomTensor({2, 3, 5}, 8);
    const std::size_t traced = 8;
    TransformerInput input{.hidden = viewOf(hidden), .traced = traced};
    if (config.memoryWidth) input.memory.emplace(viewOf(memory));
    TransformerOutput output = built.model.forward(input);
    ASSERT_TRUE(output.parts);
    const std::size_t heads = config.heads * (config.memoryWidth ? 2 : 1);
    ASSERT_EQ(output.parts->count(), 2 + config.layers.size() * (heads + 1));
    for (std::size_t j = 0; j < config.width; ++j) {
      double sum = 0.0;
      for (std::size_t part = 0; part < output.parts->count(); ++part) sum += output.parts->at(part)[j];
      EXPECT_NEAR(sum, output.last.data()[traced * config.width + j], 2e-5);
    }
  }
}

TEST(ModelsEffects, AHeadsPartIsWhatIsMissingWithoutIt) {
  // Side by side the feed-forward network of the last layer does not see its heads.
  TransformerConfig config = smallConfig();
  config.parallel = true;
  Built built(config);
  const Tensor hidden = randomTensor({1, 5, config.width}, 7);
  const std::size_t traced = 3;
  const std::size_t last = config.layers.size() - 1;
  TransformerOutput whole = built.model.forward({.hidden = viewOf(hidden), .traced = traced});
  for (std::size_t head = 0; head < config.heads; ++head) {
    std::vector<float> headMask(config.layers.size() * config.heads, 1.0F);
    headMask[last * config.heads + head] = 0.0F;
    const Tensor without = built.model.forward({.hidden = viewOf(hidden), .headMask = headMask}).last;
    const float* part = whole.parts->at(1 + last * (config.heads + 1) + head);
    for (std::size_t j = 0; j < config.width; ++j) {
      const std::size_t place = traced * config.width + j;
      EXPECT_NEAR(part[j], whole.last.data()[place] - without.data()[place], 1e-5);
    }
  }
}

TEST(ModelsEffects, MapsOfRowsKeepTheSum) {
  RowMap map(6);
  map.addLinear(8, WeightStorage::float32);
  map.addScale(0.5F);
  map.addActivation(mha::ActivationFunction::gelu);
  map.addNorm({.kind = NormKind::layer, .epsilon = 1e-5F});
  map.addLinear(11, WeightStorage::float32);
  map.addSoftcap(2.0F);
  Parameters parameters;
  map.nameParameters("head", parameters);
  std::uint64_t seed = 5;
  for (const auto& [name, shape] : parameters.shapes()) {
    const Tensor tensor = randomTensor(shape, seed++);
    parameters.write(name, {.bytes = reinterpret_cast<const std::uint8_t*>(tensor.data()),
                            .rows = shape.size() == 1 ? 1 : shape[0],
                            .columns = shape.back()});
  }
  const Tensor values = randomTensor({4, 6}, 3);
  RowParts parts(4, 6);
  std::vector<float> row(6);
  for (std::size_t i = 0; i < values.size(); ++i) {
    parts.at(0)[i] = values.data()[i];
    row[i % 6] += values.data()[i];
  }
  RowParts two = parts;
  parts.apply(map, {});
  const std::vector<std::size_t> columns{9, 2};
  two.apply(map, columns);
  const float* y = map.apply(1, row.data());
  ASSERT_EQ(parts.width(), 11);
  ASSERT_EQ(two.width(), 2);
  for (std::size_t j = 0; j < parts.width(); ++j) {
    double sum = 0.0;
    for (std::size_t part = 0; part < parts.count(); ++part) sum += parts.at(part)[j];
    EXPECT_NEAR(sum, y[j], 1e-5);
  }
  for (std::size_t part = 0; part < two.count(); ++part) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      EXPECT_NEAR(two.at(part)[c], parts.at(part)[columns[c]], 1e-5);
    }
  }
  const std::vector<std::size_t> outside{11};
  EXPECT_THROW(RowParts(4, 6).apply(map, outside), mha::WrongArgument);
}

TEST(ModelsEffects, TakesTheContextOfTheFirstLayer) {
  for (const TransformerConfig& config : configs()) {
    if (config.memoryWidth) continue;
    Built built(config);
    const Tensor one = randomTensor({1, 5, config.width}, 7);
    const Tensor other = randomTensor({1, 5, config.width}, 9);
    const TransformerOutput clean = built.model.forward({.hidden = viewOf(one), .contexts = true});
    const TransformerOutput changed =
        built.model.forward({.hidden = viewOf(other), .hiddenStates = true, .contexts = true});
    const std::size_t dim = config.headDim;
    const std::size_t width = config.heads * dim;
    for (std::size_t layer = 0; layer < config.layers.size(); ++layer) {
      // Its own context changes nothing.
      std::vector<float> mixed(changed.contexts[layer].data(),
                               changed.contexts[layer].data() + changed.contexts[layer].size());
      const auto lastWith = [&](const std::vector<float>& context) {
        const Tensor& entering = changed.hiddenStates[layer];
        return built.model.forward({.hidden = viewOf(entering), .firstLayer = layer, .context = context})
            .last;
      };
      const Tensor same = lastWith(mixed);
      for (std::size_t i = 0; i < same.size(); ++i) {
        EXPECT_EQ(same.data()[i], changed.last.data()[i]);
      }
      const std::size_t head = 2;
      for (std::size_t i = 0; i < 5; ++i) {
        for (std::size_t p = 0; p < dim; ++p) {
          mixed[i * width + head * dim + p] = clean.contexts[layer].data()[i * width + head * dim + p];
        }
      }
      const Tensor patched = lastWith(mixed);
      // A row alone has the same numbers.
      const Tensor& entering = changed.hiddenStates[layer];
      const Tensor row =
          built.model
              .forward({.hidden = viewOf(entering), .firstLayer = layer, .context = mixed, .onlyRow = 3})
              .last;
      ASSERT_EQ(row.shape(), (mha::Shape{1, 1, config.width}));
      for (std::size_t i = 0; i < row.size(); ++i) {
        EXPECT_EQ(row.data()[i], patched.data()[3 * config.width + i]);
      }
      double moved = 0.0;
      for (std::size_t i = 0; i < patched.size(); ++i) {
        moved = std::max(moved, std::abs(static_cast<double>(patched.data()[i]) - same.data()[i]));
      }
      EXPECT_GT(moved, 1e-3);
    }
  }
}

TEST(ModelsEffects, RefusesInspectionsThatDoNotFit) {
  const TransformerConfig config = smallConfig();
  Built built(config);
  const Tensor hidden = randomTensor({1, 5, config.width}, 7);
  const std::vector<float> context(5 * config.heads * config.headDim);
  const std::vector<float> shorter(context.size() - 1);
  const std::vector<std::uint8_t> wanted{1, 0};
  const auto view = viewOf(hidden);
  EXPECT_THROW(built.model.forward({.hidden = view, .traced = 5}), mha::WrongArgument);
  EXPECT_THROW(built.model.forward({.hidden = view, .firstLayer = 2}), mha::WrongArgument);
  EXPECT_THROW(built.model.forward({.hidden = view, .context = shorter}), mha::WrongArgument);
  EXPECT_THROW(built.model.forward({.hidden = view, .onlyRow = 5}), mha::WrongArgument);
  EXPECT_THROW(built.model.forward({.hidden = view, .contexts = true, .onlyRow = 1}), mha::WrongArgument);
  EXPECT_THROW(built.model.forward({.hidden = view, .attentions = wanted, .context = context}),
               mha::WrongArgument);
}

TEST(ValueNorms, AreThoseOfWhatEachHeadTakes) {
  const mha::AttentionSizes sizes{
      .batch = 2, .heads = 4, .kvHeads = 2, .queries = 1, .keys = 5, .headDim = 3, .valueHeadDim = 3};
  const std::size_t out = 7;
  const Tensor values = randomTensor({sizes.batch, sizes.kvHeads, sizes.keys, sizes.valueHeadDim}, 1);
  const Tensor projection = randomTensor({out, sizes.heads * sizes.valueHeadDim}, 2);
  const std::vector<float> weight(projection.data(), projection.data() + projection.size());
  std::vector<float> norms(sizes.batch * sizes.heads * sizes.keys);
  ValueNorms valueNorms;
  valueNorms(sizes, mha::wholeHeads(values.data(), sizes.keys, sizes.kvHeads, sizes.valueHeadDim), weight,
             norms.data());
  for (std::size_t b = 0; b < sizes.batch; ++b) {
    for (std::size_t h = 0; h < sizes.heads; ++h) {
      for (std::size_t j = 0; j < sizes.keys; ++j) {
        double squares = 0.0;
        for (std::size_t e = 0; e < out; ++e) {
          double sum = 0.0;
          for (std::size_t p = 0; p < 3; ++p) sum += values(b, h / 2, j, p) * projection(e, h * 3 + p);
          squares += sum * sum;
        }
        EXPECT_NEAR(norms[(b * sizes.heads + h) * sizes.keys + j], std::sqrt(squares), 1e-5);
      }
    }
  }
}

}  // namespace models_effects_test
