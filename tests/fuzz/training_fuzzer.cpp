/// Makes correct and wrong calls of the training encoder; compares loss, gradients and steps with doubles.

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "bytes.hpp"
#include "compared_layer.hpp"
#include "encoder_reference.hpp"
#include "training/transformer_encoder.hpp"

namespace {

using mha::Shape;
using mha::StateDict;
using mha::Tensor;
using mha::fuzz::Block;
using mha::fuzz::blockOf;
using mha::fuzz::Bytes;
using mha::fuzz::misshape;
using mha::fuzz::refused;
using mha::fuzz::require;
using mha::fuzz::shifted;
using mha::test::EncoderBatch;
using mha::test::EncoderReference;
using mha::test::Numbers;
using mha::test::viewsOf;
using mha::training::kIgnoredTarget;
using mha::training::StepOptions;
using mha::training::TransformerEncoder;
using mha::training::TransformerEncoderConfig;

/// The tolerances of losses and slopes: those of the unit tests.
constexpr double kTolerance = 1e-5;

constexpr std::size_t kMostCalls = 4;

TransformerEncoderConfig configFrom(Bytes& bytes) {
  const std::size_t heads = bytes.between(1, 3);
  return {.vocabSize = bytes.between(1, 8),
          .maxLength = bytes.between(1, 6),
          .embedDim = heads * bytes.between(1, 4),
          .numHeads = heads,
          .numLayers = bytes.between(1, 2),
          .feedForwardDim = bytes.between(1, 9),
          .seed = bytes.next()};
}

class Fuzz {
 public:
  Fuzz(const TransformerEncoderConfig& config, Bytes& bytes)
      : config_(config), bytes_(bytes), numbers_(bytes.next()), encoder_(config) {
    if (bytes_.flag()) return;
    // Parameters far from their initial values.
    StateDict dict = encoder_.stateDict();
    for (auto& [name, tensor] : dict) {
      for (float& x : tensor) x = numbers_.eighths(-8, 8);
    }
    encoder_.loadStateDict(viewsOf(dict));
  }

  void call() {
    switch (bytes_.between(0, 4)) {
      case 0:
        load();
        break;
      case 1:
        loadOptimizer();
        break;
      default:
        sentences();
    }
  }

 private:
  struct Batch {
    Block<std::int32_t> tokens;
    Block<std::int32_t> targets;
    Block<std::uint8_t> real;
    bool padded;

    [[nodiscard]] mha::training::Sentences view() const {
      mha::training::Sentences sentences{.tokens = tokens.view()};
      if (padded) sentences.keyPaddingMask.emplace(real.view());
      return sentences;
    }
  };

  /// Usually ids of the vocabulary.
  std::int32_t id(bool target) {
    const std::uint8_t byte = bytes_.next();
    if (byte >= 250) return bytes_.pick(std::array<std::int32_t, 4>{-1, 8, 2147483647, -2147483647 - 1});
    if (target && byte >= 180) return kIgnoredTarget;
    return static_cast<std::int32_t>(byte % config_.vocabSize);
  }

  Batch drawBatch() {
    const Shape shape{bytes_.between(1, 3), bytes_.between(1, config_.maxLength)};
    std::array<Shape, 3> shapes{shape, shape, shape};
    if (bytes_.oneIn(8)) misshape(bytes_, shapes[bytes_.next() % shapes.size()]);
    const bool padded = bytes_.flag();
    return {.tokens = blockOf<std::int32_t>(shapes[0], [&] { return id(false); }),
            .targets = blockOf<std::int32_t>(shapes[1], [&] { return id(true); }),
            .real = blockOf<std::uint8_t>(shapes[2], [&] { return numbers_.chance(75) ? 1 : 0; }),
            .padded = padded};
  }

  [[nodiscard]] bool isId(std::int32_t id) const {
    return id >= 0 && static_cast<std::size_t>(id) < config_.vocabSize;
  }

  /// An independent implementation of the rules.
  [[nodiscard]] bool fits(const Batch& batch, bool withTargets) const {
    const Shape& shape = batch.tokens.shape;
    if (shape.size() != 2 || shape[0] == 0 || shape[1] == 0 || shape[1] > config_.maxLength) return false;
    if (batch.padded && batch.real.shape != shape) return false;
    if (!std::ranges::all_of(batch.tokens.values, [&](std::int32_t x) { return isId(x); })) return false;
    if (!withTargets) return true;
    const std::vector<std::int32_t>& targets = batch.targets.values;
    return batch.targets.shape == shape &&
           std::ranges::all_of(targets, [&](std::int32_t x) { return isId(x) || x == kIgnoredTarget; }) &&
           std::ranges::any_of(targets, [&](std::int32_t x) { return x != kIgnoredTarget; });
  }

