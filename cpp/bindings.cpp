/// The Embind table: converts arguments and results, and turns C++ exceptions into JavaScript errors. No
/// logic. web/wasm/attention.d.ts describes it to TypeScript.

#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "embind.hpp"
#include "metrics.hpp"
#include "multi_head_attention.hpp"
#include "numpy_random.hpp"
#include "scaled_dot_product_attention.hpp"

namespace {

using emscripten::val;
using mha::embind::block;
using mha::embind::enumeratorOf;
using mha::embind::guarded;
using mha::embind::Incoming;
using mha::embind::IncomingDict;
using mha::embind::makeDefaultRng;
using mha::embind::normal;
using mha::embind::random;
using mha::embind::seedFrom;
using mha::embind::typedArray;

/// A tensor of bytes or floats copied in from JavaScript, or null.
class IncomingOptional {
 public:
  explicit IncomingOptional(const val& block) {
    if (block.isNull()) return;
    if (block["data"].instanceof(val::global("Uint8Array"))) {
      bytes_ = std::make_unique<Incoming<std::uint8_t>>(block);
    } else {
      floats_ = std::make_unique<Incoming<float>>(block);
    }
  }

  [[nodiscard]] std::optional<mha::MaskTensor> view() const {
    if (bytes_) return bytes_->view();
    if (floats_) return floats_->view();
    return std::nullopt;
  }

  [[nodiscard]] std::optional<mha::View<std::uint8_t>> byteView() const {
    return bytes_ ? std::optional(bytes_->view()) : std::nullopt;
  }

  [[nodiscard]] std::optional<mha::TensorView> floatView() const {
    return floats_ ? std::optional(floats_->view()) : std::nullopt;
  }

  /// The floats as structs of floats; empty for null.
  template <class T>
  [[nodiscard]] std::span<const T> as() const {
    return floats_ ? floats_->template as<T>() : std::span<const T>();
  }

 private:
  std::unique_ptr<Incoming<std::uint8_t>> bytes_;
  std::unique_ptr<Incoming<float>> floats_;
};

/// Copies a tensor's values to `target`, a Float32Array of the same length, or to a new one if that is null.
val arrayOf(const mha::Tensor& tensor, const val& target) {
  if (target.isNull()) return typedArray(tensor.data(), tensor.size());
  target.call<void>("set", emscripten::typed_memory_view(tensor.size(), tensor.data()));
  return target;
}

/// Copies weights to JavaScript in blocks of at least kBlock values while other threads still compute.
class OutgoingWeights final : public mha::WeightsSink {
 public:
  /// `target` is a Float32Array for all weights, or null for a new one.
  explicit OutgoingWeights(val target = val::null()) : array_(std::move(target)) {}

  void receive(std::span<const float> weights, std::size_t finished) override {
    if (finished - copied_ >= kBlock) copy(weights, finished);
  }

  /// Copies the remaining weights and returns the block of all weights.
  [[nodiscard]] val finish(const mha::Tensor& weights) {
    copy({weights.data(), weights.size()}, weights.size());
    return block(array_, weights);
  }

 private:
  static constexpr std::size_t kBlock = 1 << 16;

  void copy(std::span<const float> weights, std::size_t end) {
    if (array_.isNull() && end == weights.size()) {
      array_ = typedArray(weights.data(), end);
    } else if (copied_ < end) {
      if (array_.isNull()) array_ = val::global("Float32Array").new_(weights.size());
      const auto piece = weights.subspan(copied_, end - copied_);
      array_.call<void>("set", emscripten::typed_memory_view(piece.size(), piece.data()), copied_);
    }
    copied_ = end;
  }

