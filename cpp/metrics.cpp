#include "metrics.hpp"

#include <cmath>
#include <numeric>
#include <optional>

namespace mha {
namespace {

/// The weights of one query, normalised to a distribution over the keys.
class Row {
 public:
  Row(const float* weights, std::size_t keys)
      : weights_(weights), keys_(keys), total_(std::accumulate(weights, weights + keys, 0.0)) {}

  [[nodiscard]] bool hasWeight() const { return total_ > 0; }
  [[nodiscard]] std::size_t keys() const { return keys_; }
  double operator[](std::size_t j) const { return weights_[j] / total_; }

  /// The sum of p over the keys with a nonzero byte in `targets`; nothing if there are none.
  [[nodiscard]] std::optional<double> weightOn(const std::uint8_t* targets) const {
    double sum = 0.0;
    bool any = false;
    for (std::size_t j = 0; j < keys_; ++j) {
      if (targets[j] == 0) continue;
      sum += weights_[j];
      any = true;
    }
    return any ? std::optional(sum / total_) : std::nullopt;
  }

 private:
  const float* weights_;
  std::size_t keys_;
  double total_;
};

/// The weights of B·H heads (of H when there is no batch).
class HeadWeights {
 public:
  explicit HeadWeights(const TensorView& weights) : shape_(weights.shape()), data_(weights.data()) {
    if (shape_.size() != 3 && shape_.size() != 4) {
      throwShape("weights", "be (H, L, S) or (B, H, L, S)", shape_);
    }
  }

  [[nodiscard]] std::size_t perSequence() const { return shape_[shape_.size() - 3]; }
  [[nodiscard]] std::size_t queries() const { return shape_[shape_.size() - 2]; }
  [[nodiscard]] std::size_t keys() const { return shape_.back(); }
  [[nodiscard]] Row row(std::size_t head, std::size_t i) const {
    return {data_ + (head * queries() + i) * keys(), keys()};
  }

  /// The shape (H,) or (B,H).
  [[nodiscard]] Shape leading() const { return {shape_.begin(), shape_.end() - 2}; }

  /// The shape (H,`last`) or (B,H,`last`).
  [[nodiscard]] Shape leadingAnd(std::size_t last) const {
    Shape shape = leading();
    shape.push_back(last);
    return shape;
  }

 private:
  Shape shape_;
  const float* data_;
};

/// A running mean; 0 if nothing was added.
class Mean {
 public:
  void add(double x) {
    sum_ += x;
    ++count_;
  }

  [[nodiscard]] float value() const {
    return count_ == 0 ? 0.0F : static_cast<float>(sum_ / static_cast<double>(count_));
  }

 private:
  double sum_ = 0.0;
  std::size_t count_ = 0;
};

/// p·log₂(p/m), a term of the Kullback–Leibler divergence of p from m; 0 for p = 0. float32's logarithm is as
/// exact as the weights and takes a third of the bytes of double's.
double divergenceTerm(double p, double m) {
  const auto ratio = static_cast<float>(p / m);
  return ratio > 0 ? p * std::log2(ratio) : 0.0;
}

/// Entropy of p / log₂ S. Computed as 1 − D(p‖u) / log₂ S with the uniform row u, it is exact at 0 and 1.
double normalizedEntropy(const Row& p) {
  if (p.keys() == 1) return 0.0;
  const double uniform = 1.0 / static_cast<double>(p.keys());
  double divergence = 0.0;
  for (std::size_t j = 0; j < p.keys(); ++j) divergence += divergenceTerm(p[j], uniform);
  return 1.0 - divergence / std::log2(static_cast<float>(p.keys()));
}

/// 1 − the Jensen–Shannon divergence: the mean of the divergences of p and q from their mixture. The 1 is
/// summed as Σ p key by key, so that a key that only one of them attends to contributes exactly 0.
double rowSimilarity(const Row& p, const Row& q) {
  double sum = 0.0;
  for (std::size_t j = 0; j < p.keys(); ++j) {
    const double mixed = (p[j] + q[j]) / 2;
    sum += (p[j] - divergenceTerm(p[j], mixed)) + (q[j] - divergenceTerm(q[j], mixed));
  }
  return sum / 2;
}

float meanSimilarity(const HeadWeights& heads, std::size_t g, std::size_t h) {
  Mean mean;
  for (std::size_t i = 0; i < heads.queries(); ++i) {
    const Row p = heads.row(g, i);
    const Row q = heads.row(h, i);
    if (p.hasWeight() && q.hasWeight()) mean.add(rowSimilarity(p, q));
  }
  return mean.value();
}

/// The mean of Row::weightOn() over the queries of head h that have a target in `targets` (L,S).
float meanWeightOn(const HeadWeights& heads, std::size_t h, const std::uint8_t* targets) {
  Mean mean;
  for (std::size_t i = 0; i < heads.queries(); ++i) {
    const Row p = heads.row(h, i);
    if (!p.hasWeight()) continue;
    if (const auto share = p.weightOn(targets + i * heads.keys())) mean.add(*share);
  }
  return mean.value();
}

}  // namespace

Tensor entropy(const TensorView& weights) {
  const HeadWeights heads(weights);
  Tensor result = allocate(heads.leading());
  for (std::size_t h = 0; h < result.size(); ++h) {
    Mean mean;
    for (std::size_t i = 0; i < heads.queries(); ++i) {
      const Row p = heads.row(h, i);
      if (p.hasWeight()) mean.add(normalizedEntropy(p));
    }
    result.data()[h] = mean.value();
  }
  return result;
}

Tensor similarity(const TensorView& weights) {
  const HeadWeights heads(weights);
  const std::size_t size = heads.perSequence();
  Tensor result = allocate(heads.leadingAnd(size));
  float* similarities = result.data();
  for (std::size_t first = 0; first * size < result.size(); first += size) {
    for (std::size_t g = 0; g < size; ++g) {
      similarities[(first + g) * size + g] = 1.0F;
      for (std::size_t h = 0; h < g; ++h) {
        const float mean = meanSimilarity(heads, first + g, first + h);
        similarities[(first + g) * size + h] = mean;
        similarities[(first + h) * size + g] = mean;
      }
    }
  }
  return result;
}

Tensor roleScores(const TensorView& weights, const View<std::uint8_t>& targets) {
  const HeadWeights heads(weights);
  const std::size_t relationSize = heads.queries() * heads.keys();
  const Shape& shape = targets.shape();
  if (shape.size() != 3 || shape[1] != heads.queries() || shape[2] != heads.keys()) {
    throwShape("targets", "be (R, L, S) for `weights` " + toText(weights.shape()), shape);
  }
  const std::size_t relations = shape[0];
  Tensor result = allocate(heads.leadingAnd(relations));
  for (std::size_t n = 0; n < result.size(); ++n) {
    result.data()[n] = meanWeightOn(heads, n / relations, targets.data() + n % relations * relationSize);
  }
  return result;
}

}  // namespace mha
