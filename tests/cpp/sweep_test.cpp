/// Compares every combination of small sizes and options with the reference.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compared_layer.hpp"
#include "scaled_dot_product_attention.hpp"
#include "streaming_attention.hpp"

namespace sweep_test {

using mha::MultiHeadAttentionConfig;
using mha::Shape;
using mha::Tensor;
using mha::viewOf;
using mha::Window;
using mha::test::Call;
using mha::test::ComparedLayer;
using mha::test::MaskCase;
using mha::test::MaskKind;
using mha::test::Numbers;

/// Counts the combinations of a sweep, and stops it after a few failures.
class Sweep {
 public:
  explicit Sweep(std::size_t expected) : expected_(expected) {}
  ~Sweep() { EXPECT_EQ(tried_, expected_); }
  Sweep(const Sweep&) = delete;
  Sweep& operator=(const Sweep&) = delete;

  /// The number of combinations so far, by which uncombined choices are made.
  [[nodiscard]] std::size_t tried() const { return tried_; }

  void expect(const std::string& differences) {
    ++tried_;
    if (differences.empty()) return;
    constexpr std::size_t kShown = 5;
    if (++failed_ <= kShown) ADD_FAILURE() << differences;
  }

 private:
  std::size_t expected_;
  std::size_t tried_ = 0;
  std::size_t failed_ = 0;
};

/// The choice for combination number `tried`; its period differs from those of the loops over options, so
/// that every option meets every choice.
std::uint32_t spread(std::size_t count) { return Numbers(static_cast<std::uint32_t>(count)).next(); }

/// Below, at and above 4 lanes, panels of 8 columns, tiles of 4, 5 and 6 rows, and unrolled steps of 4.
constexpr std::array<std::size_t, 12> kSizes{1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17};

/// Computes softmax(Q·Kᵀ/√d_k)·V with the library and the reference; returns the differences.
std::string differences(std::size_t heads, std::size_t kvHeads, std::size_t queries, std::size_t keys,
                        std::size_t headDim, std::size_t valueHeadDim, bool causal, Numbers& numbers) {
  const auto draw = [&](std::size_t) { return numbers.eighths(-8, 8); };
  const Tensor q = numbers.tensor({heads, queries, headDim}, draw);
  const Tensor k = numbers.tensor({kvHeads, keys, headDim}, draw);
  const Tensor v = numbers.tensor({kvHeads, keys, valueHeadDim}, draw);
  const auto got = mha::scaledDotProductAttention(viewOf(q), viewOf(k), viewOf(v),
                                                  {.isCausal = causal, .enableGqa = true});

  const auto sideBySide = [](const Tensor& x) {
    const Shape& shape = x.shape();
    mha::test::Rows<double> rows(shape[1], shape[0] * shape[2]);
    for (std::size_t n = 0; n < x.size(); ++n) {
      const std::size_t row = n / shape[2] % shape[1];
      rows(row, n / shape[2] / shape[1] * shape[2] + n % shape[2]) = static_cast<double>(x.data()[n]);
    }
    return rows;
  };
  mha::test::ReferenceTrace<double> trace{.q = sideBySide(q), .k = sideBySide(k), .v = sideBySide(v)};
  mha::test::attend(trace, heads, kvHeads,
                    {.causal = causal, .scale = 1.0 / std::sqrt(static_cast<double>(headDim))});
  double error = 0.0;
  const auto compare = [&](float actual, double expected) {
    const double difference = std::abs(static_cast<double>(actual) - expected);
    error = std::max(error, std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference);
  };
  for (std::size_t h = 0; h < heads; ++h) {
    for (std::size_t i = 0; i < queries; ++i) {
      for (std::size_t j = 0; j < keys; ++j) {
        compare((*got.weights)(h, i, j), trace.weights[h](i, j));
      }
      for (std::size_t p = 0; p < valueHeadDim; ++p) {
        compare(got.output(h, i, p), trace.context(i, h * valueHeadDim + p));
      }
    }
  }
  if (error <= mha::test::kTolerance) return "";
  return std::to_string(error) + " for H " + std::to_string(heads) + "/" + std::to_string(kvHeads) + ", L " +
         std::to_string(queries) + ", S " + std::to_string(keys) + ", d_k " + std::to_string(headDim) +
         ", d_v " + std::to_string(valueHeadDim) + (causal ? ", causal" : "");
}

TEST(Sweep, Sizes) {
  Sweep sweep(std::size_t{12} * 12 * 12 * 12 * 2 * 2);
  Numbers numbers(1);
  for (const std::size_t queries : kSizes) {
    for (const std::size_t keys : kSizes) {
      for (const std::size_t headDim : kSizes) {
        for (const std::size_t valueHeadDim : kSizes) {
          for (const bool causal : {false, true}) {
            sweep.expect(differences(1, 1, queries, keys, headDim, valueHeadDim, causal, numbers));
            sweep.expect(differences(2, 1, queries, keys, headDim, valueHeadDim, causal, numbers));
          }
        }
      }
    }
  }
}

constexpr std::array<std::pair<std::size_t, std::size_t>, 4> kHeads{{{1, 1}, {2, 1}, {3, 3}, {4, 2}}};

/// Calls `visit` with a layer of every configuration.
template <class Visit>
void forEachLayer(const Visit& visit) {
  std::uint32_t count = 0;
  for (const auto& [heads, kvHeads] : kHeads) {
    for (const bool bias : {false, true}) {
      for (const bool addBiasKv : {false, true}) {
        for (const bool addZeroAttn : {false, true}) {
          for (const auto activation : {mha::Activation::none, mha::Activation::relu}) {
            for (const int rope : {0, 1, 2}) {
              const std::uint32_t n = spread(++count);
              // In one of four, all widths are equal: then torch packs the projections.
              const bool packs = n % 4 == 0;
              const std::size_t embedDim = packs ? heads * 2 : 1 + n % 7;
              MultiHeadAttentionConfig config{.embedDim = embedDim,
                                              .numHeads = heads,
                                              .numKvHeads = packs ? heads : kvHeads,
                                              .headDim = packs ? 2 : 2 + n % 5,
                                              .valueHeadDim = packs ? 2 : 1 + n % 4,
                                              .kdim = packs ? embedDim : 1 + n % 3,
                                              .vdim = packs ? embedDim : 1 + n % 5,
                                              .outDim = packs ? embedDim : 1 + n % 6,
                                              .bias = bias,
                                              .addBiasKv = addBiasKv,
                                              .addZeroAttn = addZeroAttn,
                                              .activation = activation};
              if (rope > 0) {
                config.rope = {.dim = config.headDim / 2 * (n % 2 == 0 ? 2 : 1),
                               .base = 100.0,
                               .convention = rope == 1 ? mha::RotaryConvention::half
                                                       : mha::RotaryConvention::interleaved};
                if (config.rope->dim % 2 != 0) config.rope->dim = 2;
              }
              ComparedLayer layer(config, Numbers(count));
              visit(layer);
            }
          }
        }
      }
    }
  }
}

constexpr std::size_t kLayers = std::size_t{4} * 2 * 2 * 2 * 2 * 3;

const std::array<MaskCase, 7> kMasks{{{},
                                      {.kind = MaskKind::allowed, .rank = 2},
                                      {.kind = MaskKind::allowed, .rank = 3},
                                      {.kind = MaskKind::allowed, .rank = 4},
                                      {.kind = MaskKind::added, .rank = 2},
                                      {.kind = MaskKind::added, .rank = 3},
                                      {.kind = MaskKind::added, .rank = 4}}};
const std::array<std::optional<Window>, 3> kWindows{
    {std::nullopt, Window{.left = 0, .right = 0}, Window{.left = 2, .right = 1}}};

/// Calls `visit` with every combination of the options; sizes, batches and requested results depend on the
/// number of combinations so far.
template <class Visit>
void forEachCall(const Sweep& sweep, const ComparedLayer& layer, const Visit& visit) {
  for (const MaskCase& mask : kMasks) {
    for (const bool keyPadding : {false, true}) {
      for (const bool causal : {false, true}) {
        for (const auto& window : kWindows) {
          for (const bool alibi : {false, true}) {
            for (const float softcap : {0.0F, 2.0F}) {
              const std::size_t n = spread(sweep.tried());
              Call call{.batch = n % 3,
                        .queries = 1 + n / 3 % 5,
                        .keys = 1 + n / 7 % 9,
                        .mask = mask,
                        .keyPadding = keyPadding,
                        .causal = causal,
                        .window = window,
                        .alibi = alibi,
                        .softcap = softcap};
              for (std::size_t d = 0; d < 4; ++d) call.mask.broadcast[d] = n / 11 % (5 + d) == 0;
              if (n % 2 == 0) call.scale = 0.3F;
              call.needWeights = n % 5 != 0;
              call.returnScores = static_cast<mha::ReturnedScores>(n % 13 < 4 ? n % 13 : 0);
              call.placed = n % 7 == 0;
              call.positioned = layer.config().rope.has_value() && n % 4 == 1;
              if (call.positioned) call.keys = call.queries;
              call.returnSteps = n % 17 == 0;
              if (call.returnSteps) call.returnScores = mha::ReturnedScores::raw;
              visit(call);
            }
          }
        }
      }
    }
  }
}

constexpr std::size_t kCalls = std::size_t{7} * 2 * 2 * 3 * 2 * 2;

// For each combination of options, some layer must get every batch, with and without a scale and weights.
TEST(Sweep, UncombinedChoicesReachEveryOption) {
  std::set<std::array<std::size_t, 3>> scaled;
  std::set<std::array<std::size_t, 3>> weighed;
  for (std::size_t tried = 0; tried < kLayers * kCalls; ++tried) {
    const std::size_t n = spread(tried);
    scaled.insert({tried % kCalls, n % 3, n % 2});
    weighed.insert({tried % kCalls, n % 3, n % 5 == 0 ? 1U : 0U});
  }
  EXPECT_EQ(scaled.size(), kCalls * 3 * 2);
  EXPECT_EQ(weighed.size(), kCalls * 3 * 2);
}

TEST(Sweep, Options) {
  Sweep sweep(kLayers * kCalls);
  forEachLayer([&](ComparedLayer& layer) {
    forEachCall(sweep, layer, [&](const Call& call) { sweep.expect(layer.differences(call)); });
  });
}

TEST(Sweep, OptionsWithACache) {
  Sweep sweep(kLayers * kCalls);
  forEachLayer([&](ComparedLayer& layer) {
    forEachCall(sweep, layer, [&](Call call) {
      call.cached = true;
      layer.truncate(0);
      const Call earlier{.batch = call.batch, .queries = 1, .keys = 1 + sweep.tried() % 4, .cached = true};
      const std::string before = layer.differences(earlier);
      sweep.expect(before + layer.differences(call));
    });
  });
}

TEST(Sweep, Gradients) {
  Sweep sweep(kLayers * kCalls);
  forEachLayer([&](ComparedLayer& layer) {
    forEachCall(sweep, layer, [&](Call call) {
      call.training = true;
      sweep.expect(layer.differences(call));
    });
  });
}

// Calls without weights and with more than one tile of keys use streaming attention.
TEST(Sweep, Streaming) {
  constexpr std::size_t kTile = mha::kKeyTile;
  Sweep sweep(std::size_t{3} * 4 * 3 * 2 * 4 * 2);
  ComparedLayer layer({.embedDim = 2,
                       .numHeads = 2,
                       .numKvHeads = 1,
                       .headDim = 3,
                       .valueHeadDim = 2,
                       .kdim = 2,
                       .vdim = 1,
                       .outDim = 2},
                      Numbers(7));
  const std::array<std::optional<Window>, 4> windows{{std::nullopt, Window{.left = 3, .right = 1},
                                                      Window{.left = 0, .right = kTile},
                                                      Window{.left = 40, .right = 2 * kTile}}};
  for (const std::size_t queries : {1, 48, 49}) {
    for (const std::size_t keys : {kTile, kTile + 1, kTile + 9, 2 * kTile + 1}) {
      for (const MaskKind mask : {MaskKind::none, MaskKind::allowed, MaskKind::added}) {
        for (const bool causal : {false, true}) {
          for (const auto& window : windows) {
            for (const bool alibi : {false, true}) {
              sweep.expect(layer.differences({.queries = queries,
                                              .keys = keys,
                                              .mask = {.kind = mask},
                                              .causal = causal,
                                              .window = window,
                                              .alibi = alibi,
                                              .needWeights = false}));
            }
          }
        }
      }
    }
  }
}

}  // namespace sweep_test