  val array_;
  std::size_t copied_ = 0;
};

val resultObject(const mha::AttentionResult& result, OutgoingWeights& weights,
                 const val& outputTarget = val::null()) {
  val object = val::object();
  object.set("output", block(arrayOf(result.output, outputTarget), result.output));
  if (result.weights) object.set("weights", weights.finish(*result.weights));
  if (result.scores) object.set("scores", block(*result.scores));
  if (result.steps) {
    object.set("q", block(result.steps->query));
    object.set("k", block(result.steps->key));
    object.set("v", block(result.steps->value));
    object.set("scaled", block(result.steps->scaled));
    object.set("masked", block(result.steps->masked));
    object.set("context", block(result.steps->context));
    object.set("concat", block(result.steps->concat));
  }
  return object;
}

/// Returns convert(value), or nothing if `value` is null.
template <class Convert>
auto optional(const val& value, Convert convert) -> std::optional<decltype(convert(value))> {
  if (value.isNull()) return std::nullopt;
  return convert(value);
}

std::optional<float> optionalFloat(const val& value) {
  return optional(value, [](const val& number) { return number.as<float>(); });
}

std::optional<mha::Window> optionalWindow(const val& value) {
  return optional(value, [](const val& sides) {
    return mha::Window{.left = sides[0].as<std::size_t>(), .right = sides[1].as<std::size_t>()};
  });
}

mha::RotaryConfig rotaryConfig(const val& rope) {
  return {.dim = rope["dim"].as<std::size_t>(),
          .base = rope["base"].as<double>(),
          .convention = enumeratorOf<mha::RotaryConvention>("rope.convention", rope["convention"],
                                                            {"half", "interleaved"}),
          .table = Incoming<float>(rope["table"]).take()};
}

mha::MultiHeadAttention* makeLayer(const val& config) {
  const auto size = [&](const char* name) { return config[name].as<std::size_t>(); };
  return guarded([&] {
    return new mha::MultiHeadAttention(
        {.embedDim = size("embedDim"),
         .numHeads = size("numHeads"),
         .numKvHeads = size("numKvHeads"),
         .headDim = size("headDim"),
         .valueHeadDim = size("valueHeadDim"),
         .kdim = size("kdim"),
         .vdim = size("vdim"),
         .outDim = size("outDim"),
         .bias = config["bias"].as<bool>(),
         .addBiasKv = config["addBiasKv"].as<bool>(),
         .addZeroAttn = config["addZeroAttn"].as<bool>(),
         .dropout = config["dropout"].as<double>(),
         .activation = enumeratorOf<mha::Activation>("activation", config["activation"], {"none", "relu"}),
         .rope = optional(config["rope"], rotaryConfig),
         .seed = seedFrom(config["seed"])});
  });
}

/// Options are parameters: reading them from an object takes longer than the attention of one sentence.
val forward(mha::MultiHeadAttention& layer, const val& query, const val& key, const val& value,
            const val& attnMask, const val& keyPaddingMask, mha::KvCache* cache, bool isCausal,
            const val& window, const val& placements, const val& positions, bool alibi, float softcap,
            const val& scale, bool needWeights, int returnScores, bool returnSteps, bool training,
            const val& outputTarget, const val& weightsTarget) {
  return guarded([&] {
    // In self-attention query, key and value are one object, which is copied in once.
    const Incoming<float> queryData(query);
    std::optional<Incoming<float>> keyData;
    const Incoming<float>& keySource = key.strictlyEquals(query) ? queryData : keyData.emplace(key);
    std::optional<Incoming<float>> valueData;
    const Incoming<float>* valueSource = value.strictlyEquals(query) ? &queryData : &keySource;
    if (!value.strictlyEquals(query) && !value.strictlyEquals(key)) valueSource = &valueData.emplace(value);
    const IncomingOptional attnMaskData(attnMask);
    const IncomingOptional keyPaddingMaskData(keyPaddingMask);
    const IncomingOptional placementsData(placements);
    const IncomingOptional positionsData(positions);
    OutgoingWeights weights(weightsTarget);
    return resultObject(layer.forward(queryData.view(), keySource.view(), valueSource->view(),
                                      {.attnMask = attnMaskData.view(),
                                       .keyPaddingMask = keyPaddingMaskData.byteView(),
                                       .isCausal = isCausal,
                                       .window = optionalWindow(window),
                                       .alibi = alibi,
                                       .softcap = softcap,
                                       .scale = optionalFloat(scale),
                                       .needWeights = needWeights,
                                       .placements = placementsData.as<mha::Placement>().data(),
                                       .positions = positionsData.as<float>(),
                                       .returnScores = static_cast<mha::ReturnedScores>(returnScores),
                                       .returnSteps = returnSteps,
                                       .cache = cache,
                                       .training = training,
                                       .weightsSink = &weights}),
                        weights, outputTarget);
  });
}

val flops(const mha::MultiHeadAttention& layer, std::size_t queries, std::size_t keys, std::size_t batch) {
  const mha::Flops flops = layer.flops(queries, keys, batch);
  val object = val::object();
  object.set("projections", flops.projections);
  object.set("scores", flops.scores);
  object.set("context", flops.context);
  object.set("softmax", flops.softmax);
  return object;
}

val backward(mha::MultiHeadAttention& layer, const val& gradOutput) {
  return guarded([&] {
    const mha::LayerGradients gradients = layer.backward(Incoming<float>(gradOutput).view());
    val object = val::object();
    object.set("query", block(gradients.query));
    object.set("key", block(gradients.key));
    object.set("value", block(gradients.value));
    object.set("parameters", block(gradients.parameters));
    return object;
  });
}

val stateDict(const mha::MultiHeadAttention& layer) {
  return guarded([&] { return block(layer.stateDict()); });
}

void loadStateDict(mha::MultiHeadAttention& layer, const val& dict) {
  guarded([&] {
    const IncomingDict tensors(dict);
    layer.loadStateDict(tensors.view());
  });
}

val scaledDotProductAttention(const val& query, const val& key, const val& value, const val& options) {
  return guarded([&] {
    const Incoming<float> queryData(query);
    const Incoming<float> keyData(key);
    const Incoming<float> valueData(value);
    const IncomingOptional mask(options["mask"]);
    const IncomingOptional slopes(options["alibiSlopes"]);
    const IncomingOptional placements(options["placements"]);
    OutgoingWeights weights;
    return resultObject(
        mha::scaledDotProductAttention(
            queryData.view(), keyData.view(), valueData.view(),
            {.mask = mask.view(),
             .isCausal = options["isCausal"].as<bool>(),
             .window = optionalWindow(options["window"]),
             .alibiSlopes = slopes.floatView(),
             .softcap = options["softcap"].as<float>(),
             .scale = optionalFloat(options["scale"]),
             .dropout = options["dropout"].as<double>(),
             .seed = seedFrom(options["seed"]),
             .enableGqa = options["enableGqa"].as<bool>(),
             .placements = placements.as<mha::Placement>().data(),
             .needWeights = options["needWeights"].as<bool>(),
             .returnScores = static_cast<mha::ReturnedScores>(options["returnScores"].as<int>()),
             .weightsSink = &weights}),
        weights);
  });
}

void copyCache(mha::KvCache& cache, const mha::KvCache& from) {
  guarded([&] { cache = from; });
}

void fillCache(mha::KvCache& cache, const val& keys, const val& values) {
  guarded([&] { cache.fill(Incoming<float>(keys).view(), Incoming<float>(values).view()); });
}

val readCache(mha::KvCache& cache, bool values) {
  return guarded([&] { return block(values ? cache.copyValues() : cache.copyKeys()); });
}

val entropy(const val& weights) {
  return guarded([&] { return block(mha::entropy(Incoming<float>(weights).view())); });
}

val similarity(const val& weights) {
  return guarded([&] { return block(mha::similarity(Incoming<float>(weights).view())); });
}

val roleScores(const val& weights, const val& targets) {
  return guarded([&] {
    const Incoming<float> weightData(weights);
    const Incoming<std::uint8_t> targetData(targets);
    return block(mha::roleScores(weightData.view(), targetData.view()));
  });
}

mha::RandomState* makeRandomState(double seed) {
  return guarded([&] { return new mha::RandomState(static_cast<std::uint32_t>(seed)); });
}

}  // namespace

