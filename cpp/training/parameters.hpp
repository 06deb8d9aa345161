/// The parameters of a model and their gradients.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "multi_head_attention.hpp"
#include "tensor.hpp"

namespace mha::training {

/// Named parameters in one contiguous array, and their gradients in another, for the optimiser's loops.
class Parameters {
 public:
  /// Identifies a parameter.
  using Slot = std::size_t;

  /// Adds a parameter of zeros. `decays`: whether weight decay applies to it.
  /// @throws std::bad_alloc, std::length_error
  Slot add(const std::string& name, const Shape& shape, bool decays);

  [[nodiscard]] std::size_t size() const { return values_.size(); }
  [[nodiscard]] std::span<float> values() { return values_; }
  [[nodiscard]] std::span<const float> values() const { return values_; }
  [[nodiscard]] std::span<float> gradients() { return gradients_; }
  [[nodiscard]] std::span<const float> gradients() const { return gradients_; }

  /// The values of a parameter, valid until the next add().
  [[nodiscard]] std::span<float> value(Slot slot);
  [[nodiscard]] std::span<const float> value(Slot slot) const;
  [[nodiscard]] std::span<float> gradient(Slot slot);
  [[nodiscard]] TensorView view(Slot slot) const;

  /// Calls visit(first, count, decays) for every parameter; it has the elements first … first + count − 1.
  template <class Visit>
  void forEach(const Visit& visit) const {
    for (const Entry& entry : entries_) visit(entry.first, entry.count, entry.decays);
  }

  /// Adds copies of `numbers` (size(),), which are laid out like the parameters, to `dict`, under the names
  /// of the parameters with `suffix`.
  void copyTo(StateDict& dict, std::span<const float> numbers, const std::string& suffix) const;

  /// Adds the names and shapes that copyTo() writes to `shapes`.
  void shapesTo(std::map<std::string, Shape>& shapes, const std::string& suffix) const;

  /// Copies tensors from `dict`, which must have all names, to `numbers`: the reverse of copyTo().
  void copyFrom(const StateDictView& dict, const std::string& suffix, std::span<float> numbers) const;

  /// Replaces all values. @throws std::out_of_range when a parameter is missing, unknown or of the wrong
  /// shape
  void load(const StateDictView& dict);

 private:
  struct Entry {
    std::string name;
    Shape shape;
    std::size_t first;
    std::size_t count;
    bool decays;
  };

  std::vector<Entry> entries_;
  std::vector<float> values_;
  std::vector<float> gradients_;
};

/// @throws std::out_of_range if `dict`, the argument named `argument`, has other names or shapes
void requireShapes(const char* argument, const std::map<std::string, Shape>& shapes,
                   const StateDictView& dict);

}  // namespace mha::training
