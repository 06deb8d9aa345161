/// Compares the metrics with their definitions.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "bytes.hpp"
#include "metrics.hpp"

namespace {

using mha::Shape;
using mha::Tensor;
using mha::toText;
using mha::fuzz::Block;
using mha::fuzz::blockOf;
using mha::fuzz::Bytes;
using mha::fuzz::misshape;
using mha::fuzz::refused;
using mha::fuzz::require;

/// As in the unit tests: for means of float32 logarithms.
constexpr double kTolerance = 2e-7;

using Distribution = std::vector<double>;

/// Row i of a head, normalised; nothing if it is all zeros.
std::optional<Distribution> rowOf(const Block<float>& weights, std::size_t head, std::size_t i) {
  const std::size_t queries = weights.shape[weights.shape.size() - 2];
  const std::size_t keys = weights.shape.back();
  const float* row = weights.values.data() + (head * queries + i) * keys;
  Distribution p(row, row + keys);
  const double total = std::accumulate(p.begin(), p.end(), 0.0);
  if (total == 0.0) return std::nullopt;
  for (double& x : p) x /= total;
  return p;
}

/// The mean of `measure` over the rows that have one; 0 if none has.
template <class Measure>
double meanOver(std::size_t queries, const Measure& measure) {
  double sum = 0.0;
  double count = 0.0;
  for (std::size_t i = 0; i < queries; ++i) {
    const std::optional<double> x = measure(i);
    if (!x) continue;
    sum += *x;
    ++count;
  }
  return count == 0.0 ? 0.0 : sum / count;
}

double entropyOf(const Distribution& p) {
  if (p.size() == 1) return 0.0;
  double sum = 0.0;
  for (const double x : p) sum -= x > 0 ? x * std::log(x) : 0.0;
  return sum / std::log(static_cast<double>(p.size()));
}

double likenessOf(const Distribution& p, const Distribution& q) {
  double divergence = 0.0;
  for (std::size_t j = 0; j < p.size(); ++j) {
    const double mixed = (p[j] + q[j]) / 2;
    if (p[j] > 0) divergence += p[j] * std::log2(p[j] / mixed) / 2;
    if (q[j] > 0) divergence += q[j] * std::log2(q[j] / mixed) / 2;
  }
  return 1.0 - divergence;
}

void expectNear(float actual, double expected, const char* what) {
  const double error = std::abs(static_cast<double>(actual) - expected);
  require(error <= kTolerance, std::string(what) + " differs by " + std::to_string(error));
}

void compare(const Block<float>& weights, const Block<std::uint8_t>& targets, const Tensor& entropy,
             const Tensor& similarity, const std::optional<Tensor>& roleScores) {
  const std::size_t rank = weights.shape.size();
  const std::size_t heads = weights.shape[rank - 3];
  const std::size_t queries = weights.shape[rank - 2];
  const std::size_t keys = weights.shape[rank - 1];
  for (std::size_t head = 0; head < entropy.size(); ++head) {
    const double mean = meanOver(queries, [&](std::size_t i) -> std::optional<double> {
      const auto p = rowOf(weights, head, i);
      return p ? std::optional(entropyOf(*p)) : std::nullopt;
    });
    expectNear(entropy.data()[head], mean, "entropy");
    for (std::size_t other = 0; other < heads; ++other) {
      const double likeness = meanOver(queries, [&](std::size_t i) -> std::optional<double> {
        const auto p = rowOf(weights, head, i);
        const auto q = rowOf(weights, head / heads * heads + other, i);
        return p && q ? std::optional(likenessOf(*p, *q)) : std::nullopt;
      });
      const bool same = head % heads == other;
      expectNear(similarity.data()[head * heads + other], same ? 1.0 : likeness, "similarity");
    }
    const std::size_t relations = roleScores ? targets.shape[0] : 0;
    for (std::size_t r = 0; r < relations; ++r) {
      const double share = meanOver(queries, [&](std::size_t i) -> std::optional<double> {
        const auto p = rowOf(weights, head, i);
        const std::uint8_t* target = targets.values.data() + (r * queries + i) * keys;
        if (!p || std::all_of(target, target + keys, [](std::uint8_t x) { return x == 0; }))
          return std::nullopt;
        double sum = 0.0;
        for (std::size_t j = 0; j < keys; ++j) sum += target[j] != 0 ? (*p)[j] : 0.0;
        return sum;
      });
      expectNear(roleScores->data()[head * relations + r], share, "roleScores");
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(data, size);
  const bool plain = !bytes.oneIn(8);
  Shape shape;
  if (bytes.flag()) shape.push_back(bytes.between(1, 3));
  shape.insert(shape.end(), {bytes.between(1, 4), bytes.between(1, 6), bytes.between(1, 9)});
  Shape targetShape{bytes.between(0, 4), shape[shape.size() - 2], shape.back()};
  if (bytes.oneIn(4)) misshape(bytes, shape);
  if (bytes.oneIn(4)) misshape(bytes, targetShape);
  // Weights like those of softmax: zeros and several orders of magnitude.
  const auto weights = blockOf<float>(shape, [&] {
    if (!plain) return bytes.anyFloat();
    const std::uint8_t byte = bytes.next();
    return byte % 4 == 0 ? 0.0F : std::ldexp(static_cast<float>(byte), -8 - byte % 32);
  });
  const auto targets = blockOf<std::uint8_t>(targetShape, [&] { return bytes.next() % 3 == 0 ? 1 : 0; });

  const bool fits = shape.size() == 3 || shape.size() == 4;
  const bool targetsFit = fits && targetShape.size() == 3 && targetShape[1] == shape[shape.size() - 2] &&
                          targetShape[2] == shape.back();
  Tensor entropy;
  Tensor similarity;
  std::optional<Tensor> roleScores;
  require(refused([&] { entropy = mha::entropy(weights.view()); }) != fits, "entropy of " + toText(shape));
  require(refused([&] { similarity = mha::similarity(weights.view()); }) != fits,
          "similarity of " + toText(shape));
  require(refused([&] { roleScores = mha::roleScores(weights.view(), targets.view()); }) != targetsFit,
          "roleScores of " + toText(shape) + " and " + toText(targetShape));
  if (fits && plain) compare(weights, targets, entropy, similarity, roleScores);
  return 0;
}
