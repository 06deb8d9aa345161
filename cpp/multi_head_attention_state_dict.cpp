#include <algorithm>
#include <array>

#include "multi_head_attention.hpp"
#include "wrong_argument.hpp"

namespace mha {
namespace {

Tensor weightOf(const Linear& linear) {
  Tensor weight = allocate({linear.outFeatures(), linear.inFeatures()});
  linear.copyWeight(weight.data());
  return weight;
}

}  // namespace

bool MultiHeadAttention::packsInProjection() const {
  const std::size_t e = config_.embedDim;
  return config_.kdim == e && config_.vdim == e && query_.outFeatures() == e && key_.outFeatures() == e &&
         value_.outFeatures() == e;
}

StateDict MultiHeadAttention::stateDict() const {
  StateDict dict;
  const std::array<const Linear*, 3> projections{&query_, &key_, &value_};
  if (packsInProjection()) {
    Tensor packed = allocate({3 * config_.embedDim, config_.embedDim});
    float* next = packed.data();
    for (const Linear* projection : projections) {
      projection->copyWeight(next);
      next += projection->outFeatures() * projection->inFeatures();
    }
    dict.emplace("in_proj_weight", std::move(packed));
  } else {
    dict.emplace("q_proj_weight", weightOf(query_));
    dict.emplace("k_proj_weight", weightOf(key_));
    dict.emplace("v_proj_weight", weightOf(value_));
  }
  dict.emplace("out_proj.weight", weightOf(output_));
  if (config_.bias) {
    Tensor inBias = allocate({query_.outFeatures() + key_.outFeatures() + value_.outFeatures()});
    float* next = inBias.data();
    for (const Linear* projection : projections) {
      projection->copyBias(next);
      next += projection->outFeatures();
    }
    dict.emplace("in_proj_bias", std::move(inBias));
    Tensor outBias = allocate({output_.outFeatures()});
    output_.copyBias(outBias.data());
    dict.emplace("out_proj.bias", std::move(outBias));
  }
  if (config_.addBiasKv) {
    // Of the shape that torch gives them.
    dict.emplace("bias_k", viewOf(biasK_.data(), {1, 1, biasK_.size()}));
    dict.emplace("bias_v", viewOf(biasV_.data(), {1, 1, biasV_.size()}));
  }
  return dict;
}

std::map<std::string, Shape> MultiHeadAttention::expectedShapes(bool packed) const {
  const std::size_t inOut = query_.outFeatures() + key_.outFeatures() + value_.outFeatures();
  std::map<std::string, Shape> shapes{{"out_proj.weight", {output_.outFeatures(), output_.inFeatures()}}};
  if (packed) {
    shapes["in_proj_weight"] = {inOut, config_.embedDim};
  } else {
    shapes["q_proj_weight"] = {query_.outFeatures(), query_.inFeatures()};
    shapes["k_proj_weight"] = {key_.outFeatures(), key_.inFeatures()};
    shapes["v_proj_weight"] = {value_.outFeatures(), value_.inFeatures()};
  }
  if (config_.bias) {
    shapes["in_proj_bias"] = {inOut};
    shapes["out_proj.bias"] = {output_.outFeatures()};
  }
  if (config_.addBiasKv) {
    shapes["bias_k"] = {1, 1, key_.outFeatures()};
    shapes["bias_v"] = {1, 1, value_.outFeatures()};
  }
  return shapes;
}

void MultiHeadAttention::loadStateDict(const StateDictView& dict) {
  const bool packed = dict.contains("in_proj_weight");
  if (packed && (config_.kdim != config_.embedDim || config_.vdim != config_.embedDim)) {
    throw WrongArgument("in_proj_weight",
                        "not be used where kdim or vdim differ from embedDim; give q_proj_weight, "
                        "k_proj_weight and v_proj_weight");
  }
  const std::map<std::string, Shape> expected = expectedShapes(packed);
  std::string names;
  for (const auto& [name, shape] : expected) names += (names.empty() ? "" : ", ") + name;
  for (const auto& [name, shape] : expected) {
    const auto found = dict.find(name);
    if (found == dict.end()) {
      throw WrongArgument("dict", "hold " + names + "; " + name + " is missing");
    }
    if (Shape(found->second.shape()) != shape) {
      throwShape(name, "have shape " + toText(shape), Shape(found->second.shape()));
    }
  }
  for (const auto& [name, tensor] : dict) {
    if (!expected.contains(name)) {
      throw WrongArgument("dict", "hold " + names + " and nothing else, got " + name);
    }
  }

  record_.valid = false;
  const float* inBias = config_.bias ? dict.at("in_proj_bias").data() : nullptr;
  const float* packedWeight = packed ? dict.at("in_proj_weight").data() : nullptr;
  const std::array<std::pair<Linear*, const char*>, 3> projections{
      {{&query_, "q_proj_weight"}, {&key_, "k_proj_weight"}, {&value_, "v_proj_weight"}}};
  for (const auto& [projection, name] : projections) {
    projection->set(packed ? packedWeight : dict.at(name).data(), inBias);
    if (packed) packedWeight += projection->outFeatures() * projection->inFeatures();
    if (inBias != nullptr) inBias += projection->outFeatures();
  }
  output_.set(dict.at("out_proj.weight").data(), config_.bias ? dict.at("out_proj.bias").data() : nullptr);
  if (config_.addBiasKv) {
    std::copy_n(dict.at("bias_k").data(), biasK_.size(), biasK_.data());
    std::copy_n(dict.at("bias_v").data(), biasV_.size(), biasV_.data());
  }
}

std::size_t MultiHeadAttention::parameterCount() const {
  std::size_t count = 0;
  for (const auto& [name, shape] : expectedShapes(false)) count += sizeOf(shape);
  return count;
}

}  // namespace mha
