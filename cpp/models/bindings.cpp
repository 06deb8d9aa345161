/// The Embind table of the binary that computes pretrained transformers. No logic. web/wasm/models.d.ts
/// describes it to TypeScript.

#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "embind.hpp"
#include "models/transformer.hpp"

namespace {

using emscripten::val;
using mha::embind::block;
using mha::embind::enumeratorOf;
using mha::embind::guarded;
using mha::embind::Incoming;
using mha::embind::typedArray;
using namespace mha::models;

std::size_t sizeIn(const val& object, const char* name) { return object[name].as<std::size_t>(); }

mha::ActivationFunction activationFrom(const val& name) {
  return enumeratorOf<mha::ActivationFunction>("activation", name,
                                               {"relu", "gelu", "gelu_tanh", "silu", "tanh", "quick_gelu"});
}

NormRules normFrom(const val& norm) {
  return {.kind = enumeratorOf<NormKind>("norm", norm["kind"], {"layer", "rms"}),
          .epsilon = norm["epsilon"].as<float>(),
          .offset = norm["offset"].as<float>()};
}

LayerRules layerFrom(const val& layer) {
  LayerRules rules{.scale = layer["scale"].as<float>(),
                   .block = sizeIn(layer, "block"),
                   .normsInput = layer["normsInput"].as<bool>()};
  if (!layer["window"].isNull()) {
    rules.window = {.left = sizeIn(layer, "window"), .right = sizeIn(layer, "window")};
  }
  if (!layer["rotary"].isNull()) rules.rotary = sizeIn(layer, "rotary");
  return rules;
}

RelativeRules relativeFrom(const val& relative) {
  RelativeRules rules{.rows = emscripten::vecFromJSArray<std::size_t>(relative["rows"]),
                      .count = sizeIn(relative, "count"),
                      .isBias = relative["isBias"].as<bool>()};
  if (!relative["norm"].isNull()) rules.norm = normFrom(relative["norm"]);
  return rules;
}

TransformerConfig configFrom(const val& config) {
  TransformerConfig result{
      .width = sizeIn(config, "width"),
      .heads = sizeIn(config, "heads"),
      .kvHeads = sizeIn(config, "kvHeads"),
      .headDim = sizeIn(config, "headDim"),
      .innerWidth = sizeIn(config, "innerWidth"),
      .gated = config["gated"].as<bool>(),
      .activation = activationFrom(config["activation"]),
      .norm = normFrom(config["norm"]),
      .placement = enumeratorOf<NormPlacement>("placement", config["placement"],
                                               {"before", "after", "both", "outputs"}),
      .parallel = config["parallel"].as<bool>(),
      .headNormSpansHeads = config["headNormSpansHeads"].as<bool>(),
      .layerScale = config["layerScale"].as<bool>(),
      .causal = config["causal"].as<bool>(),
      .softcap = config["softcap"].as<float>(),
      .storage = enumeratorOf<WeightStorage>("dtype", config["dtype"], {"auto", "float32", "int8"}),
      .blocks = sizeIn(config, "blocks")};
  if (!config["headNorm"].isNull()) result.headNorm = normFrom(config["headNorm"]);
  for (const val& layer : emscripten::vecFromJSArray<val>(config["layers"]))
    result.layers.push_back(layerFrom(layer));
  for (const val& angles : emscripten::vecFromJSArray<val>(config["rotaries"])) {
    result.rotaries.push_back(emscripten::vecFromJSArray<float>(angles));
  }
  if (!config["relative"].isNull()) result.relative = relativeFrom(config["relative"]);
  if (!config["memoryWidth"].isNull()) result.memoryWidth = sizeIn(config, "memoryWidth");
  return result;
}

/// A model: stacks of blocks, and maps of rows around them.
class Model {
 public:
  Model(const val& stacks, const val& maps) {
    WeightStorage storage = WeightStorage::automatic;
    for (const val& stack : emscripten::vecFromJSArray<val>(stacks)) {
      const TransformerConfig config = configFrom(stack);
      storage = config.storage;
      transformers_.push_back(std::make_unique<Transformer>(config));
      transformers_.back()->nameParameters(stack["prefix"].as<std::string>(), parameters_);
    }
    for (const val& map : emscripten::vecFromJSArray<val>(maps)) {
      const auto name = map["name"].as<std::string>();
      RowMap& rows = maps_.emplace(name, RowMap(sizeIn(map, "width"))).first->second;
      for (const val& stage : emscripten::vecFromJSArray<val>(map["stages"])) {
        if (!stage["linear"].isUndefined()) rows.addLinear(sizeIn(stage, "linear"), storage);
        if (!stage["scale"].isUndefined()) rows.addScale(stage["scale"].as<float>());
        if (!stage["activation"].isUndefined()) rows.addActivation(activationFrom(stage["activation"]));
        if (!stage["norm"].isUndefined()) rows.addNorm(normFrom(stage["norm"]));
        if (!stage["softcap"].isUndefined()) rows.addSoftcap(stage["softcap"].as<float>());
      }
      rows.nameParameters(name, parameters_);
    }
  }

