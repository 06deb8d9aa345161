#include "training/feed_forward.hpp"

#include "elementwise.hpp"
#include "transformer/gelu.hpp"

namespace mha::training {

FeedForward::FeedForward(std::size_t width, std::size_t innerWidth, const std::string& prefix,
                         Parameters& parameters, DefaultRng& generator)
    : width_(width),
      innerWidth_(innerWidth),
      norm_(width, prefix + "norm2", parameters),
      first_(width, innerWidth, prefix + "linear1", parameters, generator),
      second_(innerWidth, width, prefix + "linear2", parameters, generator) {}

void FeedForward::load(const Parameters& parameters) {
  norm_.load(parameters);
  first_.load(parameters);
  second_.load(parameters);
}

void FeedForward::forward(std::size_t rows, float* h) {
  const std::size_t outer = sizeOf({rows, width_});
  const std::size_t inner = sizeOf({rows, innerWidth_});
  float* normed = normed_.ensure(outer);
  float* activated = activated_.ensure(inner);
  float* slopes = slopes_.ensure(inner);
  norm_.forward(rows, h, normed);
  first_.forward(rows, normed, slopes);
  gelu(inner, slopes, activated, slopes);
  float* output = outer_.ensure(outer);
  second_.forward(rows, activated, output);
  addTo(h, output, outer);
}

void FeedForward::backward(std::size_t rows, float* grad, Parameters& parameters) {
  float* inner = inner_.ensure(rows * innerWidth_);
  float* outer = outer_.ensure(rows * width_);
  second_.backward(rows, activated_.data(), grad, inner, parameters);
  geluBackward(rows * innerWidth_, slopes_.data(), inner);
  first_.backward(rows, normed_.data(), inner, outer, parameters);
  norm_.backward(rows, outer, grad, parameters);
}

}  // namespace mha::training
