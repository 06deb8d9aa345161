/// Makes a sequence of correct and wrong calls of one layer and compares it with its reference.

#include <algorithm>
#include <optional>
#include <vector>

#include "bytes.hpp"
#include "compared_layer.hpp"

namespace {

using mha::KvCache;
using mha::MultiHeadAttentionConfig;
using mha::Shape;
using mha::StateDict;
using mha::Tensor;
using mha::TensorView;
using mha::viewOf;
using mha::fuzz::Block;
using mha::fuzz::blockOf;
using mha::fuzz::Bytes;
using mha::fuzz::misshape;
using mha::fuzz::refused;
using mha::fuzz::require;
using mha::fuzz::shifted;
using mha::test::Call;
using mha::test::CallData;
using mha::test::ComparedLayer;
using mha::test::MaskKind;
using mha::test::Numbers;

constexpr std::size_t kMostCalls = 4;

/// Exceeds every address space, also in products.
constexpr std::size_t kHuge = std::size_t{1} << 61;

MultiHeadAttentionConfig configFrom(Bytes& bytes) {
  constexpr std::array<std::size_t, 8> kHeads{1, 2, 4, 3, 6, 2, 4, 8};
  constexpr std::array<std::size_t, 8> kKvHeads{1, 1, 2, 3, 2, 2, 4, 1};
  const std::size_t heads = bytes.next() % kHeads.size();
  MultiHeadAttentionConfig config{.embedDim = bytes.between(1, 12),
                                  .numHeads = kHeads[heads],
                                  .numKvHeads = kKvHeads[heads],
                                  .headDim = bytes.between(1, 9),
                                  .valueHeadDim = bytes.between(1, 9),
                                  .kdim = bytes.between(1, 9),
                                  .vdim = bytes.between(1, 9),
                                  .outDim = bytes.between(1, 9),
                                  .bias = bytes.flag(),
                                  .addBiasKv = bytes.flag(),
                                  .addZeroAttn = bytes.flag()};
  if (bytes.oneIn(3)) {  // packed by torch
    config.numKvHeads = config.numHeads;
    config.valueHeadDim = config.headDim;
    config.embedDim = config.kdim = config.vdim = config.outDim = config.numHeads * config.headDim;
  }
  config.dropout = bytes.pick(std::array{0.0, 0.0, 0.3, 1.0});
  if (bytes.flag()) config.activation = mha::Activation::relu;
  const std::size_t pairs = config.headDim / 2;
  if (bytes.flag() && pairs > 0) {
    config.rope = {
        .dim = 2 * (1 + bytes.next() % pairs),
        .base = bytes.pick(std::array{10'000.0, 100.0, 3.0}),
        .convention = bytes.flag() ? mha::RotaryConvention::interleaved : mha::RotaryConvention::half};
  }
  return config;
}

/// An invalid configuration.
void spoil(Bytes& bytes, MultiHeadAttentionConfig& config) {
  const std::array<std::size_t*, 8> sizes{&config.embedDim,     &config.numHeads, &config.numKvHeads,
                                          &config.headDim,      &config.kdim,     &config.vdim,
                                          &config.valueHeadDim, &config.outDim};
  switch (bytes.between(0, 3)) {
    case 0:
      *bytes.pick(sizes) = 0;
      break;
    case 1:
      *bytes.pick(sizes) = kHuge << bytes.between(0, 2);
      break;
    case 2:
      config.numKvHeads = config.numHeads + bytes.between(1, 5);
      break;
    default:
      config.rope = {.dim = bytes.pick(std::array<std::size_t, 3>{0, 1, config.headDim + 1}),
                     .base = 100.0,
                     .convention = mha::RotaryConvention::half};
      if (config.rope->dim > 1 && config.rope->dim % 2 != 0) ++config.rope->dim;
  }
}

Call callFrom(Bytes& bytes, const MultiHeadAttentionConfig& config) {
  constexpr std::size_t kTile = 512;  // beyond it, attention without weights streams
  Call call;
  call.batch = bytes.between(0, 3);
  call.queries = bytes.oneIn(16) ? bytes.between(45, 52) : bytes.between(1, 9);
  call.keys = bytes.oneIn(32) ? bytes.between(kTile - 4, kTile + 20) : bytes.between(1, 17);
  call.cached = bytes.oneIn(3);
  const bool sameWidths = config.kdim == config.embedDim && config.vdim == config.embedDim;
  call.selfAttention = bytes.flag() && sameWidths;
  call.mask.kind = bytes.pick(std::array{MaskKind::none, MaskKind::allowed, MaskKind::added});
  call.mask.rank = bytes.between(2, 4);
  const std::uint8_t broadcast = bytes.next();
  for (std::size_t d = 0; d < 4; ++d) call.mask.broadcast[d] = (broadcast >> d & 1U) != 0;
  call.mask.kept = bytes.pick(std::array<std::uint32_t, 3>{60, 5, 95});
  call.keyPadding = bytes.flag();
  call.causal = bytes.flag();
  if (bytes.flag()) {
    // JavaScript's Infinity arrives as the largest number.
    constexpr std::size_t kEndless = std::numeric_limits<std::uint32_t>::max();
    const auto side = [&] { return bytes.oneIn(8) ? kEndless : bytes.between(0, 8); };
    call.window = {.left = side(), .right = side()};
  }
  call.alibi = bytes.flag();
  call.softcap = bytes.pick(std::array{0.0F, 2.0F, 50.0F});
  if (bytes.flag()) call.scale = bytes.pick(std::array{0.5F, 0.3F, -0.5F, 1.0F, 2.0F});
  call.training = bytes.oneIn(3) && call.keys < kTile / 2;
  const std::uint8_t wanted = bytes.next();
  call.needWeights = (wanted & 1U) == 0 || (call.training && config.dropout > 0.0);
  call.returnSteps = (wanted & 4U) != 0;
  if ((wanted & 2U) != 0) {
    call.returnScores = static_cast<mha::ReturnedScores>(call.returnSteps ? 1 : 1 + (wanted >> 5U) % 3);
  }
  call.placed = (wanted & 8U) != 0;
  // The reference does not keep the positions of cached keys.
  call.positioned = (wanted & 16U) != 0 && config.rope.has_value() && !call.cached;
  if (call.positioned) call.keys = call.queries;
  return call;
}

class Fuzz {
 public:
  Fuzz(const MultiHeadAttentionConfig& config, Bytes& bytes)
      : bytes_(bytes), numbers_(bytes.next()), layer_(config, numbers_) {}

  void call() {
    switch (bytes_.between(0, 7)) {
      case 0:
        wrongForward();
        break;
      case 1:
        layer_.truncate(bytes_.next() % (layer_.cache().length() + 1));
        break;
      case 2:
        load();
        break;
      case 3:
        backward();
        break;
      case 4:
        poison();
        break;
      case 5:
        anything();
        break;
      default:
        forward();
    }
    checkParameters(layer_.parameters());
  }

 private:
  /// Usually the batch size of the cache, because another one is only refused.
  [[nodiscard]] Call drawCall() {
    Call call = callFrom(bytes_, layer_.config());
    if (call.cached && layer_.cache().length() > 0 && call.queries % 4 != 0) call.batch = cachedCallBatch_;
    return call;
  }

  /// A cache keeps the batch size of its first call.
  [[nodiscard]] bool cacheTakes(const Call& call, std::size_t batch) {
    return !call.cached || layer_.cache().length() == 0 || batch == cachedBatch_;
  }

  void note(const Call& call) {
    if (call.cached) {
      cachedCallBatch_ = call.batch;
      cachedBatch_ = std::max<std::size_t>(call.batch, 1);
    }
    if (!call.training) return;
    recorded_.reset();
    if (call.cached) return;
    recorded_ = Shape{call.queries, layer_.config().outDim};
    if (call.batch > 0) recorded_->insert(recorded_->begin(), call.batch);
  }

  void forward() {
    const Call call = drawCall();
    const CallData data = layer_.draw(call);
    const bool fits = cacheTakes(call, std::max<std::size_t>(call.batch, 1));
    const std::size_t before = layer_.cache().length();
    std::string differences;
    const bool wasRefused = refused([&] { differences = layer_.differences(call, data); });
    require(wasRefused != fits,
            "the cache " + std::string(fits ? "refused its own" : "took another") + " batch");
    require(differences.empty(), differences);
    const std::size_t keys = call.selfAttention ? call.queries : call.keys;
    require(layer_.cache().length() == before + (fits && call.cached ? keys : 0),
            "another length of the cache");
    if (fits) note(call);
  }

  /// An independent implementation of the shape rules.
  [[nodiscard]] bool fits(const Call& call, const std::array<Shape, 5>& shapes) {
    const auto& [query, key, value, mask, padding] = shapes;
    const MultiHeadAttentionConfig& config = layer_.config();
    const std::size_t rank = query.size();
    if ((rank != 2 && rank != 3) || key.size() != rank || value.size() != rank) return false;
    if (query.back() != config.embedDim || key.back() != config.kdim || value.back() != config.vdim)
      return false;
    const std::size_t batch = rank == 3 ? query[0] : 1;
    const std::size_t queries = query[rank - 2];
    const std::size_t newKeys = key[rank - 2];
    if (value[rank - 2] != newKeys) return false;
    if (rank == 3 && (key[0] != batch || value[0] != batch)) return false;
    if (!cacheTakes(call, batch)) return false;
    const std::size_t keys = newKeys + (call.cached ? layer_.cache().length() : 0);
    if (call.keyPadding && padding != (rank == 3 ? Shape{batch, keys} : Shape{keys})) return false;
    if (call.mask.kind == MaskKind::none) return true;
    if (mask.size() < 2 || mask.size() > 4) return false;
    const Shape target{batch, config.numHeads, queries, keys};
    for (std::size_t back = 1; back <= mask.size(); ++back) {
      const std::size_t length = mask[mask.size() - back];
      const bool isBatch = back == 3 && mask.size() == 3 && rank == 3;
      if (length != 1 && length != target[isBatch ? 0 : 4 - back]) return false;
    }
    return true;
  }

  void wrongForward() {
    Call call = drawCall();
    call.placed = call.positioned = false;  // they have the sizes of the right shapes
    const CallData data = layer_.draw(call);
    std::array<Shape, 5> shapes{data.query.shape(), data.key.shape(), data.value.shape(), data.maskShape,
                                data.realShape};
    for (std::size_t times = bytes_.between(1, 2); times > 0; --times) {
      misshape(bytes_, shapes[bytes_.next() % shapes.size()]);
    }
    const auto eighths = [&] { return numbers_.eighths(0, 8); };
    const auto bits = [&] { return static_cast<std::uint8_t>(numbers_.below(2)); };
    const Block<float> query = blockOf<float>(shapes[0], eighths);
    const Block<float> key = blockOf<float>(shapes[1], eighths);
    const Block<float> value = blockOf<float>(shapes[2], eighths);
    const Block<std::uint8_t> allowed = blockOf<std::uint8_t>(shapes[3], bits);
    const Block<float> added = blockOf<float>(shapes[3], eighths);
    const Block<std::uint8_t> real = blockOf<std::uint8_t>(shapes[4], bits);
    mha::ForwardOptions options = data.options(call);
    if (call.mask.kind == MaskKind::allowed) options.attnMask = allowed.view();
    if (call.mask.kind == MaskKind::added) options.attnMask = added.view();
    options.keyPaddingMask.reset();
    if (call.keyPadding) options.keyPaddingMask.emplace(real.view());
    KvCache copy = layer_.cache();
    options.cache = call.cached ? &copy : nullptr;
    const std::size_t before = copy.length();
    const bool expected = fits(call, shapes);
    const bool wasRefused =
        refused([&] { layer_.layer().forward(query.view(), key.view(), value.view(), options); });
    require(wasRefused != expected, std::string(expected ? "refused" : "took") + " query " +
                                        mha::toText(shapes[0]) + ", key " + mha::toText(shapes[1]) +
                                        ", value " + mha::toText(shapes[2]) + ", mask " +
                                        mha::toText(shapes[3]) + ", padding " + mha::toText(shapes[4]));
    require(copy.length() == before + (wasRefused || !call.cached ? 0 : shapes[1][shapes[1].size() - 2]),
            "another length of the cache");
    if (wasRefused || !call.training) return;
    recorded_.reset();
    if (call.cached) return;
    recorded_ = shapes[0];
    recorded_->back() = layer_.config().outDim;
  }

  void load() {
    // Different values: a refused dict must not change any parameter.
    StateDict dict = shifted(bytes_.flag() ? layer_.layer().stateDict() : layer_.parameters());
    const auto chosen = std::next(dict.begin(), bytes_.next() % static_cast<std::ptrdiff_t>(dict.size()));
    bool fits = false;
    switch (bytes_.between(0, 3)) {
      case 0:
        dict.erase(chosen);
        break;
      case 1:
        dict.emplace("unknown" + chosen->first, chosen->second);
        break;
      case 2: {
        const Shape before(chosen->second.shape());
        Shape after = before;
        misshape(bytes_, after);
        fits = after == before;
        if (!fits)
          chosen->second = numbers_.tensor(after, [&](std::size_t) { return numbers_.eighths(0, 8); });
        break;
      }
      default:
        fits = true;
    }
    require(refused([&] { layer_.layer().loadStateDict(mha::test::viewsOf(dict)); }) != fits,
            "wrong state dict");
    if (!fits) return;
    checkParameters(shifted(layer_.parameters()));
    layer_.layer().loadStateDict(mha::test::viewsOf(layer_.parameters()));
    recorded_.reset();
  }

  void backward() {
    Shape shape = recorded_.value_or(Shape{1, layer_.config().outDim});
    if (bytes_.flag()) misshape(bytes_, shape);
    const Block<float> gradOutput = blockOf<float>(shape, [&] { return bytes_.anyFloat(); });
    const bool fits = recorded_ && shape == *recorded_;
    require(refused([&] { layer_.layer().backward(gradOutput.view()); }) != fits, "backward");
  }

  /// NaN or infinities in masked keys and values must not change the result.
  void poison() {
    Call call = drawCall();
    call.selfAttention = call.training = call.cached = call.placed = call.positioned = false;
    call.keys =
        std::min<std::size_t>(call.keys, 20);  // with values that are not finite, attention is never streamed
    const CallData clean = layer_.draw(call);
    CallData poisoned = clean;
    const std::size_t batch = std::max<std::size_t>(call.batch, 1);
    const std::size_t b = bytes_.next() % batch;
    const std::size_t j = bytes_.next() % call.keys;
    const float poison = bytes_.anyFloat();
    const bool inKeys = bytes_.flag();
    const MultiHeadAttentionConfig& config = layer_.config();
    const auto fillRow = [&](Tensor& x, std::size_t width) {
      std::fill_n(x.data() + (b * call.keys + j) * width, width, poison);
    };
    if (inKeys) fillRow(poisoned.key, config.kdim);
    if (!inKeys || bytes_.flag()) fillRow(poisoned.value, config.vdim);

    const auto compute = [&](const CallData& data) {
      return layer_.layer().forward(viewOf(data.query), viewOf(data.key), viewOf(data.value),
                                    data.options(call));
    };
    const mha::AttentionResult expected = compute(clean);
    const mha::AttentionResult actual = compute(poisoned);
    const mha::test::ReferenceRules rules{.causal = call.causal, .window = call.window};
    const auto sees = [&](std::size_t item, std::size_t h, std::size_t i) {
      return item == b && !std::isinf(rules.bias(h, i, j, call.keys)) &&
             !std::isinf(clean.addedTo(call, b, h, i, j));
    };
    const auto expectRow = [&](const Tensor& got, const Tensor& wanted, std::size_t row) {
      const std::size_t width = got.shape().back();
      for (std::size_t n = row * width; n < (row + 1) * width; ++n) {
        require(got.data()[n] == wanted.data()[n],
                "a masked key leaks into " + mha::test::toText(config) + "\n" + mha::test::toText(call));
      }
    };
    for (std::size_t item = 0; item < batch; ++item) {
      for (std::size_t i = 0; i < call.queries; ++i) {
        bool seen = false;
        for (std::size_t h = 0; h < config.numHeads; ++h) {
          const bool here = sees(item, h, i);
          seen = seen || here;
          const std::size_t row = (item * config.numHeads + h) * call.queries + i;
          if (expected.weights && !here) expectRow(*actual.weights, *expected.weights, row);
        }
        if (!seen) expectRow(actual.output, expected.output, item * call.queries + i);
      }
    }
  }

  /// Arbitrary floats in every input: only the shapes of the results are checked.
  void anything() {
    const Call call = drawCall();
    if (!cacheTakes(call, std::max<std::size_t>(call.batch, 1))) return;
    CallData data = layer_.draw(call);
    for (Tensor* x : {&data.query, &data.key, &data.value}) {
      const std::size_t step = bytes_.between(1, 5);
      for (std::size_t n = 0; n < x->size(); n += step) x->data()[n] = bytes_.anyFloat();
    }
    for (float& x : data.added) x = bytes_.anyFloat();
    mha::ForwardOptions options = data.options(call);
    options.scale = bytes_.anyFloat();
    KvCache copy = layer_.cache();
    options.cache = call.cached ? &copy : nullptr;
    const mha::AttentionResult result =
        layer_.layer().forward(viewOf(data.query), viewOf(data.key), viewOf(data.value), options);
    Shape expected(data.query.shape());
    expected.back() = layer_.config().outDim;
    require(Shape(result.output.shape()) == expected, "another shape of the output");
    if (!call.training) return;
    recorded_.reset();
    if (!call.cached) {
      recorded_ = expected;
      layer_.layer().backward(viewOf(result.output));
    }
  }

  /// Calls must not change parameters; loadStateDict() must change all.
  void checkParameters(const StateDict& expected) {
    const StateDict dict = layer_.layer().stateDict();
    std::size_t count = 0;
    for (const auto& [name, tensor] : dict) {
      count += tensor.size();
      std::vector<float> wanted;
      const auto append = [&](const char* part) {
        const Tensor& values = expected.at(part);
        wanted.insert(wanted.end(), values.begin(), values.end());
      };
      if (name == "in_proj_weight") {
        for (const char* part : {"q_proj_weight", "k_proj_weight", "v_proj_weight"}) append(part);
      } else {
        append(name.c_str());
      }
      require(std::ranges::equal(tensor, wanted), name + " has changed");
    }
    require(layer_.layer().parameterCount() == count, "another number of parameters");
  }

  Bytes& bytes_;
  Numbers numbers_;
  ComparedLayer layer_;
  std::size_t cachedCallBatch_ = 0;  // 0: unbatched
  std::size_t cachedBatch_ = 0;
  std::optional<Shape> recorded_;  // the shape of the recorded output
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(data, size);
  MultiHeadAttentionConfig config = configFrom(bytes);
  if (bytes.oneIn(16)) {
    spoil(bytes, config);
    require(refused([&] { const mha::MultiHeadAttention layer(config); }),
            "took " + mha::test::toText(config));
    return 0;
  }
  Fuzz fuzz(config, bytes);
  for (std::size_t i = 0; i < kMostCalls && !bytes.empty(); ++i) fuzz.call();
  return 0;
}
