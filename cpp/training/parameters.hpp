/// The parameters of a model and their gradients.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "multi_head_attention.hpp"
#include "numpy_random.hpp"
#include "tensor.hpp"

namespace mha::training {

/// Named parameters side by side in one array, and their gradients in another, so that the optimiser goes
/// over all of them in one loop.
class Parameters {
 public:
  /// Which parameter, for the calls below.
  using Slot = std::size_t;

  /// A new parameter, zero until it is set. Those that do not decay are left alone by weight decay.
  /// @throws std::bad_alloc, std::length_error
  Slot add(const std::string& name, const Shape& shape, bool decays);

  [[nodiscard]] std::size_t size() const { return values_.size(); }
  [[nodiscard]] std::span<float> values() { return values_; }
  [[nodiscard]] std::span<const float> values() const { return values_; }
  [[nodiscard]] std::span<float> gradients() { return gradients_; }
  [[nodiscard]] std::span<const float> gradients() const { return gradients_; }

  /// Valid until the next add().
  [[nodiscard]] std::span<float> value(Slot slot);
  [[nodiscard]] std::span<const float> value(Slot slot) const;
  [[nodiscard]] std::span<float> gradient(Slot slot);
  [[nodiscard]] TensorView view(Slot slot) const;

  /// Calls take(first, count, decays) for every parameter, where it stands in the arrays.
  template <class Take>
  void forEach(const Take& take) const {
    for (const Entry& entry : entries_) take(entry.first, entry.count, entry.decays);
  }

  /// Copies `numbers` (size(),), laid out as the parameters, under their names with `suffix`.
  void copyTo(StateDict& dict, std::span<const float> numbers, const std::string& suffix) const;

  /// The shapes that copyTo() gives, added to `shapes`.
  void shapesTo(std::map<std::string, Shape>& shapes, const std::string& suffix) const;

  /// Copies into `numbers` (size(),) what stands in `dict` under the names with `suffix`; all must be there.
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

/// @throws std::out_of_range when `dict`, the argument of that name, does not hold just these names and
/// shapes
void requireShapes(const char* argument, const std::map<std::string, Shape>& shapes,
                   const StateDictView& dict);

/// Draws from U(−bound, bound).
void drawUniform(DefaultRng& generator, double bound, std::span<float> into);

/// Draws from N(0, deviation²).
void drawNormal(DefaultRng& generator, double deviation, std::span<float> into);

}  // namespace mha::training
