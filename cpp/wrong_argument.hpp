/// The exception for wrong arguments.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

namespace mha {

/// An argument of a wrong size or value: what() is "`argument` must …". JavaScript gets a RangeError whose
/// `argument` is the name.
class WrongArgument : public std::out_of_range {
 public:
  WrongArgument(std::string argument, const std::string& requirement)
      : std::out_of_range("`" + argument + "` must " + requirement), argument_(std::move(argument)) {}

  [[nodiscard]] const std::string& argument() const { return argument_; }

 private:
  std::string argument_;
};

/// @throws WrongArgument when `value` is 0
inline void requirePositive(const char* argument, std::size_t value) {
  if (value == 0) throw WrongArgument(argument, "be at least 1, got 0");
}

}  // namespace mha
