/// Converts C++ exceptions to JavaScript errors.
#pragma once

#include <new>
#include <stdexcept>
#include <string>

#include "wrong_argument.hpp"

namespace mha {

/// A JavaScript error: the name of its class, its message, and the name of the wrong argument, "" if none is.
struct JsError {
  const char* type;
  std::string message;
  std::string argument = {};
};

/// The message of a RangeError when memory has run out or a size is beyond any memory.
inline constexpr const char* kOutOfMemory = "out of memory: the tensors of this call are too large";

/// The error for the exception that is being handled; call it in `catch (...)`.
inline JsError currentJsError() {
  try {
    throw;
  } catch (const WrongArgument& error) {
    return {"RangeError", error.what(), error.argument()};
  } catch (const std::invalid_argument& error) {
    return {"TypeError", error.what()};
  } catch (const std::out_of_range& error) {
    return {"RangeError", error.what()};
  } catch (const std::length_error&) {
    return {"RangeError", kOutOfMemory};
  } catch (const std::bad_alloc&) {
    return {"RangeError", kOutOfMemory};
  } catch (const std::exception& error) {
    return {"Error", error.what()};
  } catch (...) {
    return {"Error", "the WebAssembly module failed without saying why"};
  }
}

}  // namespace mha
