#include "models/row_map.hpp"

#include <algorithm>

#include "elementwise.hpp"
#include "transformer/norm.hpp"
#include "wrong_argument.hpp"

namespace mha::models {

void Norm::apply(std::size_t rows, const float* x, float* y) {
  const std::size_t width = weight_.size();
  if (kind_ == NormKind::rms) {
    rmsNorm(rows, width, x, weight_.data(), epsilon_, y);
  } else {
    layerNorm(rows, width, x, weight_.data(), bias_.data(), y, y, inverseDeviations_.ensure(rows), epsilon_);
  }
}

void Norm::nameParameters(const std::string& prefix, Parameters& parameters) {
  parameters.addVector(prefix + ".weight", weight_, offset_);
  if (kind_ == NormKind::layer) parameters.addVector(prefix + ".bias", bias_);
}

void RowMap::addLinear(std::size_t out, WeightStorage storage) {
  RowStage& stage = stages_.emplace_back();
  stage.linear.emplace_back(out_, out, storage);
  out_ = out;
}

void RowMap::addScale(float scale) { stages_.emplace_back().scale = scale; }

void RowMap::addActivation(ActivationFunction function) { stages_.emplace_back().activation = function; }

void RowMap::addNorm(const NormRules& rules) { stages_.emplace_back().norm.emplace_back(rules, out_); }

void RowMap::addSoftcap(float softcap) { stages_.emplace_back().softcap = softcap; }

const float* RowMap::apply(std::size_t rows, const float* x) {
  const float* current = x;
  std::size_t width = in_;
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    RowStage& stage = stages_[i];
    const std::size_t out = stage.linear.empty() ? width : stage.linear.front().outFeatures();
    float* next = buffers_[i % 2].ensure(sizeOf({rows, out}));
    if (!stage.linear.empty()) {
      input_.set(rows, width, current);
      stage.linear.front().apply(input_, next);
    } else {
      std::copy_n(current, rows * width, next);
    }
    if (stage.scale != 1.0F) scaleBy(next, rows * out, stage.scale);
    activate(stage.activation, rows * out, next);
    if (!stage.norm.empty()) stage.norm.front().apply(rows, next, next);
    if (stage.softcap != 0.0F) {
      scaleBy(next, rows * out, 1.0F / stage.softcap);
      activate(ActivationFunction::tanh, rows * out, next);
      scaleBy(next, rows * out, stage.softcap);
    }
    current = next;
    width = out;
  }
  return current;
}

const LinearMap& RowMap::lastLinear() const {
  const auto last = std::ranges::find_if(stages_.rbegin(), stages_.rend(),
                                         [](const RowStage& stage) { return !stage.linear.empty(); });
  if (last == stages_.rend()) throw WrongArgument("map", "have a linear stage");
  return last->linear.front();
}

void RowMap::copyWeightRow(std::size_t index, float* row) const {
  if (index >= lastLinear().outFeatures()) {
    throw WrongArgument(
        "index", "be below " + std::to_string(lastLinear().outFeatures()) + ", got " + std::to_string(index));
  }
  lastLinear().copyWeightRow(index, row);
}

void RowMap::nameParameters(const std::string& prefix, Parameters& parameters) {
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    const std::string name = prefix + "." + std::to_string(i);
    for (LinearMap& linear : stages_[i].linear) parameters.addLinear(name, linear);
    for (Norm& norm : stages_[i].norm) norm.nameParameters(name, parameters);
  }
}

}  // namespace mha::models
