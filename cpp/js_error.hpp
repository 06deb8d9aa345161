/// C++ exceptions as JavaScript errors.
#pragma once

#include <new>
#include <stdexcept>
#include <string>

namespace mha {

/// A JavaScript error: the name of its class and its message.
struct JsError {
  const char* type;
  std::string message;
};

/// The error for the exception that is being handled: to be called in a `catch (...)`.
inline JsError currentJsError() {
  constexpr const char* kTooLarge = "out of memory: the tensors of this call are too large";
  try {
    throw;
  } catch (const std::invalid_argument& error) {
    return {"TypeError", error.what()};
  } catch (const std::out_of_range& error) {
    return {"RangeError", error.what()};
  } catch (const std::length_error&) {
    return {"RangeError", kTooLarge};
  } catch (const std::bad_alloc&) {
    return {"RangeError", kTooLarge};
  } catch (const std::exception& error) {
    return {"Error", error.what()};
  } catch (...) {
    return {"Error", "the WebAssembly module failed without saying why"};
  }
}

}  // namespace mha
