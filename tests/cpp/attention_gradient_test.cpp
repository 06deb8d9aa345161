#include "attention_gradient.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "random_tensor.hpp"
#include "reference.hpp"

namespace attention_gradient_test {

using mha::Heads;
using mha::Tensor;
using mha::test::randomTensor;
using mha::test::Reference;
using mha::test::relativeError;
using mha::test::timesTransposed;

constexpr std::size_t kQueries = 4;
constexpr std::size_t kKeys = 20'000;
constexpr std::size_t kDim = 16;
constexpr float kScale = 0.25F;

struct Gradients {
  Tensor query;
  Tensor key;
};

Heads<const float> asOneHead(const Tensor& x) { return {x.data(), x.size(), x.size(), kDim}; }
Heads<float> asOneHead(Tensor& x) { return {x.data(), x.size(), x.size(), kDim}; }

Tensor asFloat(const Reference& x) { return xt::cast<float>(x); }
Reference asDouble(const Tensor& x) { return xt::cast<double>(x); }

/// One head with many keys, the dropout factors of its weights (L,S) and a soft cap (0: none).
class ManyKeys {
 public:
  ManyKeys(float keyOffset, float valueOffset, Tensor factors, double softcap)
      : query_(randomTensor({kQueries, kDim}, 1)),
        key_(randomTensor({kKeys, kDim}, 2) + keyOffset),
        value_(randomTensor({kKeys, kDim}, 3) + valueOffset),
        gradContext_(randomTensor({kQueries, kDim}, 4)),
        factors_(std::move(factors)),
        softcap_(softcap),
        scaled_(timesTransposed(asDouble(query_), asDouble(key_)) * static_cast<double>(kScale)) {
    if (softcap > 0.0) scaled_ = softcap * xt::tanh(scaled_ / softcap);
    weights_ = mha::test::softmax(scaled_);
  }

  [[nodiscard]] Gradients computed() const {
    const Tensor weights = asFloat(weights_);
    const Tensor dropped = weights * factors_;
    const Tensor scaled = asFloat(scaled_);
    Gradients gradients{mha::allocate({kQueries, kDim}), mha::allocate({kKeys, kDim})};
    Tensor gradValue = mha::allocate({kKeys, kDim});
    mha::AttentionGradient gradient;
    gradient({.batch = 1,
              .heads = 1,
              .kvHeads = 1,
              .queries = kQueries,
              .keys = kKeys,
              .headDim = kDim,
              .valueHeadDim = kDim},
             {.inputs = {asOneHead(query_), asOneHead(key_), asOneHead(value_)},
              .softmaxWeights = weights.data(),
              .droppedWeights = dropped.data(),
              .scaled = softcap_ > 0.0 ? scaled.data() : nullptr,
              .scale = kScale,
              .softcap = static_cast<float>(softcap_),
              .gradContext = asOneHead(gradContext_)},
             {asOneHead(gradients.query), asOneHead(gradients.key), asOneHead(gradValue)});
    return gradients;
  }

  [[nodiscard]] std::pair<Reference, Reference> expected() const {
    const Reference shares =
        weights_ * asDouble(factors_) * timesTransposed(asDouble(gradContext_), asDouble(value_));
    const Reference total = xt::sum(shares, {1}, xt::keep_dims);
    Reference slopes = (shares - weights_ * total) * static_cast<double>(kScale);
    if (softcap_ > 0.0) slopes = slopes * (1.0 - xt::square(scaled_ / softcap_));
    return {timesTransposed(slopes, xt::transpose(asDouble(key_))),
            timesTransposed(xt::transpose(slopes), xt::transpose(asDouble(query_)))};
  }

 private:
  Tensor query_;
  Tensor key_;
  Tensor value_;
  Tensor gradContext_;
  Tensor factors_;
  double softcap_;
  Reference scaled_;
  Reference weights_;
};

void expectClose(const ManyKeys& keys, double tolerance) {
  const Gradients got = keys.computed();
  const auto [query, key] = keys.expected();
  EXPECT_LE(relativeError(got.query, query), tolerance);
  EXPECT_LE(relativeError(got.key, key), tolerance);
}

Tensor nothingDropped() { return xt::ones<float>({kQueries, kKeys}); }

// A common offset of the values shifts the gradient of every weight equally, which softmax cancels. The error
// of PyTorch is 2.9e-4 here.
TEST(AttentionGradient, OfManyKeysDoesNotDependOnAnOffsetOfTheValues) {
  expectClose({0.0F, 0.0F, nothingDropped(), 0.0}, 1e-6);
  expectClose({0.0F, 100.0F, nothingDropped(), 0.0}, 3e-5);
}

TEST(AttentionGradient, OfManyKeysDoesNotDependOnAnOffsetOfTheKeys) {
  expectClose({10.0F, 10.0F, nothingDropped(), 0.0}, 1e-5);
}

TEST(AttentionGradient, OfManyKeysWithDropoutEqualsDoublePrecision) {
  Tensor factors = nothingDropped();
  for (std::size_t i = 0; i < factors.size(); i += 3) factors.data()[i] = 0.0F;
  expectClose({0.0F, 100.0F, 1.5F * factors, 0.0}, 3e-5);
}

TEST(AttentionGradient, OfManyKeysWithSoftcapEqualsDoublePrecision) {
  expectClose({0.0F, 100.0F, nothingDropped(), 2.0}, 3e-5);
}

}  // namespace attention_gradient_test
