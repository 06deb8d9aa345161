/// Layer normalisation with its parameters.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "scratch.hpp"
#include "training/parameters.hpp"

namespace mha::training {

/// y = layerNorm(x)·weight + bias, row by row. @see torch.nn.LayerNorm
class Norm {
 public:
  /// Adds `name`.weight (ones) and `name`.bias (zeros) to `parameters`.
  Norm(std::size_t width, const std::string& name, Parameters& parameters);

  /// Copies the current values from `parameters`.
  void load(const Parameters& parameters);

  /// Computes y from x, both (rows,width), and stores what backward() needs. @throws std::bad_alloc
  void forward(std::size_t rows, const float* x, float* y);

  /// Given the gradient of y (rows,width), adds that of the last forward's x to `gradX` and writes those of
  /// the parameters to `parameters`.
  void backward(std::size_t rows, const float* gradY, float* gradX, Parameters& parameters);

 private:
  std::size_t width_;
  Parameters::Slot weightSlot_;
  Parameters::Slot biasSlot_;
  std::vector<float> weight_;
  std::vector<float> bias_;
  Scratch normalized_;         // (rows,width)
  Scratch inverseDeviations_;  // (rows,)
};

}  // namespace mha::training