EMSCRIPTEN_BINDINGS(multihead_attention) {
  using emscripten::allow_raw_pointers;
  using emscripten::class_;

  mha::embind::bindEngine();

  class_<mha::MultiHeadAttention>("MultiHeadAttention")
      .constructor(&makeLayer, allow_raw_pointers())
      .function("forward", &forward, allow_raw_pointers())
      .function("backward", &backward)
      .function("stateDict", &stateDict)
      .function("loadStateDict", &loadStateDict)
      .function("parameterCount", &mha::MultiHeadAttention::parameterCount)
      .function("flops", &flops);

  class_<mha::KvCache>("KVCache")
      .constructor()
      .function("length", &mha::KvCache::length)
      .function("truncate", &mha::KvCache::truncate)
      .function("copy", &copyCache)
      .function("fill", &fillCache)
      .function("read", &readCache);

  emscripten::function("entropy", &entropy);
  emscripten::function("similarity", &similarity);
  emscripten::function("roleScores", &roleScores);

  class_<mha::RandomState>("RandomState")
      .constructor(&makeRandomState, allow_raw_pointers())
      .function("normal", &normal<mha::RandomState>)
      .function("random", &random<mha::RandomState>);

  class_<mha::DefaultRng>("DefaultRng")
      .constructor(&makeDefaultRng, allow_raw_pointers())
      .function("normal", &normal<mha::DefaultRng>)
      .function("random", &random<mha::DefaultRng>);

  emscripten::function("scaledDotProductAttention", &scaledDotProductAttention);
}