  Transformer& transformer(std::size_t stack) { return *transformers_.at(stack); }
  Parameters& parameters() { return parameters_; }
  RowMap& map(const std::string& name) { return maps_.at(name); }

 private:
  std::vector<std::unique_ptr<Transformer>> transformers_;
  Parameters parameters_;
  std::map<std::string, RowMap> maps_;
};

Model* makeModel(const val& stacks, const val& maps) {
  return guarded([&] { return new Model(stacks, maps); });
}

val shapes(Model& model) {
  val object = val::object();
  for (const auto& [name, shape] : model.parameters().shapes()) {
    object.set(name, typedArray(shape.data(), shape.size()));
  }
  return object;
}

void write(Model& model, const std::string& name, const val& bytes, const val& piece) {
  guarded([&] {
    const auto size = bytes["length"].as<std::size_t>();
    std::vector<std::uint8_t> copy(size);
    val(emscripten::typed_memory_view(size, copy.data())).call<void>("set", bytes);
    const auto type = enumeratorOf<ElementType>("dtype", piece["dtype"], {"F32", "F16", "BF16", "I8"});
    const Piece part{.type = type,
                     .bytes = copy.data(),
                     .rows = sizeIn(piece, "rows"),
                     .columns = sizeIn(piece, "columns"),
                     .firstColumn = sizeIn(piece, "firstColumn"),
                     .firstRow = sizeIn(piece, "firstRow"),
                     .transposed = piece["transposed"].as<bool>()};
    if (mha::sizeOf({part.rows, part.columns, bytesOf(type)}) != size) {
      throw mha::WrongArgument(name, "come in whole rows");
    }
    model.parameters().write(name, part);
  });
}

val read(Model& model, const std::string& name) {
  return guarded([&] { return block(model.parameters().read(name)); });
}

val mapRows(Model& model, const std::string& name, const val& x) {
  return guarded([&] {
    const Incoming<float> rows(x);
    RowMap& map = model.map(name);
    const mha::TensorView view = rows.view();
    if (view.dimension() != 2 || view.shape(1) != map.inFeatures()) {
      mha::throwShape(name, "take (rows, " + std::to_string(map.inFeatures()) + ")",
                      mha::Shape(view.shape()));
    }
    const std::size_t count = view.shape(0);
    const float* y = map.apply(count, view.data());
    return typedArray(y, count * map.outFeatures());
  });
}

val mapParts(Model& model, const std::string& name, const val& rows, const val& columns) {
  return guarded([&] {
    const Incoming<float> incoming(rows);
    const mha::TensorView view = incoming.view();
    RowMap& map = model.map(name);
    if (view.dimension() != 2 || view.shape(1) != map.inFeatures()) {
      mha::throwShape(name, "take (parts, " + std::to_string(map.inFeatures()) + ")",
                      mha::Shape(view.shape()));
    }
    RowParts parts(view.shape(0), view.shape(1));
    std::copy_n(view.data(), view.size(), parts.at(0));
    parts.apply(map, emscripten::vecFromJSArray<std::size_t>(columns));
    return typedArray(parts.values().data(), parts.values().size());
  });
}

val weightRows(Model& model, const std::string& name, const val& indices) {
  return guarded([&] {
    const RowMap& map = model.map(name);
    const auto rows = emscripten::vecFromJSArray<std::size_t>(indices);
    const std::size_t width = map.lastInFeatures();
    std::vector<float> values(rows.size() * width);
    for (std::size_t i = 0; i < rows.size(); ++i) map.copyWeightRow(rows[i], values.data() + i * width);
    return typedArray(values.data(), values.size());
  });
}

val list(const std::vector<mha::Tensor>& tensors) {
  val array = val::array();
  for (const mha::Tensor& tensor : tensors) {
    array.call<void>("push", tensor.dimension() == 0 ? val::null() : block(tensor));
  }
  return array;
}

/// A mask (B,S) that may be null.
class MaskArgument {
 public:
  explicit MaskArgument(const val& mask) {
    if (!mask.isNull()) data_.emplace(mask);
  }