  void sentences() {
    const Batch batch = drawBatch();
    const bool wasRefused = refused([&] {
      const auto output = encoder_.forward(batch.view());
      Shape expected = batch.tokens.shape;
      expected.push_back(config_.vocabSize);
      require(Shape(output.logits.shape()) == expected, "another shape of the logits");
    });
    require(wasRefused != fits(batch, false), "forward");
    const StateDict before = encoder_.stateDict();
    mha::training::Prediction prediction;
    const bool learns =
        !refused([&] { prediction = encoder_.computeGradients(batch.view(), batch.targets.view()); });
    require(learns == fits(batch, true), "gradients");
    if (learns) {
      compare(batch, before, prediction.loss);
      step(batch, before);
    } else {
      require(refused([&] { encoder_.trainStep(batch.view(), batch.targets.view(), {}); }), "trainStep");
      require(encoder_.stateDict() == before, "a refused step has changed parameters");
    }
  }

  /// The loss, and its slope along a random direction of all parameters.
  void compare(const Batch& batch, const StateDict& parameters, double loss) {
    const EncoderBatch exact{.shape = batch.tokens.shape,
                             .tokens = batch.tokens.values,
                             .targets = batch.targets.values,
                             .real = batch.padded ? batch.real.values : std::vector<std::uint8_t>{}};
    EncoderReference reference(config_, parameters);
    const double expected = reference.loss(exact);
    require(std::abs(loss - expected) <= kTolerance * (1 + expected),
            "a loss of " + std::to_string(loss) + " instead of " + std::to_string(expected));
    double squares = 0.0;
    double count = 0.0;
    std::map<std::string, std::vector<double>> directions;
    for (const auto& [name, gradient] : encoder_.gradientDict()) {
      std::vector<double>& direction = directions[name];
      for (const float g : gradient) {
        direction.push_back(static_cast<double>(numbers_.sign()));
        squares += static_cast<double>(g) * static_cast<double>(g);
        ++count;
      }
    }
    const auto slopeIn = [&](const TransformerEncoder& encoder) {
      double sum = 0.0;
      for (const auto& [name, gradient] : encoder.gradientDict()) {
        sum = std::inner_product(gradient.begin(), gradient.end(), directions.at(name).begin(), sum);
      }
      return sum;
    };
    const auto slopeOf = [&](EncoderReference& point, double distance) {
      const auto move = [&](double by) {
        for (const auto& [name, direction] : directions) {
          std::vector<double>& values = point.parameter(name);
          for (std::size_t n = 0; n < values.size(); ++n) values[n] += by * direction[n];
        }
      };
      move(distance);
      const double ahead = point.loss(exact);
      move(-2 * distance);
      const double behind = point.loss(exact);
      move(distance);
      return (ahead - behind) / (2 * distance);
    };
    constexpr double kStep = 1e-9;
    const double along = slopeIn(encoder_);
    const double slope = slopeOf(reference, kStep);
    const double error = std::abs(along - slope);
    double allowed = kTolerance * (1 + std::sqrt(squares * count));
    // Layer norm of two nearly equal numbers is almost discontinuous. There, the tolerance also includes how
    // much the finite difference changes with a longer step, and how much both slopes change with the last
    // bits of the parameters. A wrong formula still exceeds it.
    if (error > allowed) {
      allowed += std::abs(slopeOf(reference, 10 * kStep) - slope);
      constexpr int kNeighbours = 4;
      constexpr float kLastBits = 0x1p-21F;
      double turned = 0.0;
      for (int i = 0; i < kNeighbours; ++i) {
        StateDict nearby = parameters;
        for (auto& [name, tensor] : nearby) {
          for (float& x : tensor) x *= 1.0F + kLastBits * numbers_.sign();
        }
        EncoderReference exactly(config_, nearby);
        TransformerEncoder inFloats(config_);
        inFloats.loadStateDict(viewsOf(nearby));
        inFloats.computeGradients(batch.view(), batch.targets.view());
        turned = std::max(turned, std::abs(slopeOf(exactly, kStep) - slope));
        turned = std::max(turned, std::abs(slopeIn(inFloats) - along));
      }
      allowed += 4 * turned;
    }
    require(error <= allowed, "a slope of " + std::to_string(along) + " instead of " + std::to_string(slope));
  }

