#include "js_error.hpp"

#include <gtest/gtest.h>

namespace mha::js_error_test {

/// The JavaScript error for `thrown`: class, message and, if there is one, argument.
template <class Thrown>
std::string errorFor(const Thrown& thrown) {
  try {
    throw thrown;
  } catch (...) {
    const JsError error = currentJsError();
    const std::string argument = error.argument.empty() ? "" : " (" + error.argument + ")";
    return error.type + (": " + error.message) + argument;
  }
}

TEST(JsError, OfInvalidArgumentIsTypeError) {
  EXPECT_EQ(errorFor(std::invalid_argument("`x` must be a list")), "TypeError: `x` must be a list");
}

TEST(JsError, OfOutOfRangeIsRangeError) {
  EXPECT_EQ(errorFor(std::out_of_range("`x` must be 1")), "RangeError: `x` must be 1");
}

TEST(JsError, OfWrongArgumentHasItsName) {
  EXPECT_EQ(errorFor(WrongArgument("rope.dim", "be even, got 3")),
            "RangeError: `rope.dim` must be even, got 3 (rope.dim)");
}

TEST(JsError, OfBadAllocAndLengthErrorIsRangeError) {
  const std::string expected = "RangeError: out of memory: the tensors of this call are too large";
  EXPECT_EQ(errorFor(std::length_error("vector")), expected);
  EXPECT_EQ(errorFor(std::bad_alloc()), expected);
  EXPECT_EQ(errorFor(std::bad_array_new_length()), expected);
}

TEST(JsError, OfOtherExceptionsIsErrorWithTheirMessage) {
  EXPECT_EQ(errorFor(std::runtime_error("the file ended")), "Error: the file ended");
  EXPECT_EQ(errorFor(std::logic_error("never")), "Error: never");
  EXPECT_EQ(errorFor(std::overflow_error("too large")), "Error: too large");
}

TEST(JsError, OfAnyOtherThrownValueIsError) {
  EXPECT_EQ(errorFor(7), "Error: the WebAssembly module failed without saying why");
  EXPECT_EQ(errorFor("text"), "Error: the WebAssembly module failed without saying why");
}

}  // namespace mha::js_error_test