  [[nodiscard]] std::optional<mha::View<std::uint8_t>> view() const {
    return data_ ? std::optional(data_->view()) : std::nullopt;
  }

 private:
  std::optional<Incoming<std::uint8_t>> data_;
};

val forward(Model& model, std::size_t stack, const val& hidden, const val& mask, const val& attentions,
            const val& headMask, const val& positions, bool hiddenStates, bool layerInputs,
            TransformerCache* cache, const val& memory, const val& memoryMask, const val& crossAttentions,
            const val& inspection) {
  return guarded([&] {
    const Incoming<float> rows(hidden);
    const MaskArgument maskData(mask);
    const MaskArgument memoryMaskData(memoryMask);
    std::optional<Incoming<float>> memoryRows;
    if (!memory.isNull()) memoryRows.emplace(memory);
    const auto wanted = emscripten::vecFromJSArray<std::uint8_t>(attentions);
    const auto wantedCross = emscripten::vecFromJSArray<std::uint8_t>(crossAttentions);
    const auto factors = emscripten::vecFromJSArray<float>(headMask);
    const auto places = emscripten::vecFromJSArray<std::size_t>(positions);
    TransformerInput input{.hidden = rows.view(),
                           .mask = maskData.view(),
                           .attentions = wanted,
                           .headMask = factors,
                           .positions = places,
                           .hiddenStates = hiddenStates,
                           .layerInputs = layerInputs,
                           .cache = cache,
                           .memory = memoryRows ? std::optional(memoryRows->view()) : std::nullopt,
                           .memoryMask = memoryMaskData.view(),
                           .crossAttentions = wantedCross};
    std::optional<Incoming<float>> context;
    if (!inspection.isNull()) {
      input.valueWeighted = inspection["valueWeighted"].as<bool>();
      input.contexts = inspection["contexts"].as<bool>();
      if (!inspection["traced"].isNull()) input.traced = sizeIn(inspection, "traced");
      input.firstLayer = sizeIn(inspection, "firstLayer");
      if (!inspection["onlyRow"].isNull()) input.onlyRow = sizeIn(inspection, "onlyRow");
      if (!inspection["context"].isNull()) {
        const mha::TensorView view = context.emplace(inspection["context"]).view();
        input.context = {view.data(), view.size()};
      }
    }
    const TransformerOutput output = model.transformer(stack).forward(input);
    val object = val::object();
    object.set("attentions", list(output.attentions));
    object.set("crossAttentions", list(output.crossAttentions));
    object.set("hiddenStates", list(output.hiddenStates));
    object.set("layerInputs", list(output.layerInputs));
    object.set("valueWeighted", list(output.valueWeighted));
    object.set("contexts", list(output.contexts));
    object.set("last", block(output.last));
    if (output.parts) {
      const std::vector<float>& values = output.parts->values();
      object.set("parts", typedArray(values.data(), values.size()));
    }
    return object;
  });
}

std::size_t cacheLength(const TransformerCache& cache) { return cache.length(); }

void truncateCache(TransformerCache& cache, std::size_t rows) { cache.truncate(rows); }

void selectInCache(TransformerCache& cache, const val& items) {
  guarded([&] { cache.select(emscripten::vecFromJSArray<std::size_t>(items)); });
}

}  // namespace

EMSCRIPTEN_BINDINGS(models) {
  using emscripten::allow_raw_pointers;
  using emscripten::class_;

  mha::embind::bindEngine();

  class_<Model>("Model")
      .constructor(&makeModel, allow_raw_pointers())
      .function("shapes", &shapes)
      .function("write", &write)
      .function("read", &read)
      .function("mapRows", &mapRows)
      .function("mapParts", &mapParts)
      .function("weightRows", &weightRows)
      .function("forward", &forward, allow_raw_pointers());

  class_<TransformerCache>("Cache")
      .constructor()
      .function("length", &cacheLength)
      .function("truncate", &truncateCache)
      .function("select", &selectInCache);
}