  /// One step of AdamW in doubles.
  void step(const Batch& batch, const StateDict& before) {
    const StateDict gradients = encoder_.gradientDict();
    const StateDict state = encoder_.optimizerState();
    StepOptions options{.maxGradNorm = bytes_.pick(std::array{1.0, 0.1, 1e9})};
    options.adamW.learningRate = bytes_.pick(std::array{1e-3, 0.1, 0.0});
    options.adamW.weightDecay = bytes_.pick(std::array{0.01, 0.0, 0.5});
    options.adamW.beta1 = bytes_.pick(std::array{0.9, 0.0, 0.5});
    const auto& [rate, decay, beta1, beta2, eps] = options.adamW;
    const double steps = static_cast<double>(state.at("step")(0)) + 1;
    double squares = 0.0;
    for (const auto& [name, gradient] : gradients) {
      for (const float g : gradient) squares += static_cast<double>(g) * static_cast<double>(g);
    }
    const double factor = std::min(1.0, options.maxGradNorm / (std::sqrt(squares) + 1e-6));
    const double gradNorm = encoder_.trainStep(batch.view(), batch.targets.view(), options).gradNorm;
    require(std::abs(gradNorm - std::sqrt(squares)) <= 1e-9 * gradNorm, "gradNorm");
    const StateDict after = encoder_.stateDict();
    for (const auto& [name, values] : after) {
      const bool decays = values.dimension() > 1 && name != "position_embedding.weight";
      for (std::size_t n = 0; n < values.size(); ++n) {
        const auto was = [&](const StateDict& dict, const std::string& key) {
          return static_cast<double>(dict.at(key).data()[n]);
        };
        const double g = was(gradients, name) * factor;
        const double before1 = beta1 * was(state, name + ".exp_avg");
        const double now1 = (1 - beta1) * g;
        const double square = beta2 * was(state, name + ".exp_avg_sq") + (1 - beta2) * g * g;
        const double deviation = std::sqrt(square / (1 - std::pow(beta2, steps))) + eps;
        const double perMean = rate / (1 - std::pow(beta1, steps)) / deviation;
        const double kept = was(before, name) * (1 - (decays ? rate * decay : 0.0));
        const double error = std::abs(was(after, name) - (kept - perMean * (before1 + now1)));
        // The terms of the mean may cancel; their rounding errors remain.
        const double terms = std::abs(kept) + perMean * (std::abs(before1) + std::abs(now1));
        require(error <= kTolerance * terms + 1e-9,
                name + " differs by " + std::to_string(error) + " after a step");
      }
    }
  }

  /// Changes the dict in at most one way; returns whether it is still valid.
  bool spoil(StateDict& dict) {
    const auto chosen = std::next(dict.begin(), bytes_.next() % static_cast<std::ptrdiff_t>(dict.size()));
    const Shape before(chosen->second.shape());
    Shape after = before;
    switch (bytes_.between(0, 3)) {
      case 0:
        dict.erase(chosen);
        return false;
      case 1:
        dict.emplace("unknown", chosen->second);
        return false;
      case 2:
        misshape(bytes_, after);
        if (after != before) chosen->second = numbers_.tensor(after, [](std::size_t) { return 0.0F; });
        return after == before;
      default:
        return true;
    }
  }

  void load() {
    const StateDict before = encoder_.stateDict();
    // Different values: a refused dict must not change any parameter.
    StateDict dict = shifted(before);
    const bool fits = spoil(dict);
    require(refused([&] { encoder_.loadStateDict(viewsOf(dict)); }) != fits, "loadStateDict");
    require(encoder_.stateDict() == (fits ? dict : before), "the parameters are others");
    if (fits) encoder_.loadStateDict(viewsOf(before));
  }

  void loadOptimizer() {
    const StateDict before = encoder_.optimizerState();
    StateDict state = shifted(before);
    bool fits = spoil(state);
    if (fits && bytes_.flag()) {
      const float step = bytes_.anyFloat();
      state.at("step").data()[0] = step;
      fits = step >= 0.0F && step <= 16777216.0F && step == std::floor(step);
    }
    require(refused([&] { encoder_.loadOptimizerState(viewsOf(state)); }) != fits, "loadOptimizerState");
    require(encoder_.optimizerState() == (fits ? state : before), "the optimizer holds something else");
  }

  TransformerEncoderConfig config_;
  Bytes& bytes_;
  Numbers numbers_;
  TransformerEncoder encoder_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(data, size);
  TransformerEncoderConfig config = configFrom(bytes);
  if (bytes.oneIn(16)) {
    const std::array<std::size_t*, 6> sizes{&config.vocabSize, &config.maxLength, &config.embedDim,
                                            &config.numHeads,  &config.numLayers, &config.feedForwardDim};
    *bytes.pick(sizes) = 0;
    require(refused([&] { const TransformerEncoder encoder(config); }), "took a size of 0");
    return 0;
  }
  Fuzz fuzz(config, bytes);
  for (std::size_t i = 0; i < kMostCalls && !bytes.empty(); ++i) fuzz.call();
  return 0;
}
