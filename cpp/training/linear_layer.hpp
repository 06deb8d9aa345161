/// A linear layer for training.
#pragma once

#include <cstddef>
#include <string>

#include "linear.hpp"
#include "linear_gradient.hpp"
#include "numpy_random.hpp"
#include "training/parameters.hpp"

namespace mha::training {

/// y = x·Wᵀ + b. @see torch.nn.Linear
class LinearLayer {
 public:
  /// Uses a weight (out,in) and a bias (out,) that are in the Parameters already and may be shared.
  LinearLayer(std::size_t in, std::size_t out, Parameters::Slot weight, Parameters::Slot bias);

  /// Adds `name`.weight and `name`.bias to `parameters`, drawn from U(±1/√in) as in torch.
  LinearLayer(std::size_t in, std::size_t out, const std::string& name, Parameters& parameters,
              DefaultRng& generator);

  /// Copies the current values from `parameters`.
  void load(const Parameters& parameters);

  /// Computes y (rows,out) from x (rows,in). @throws std::bad_alloc, std::length_error
  void forward(std::size_t rows, const float* x, float* y);

  /// Writes the gradients of x (rows,in) and of the parameters, given x and the gradient of y (rows,out).
  /// @throws std::bad_alloc, std::length_error
  void backward(std::size_t rows, const float* x, const float* gradY, float* gradX, Parameters& parameters);

 private:
  Linear linear_;
  Parameters::Slot weight_;
  Parameters::Slot bias_;
  LinearGradient gradient_;
  PackedInput packed_;
};

}  // namespace mha::training
