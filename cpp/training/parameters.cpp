#include "training/parameters.hpp"

#include <algorithm>

#include "wrong_argument.hpp"

namespace mha::training {

Parameters::Slot Parameters::add(const std::string& name, const Shape& shape, bool decays) {
  const std::size_t count = sizeOf(shape);
  const std::size_t first = values_.size();
  sizeOf({first + count});
  entries_.push_back({name, shape, first, count, decays});
  values_.resize(first + count);
  gradients_.resize(first + count);
  return entries_.size() - 1;
}

std::span<float> Parameters::value(Slot slot) {
  return std::span(values_).subspan(entries_[slot].first, entries_[slot].count);
}

std::span<const float> Parameters::value(Slot slot) const {
  return std::span(values_).subspan(entries_[slot].first, entries_[slot].count);
}

std::span<float> Parameters::gradient(Slot slot) {
  return std::span(gradients_).subspan(entries_[slot].first, entries_[slot].count);
}

TensorView Parameters::view(Slot slot) const { return viewOf(value(slot).data(), entries_[slot].shape); }

void Parameters::copyTo(StateDict& dict, std::span<const float> numbers, const std::string& suffix) const {
  for (const Entry& entry : entries_) {
    dict.emplace(entry.name + suffix, viewOf(numbers.data() + entry.first, entry.shape));
  }
}

void Parameters::shapesTo(std::map<std::string, Shape>& shapes, const std::string& suffix) const {
  for (const Entry& entry : entries_) shapes.emplace(entry.name + suffix, entry.shape);
}

void Parameters::copyFrom(const StateDictView& dict, const std::string& suffix,
                          std::span<float> numbers) const {
  for (const Entry& entry : entries_) {
    std::copy_n(dict.at(entry.name + suffix).data(), entry.count, numbers.data() + entry.first);
  }
}

void Parameters::load(const StateDictView& dict) {
  std::map<std::string, Shape> shapes;
  shapesTo(shapes, "");
  requireShapes("dict", shapes, dict);
  copyFrom(dict, "", values_);
}

void requireShapes(const char* argument, const std::map<std::string, Shape>& shapes,
                   const StateDictView& dict) {
  for (const auto& [name, shape] : shapes) {
    const auto found = dict.find(name);
    if (found == dict.end()) throw WrongArgument(argument, "hold " + name + ", which is missing");
    if (Shape(found->second.shape()) != shape) {
      throwShape(name, "have shape " + toText(shape), Shape(found->second.shape()));
    }
  }
  for (const auto& [name, tensor] : dict) {
    if (!shapes.contains(name)) throw WrongArgument(argument, "hold nothing but this encoder's, got " + name);
  }
}

}  // namespace mha::training
