/// How wrong arguments are refused.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace mha {

/// An argument of a wrong size or value: what() is "`argument` must …". JavaScript gets a RangeError with the
/// name.
class WrongArgument : public std::out_of_range {
 public:
  WrongArgument(std::string argument, const std::string& requirement)
      : std::out_of_range("`" + argument + "` must " + requirement), argument_(std::move(argument)) {}

  [[nodiscard]] const std::string& argument() const { return argument_; }

 private:
  std::string argument_;
};

}  // namespace mha
