/// Shared by the Embind tables: copies tensors in and out, and turns C++ exceptions into JavaScript errors.
#pragma once

#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <cstdint>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gemm.hpp"
#include "instruction_set.hpp"
#include "js_error.hpp"
#include "multi_head_attention.hpp"
#include "numpy_random.hpp"
#include "parallel.hpp"
#include "tensor.hpp"
#include "wrong_argument.hpp"

namespace mha::embind {

using emscripten::val;

[[noreturn]] inline void throwJs(const JsError& error) {
  val thrown = val::global(error.type).new_(error.message);
  if (!error.argument.empty()) thrown.set("argument", error.argument);
  thrown.throw_();
  __builtin_unreachable();
}

/// Takes no memory, unlike throwJs(): there may be none left.
[[noreturn]] inline void throwOutOfMemory() {
  val::global("RangeError").new_(val(kOutOfMemory)).throw_();
  __builtin_unreachable();
}

/// Throws the JavaScript error for the exception that is being handled; call it in `catch (...)`.
[[noreturn, gnu::noinline]] inline void rethrowJs() {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    throwOutOfMemory();
  } catch (...) {
    throwJs(currentJsError());
  }
}

/// Runs `call` and rethrows its C++ exceptions as JavaScript errors.
template <class Call>
auto guarded(Call call) -> decltype(call()) {
  try {
    requireThreads();
    return call();
  } catch (...) {
    rethrowJs();
  }
}

template <class T>
inline constexpr const char* kArrayName = "Float32Array";
template <>
inline constexpr const char* kArrayName<double> = "Float64Array";
template <>
inline constexpr const char* kArrayName<std::size_t> = "Uint32Array";

inline Shape shapeFrom(const val& block) {
  const auto lengths = emscripten::vecFromJSArray<std::size_t>(block["shape"]);
  return {lengths.begin(), lengths.end()};
}

/// A tensor copied in from JavaScript.
template <class T>
class Incoming {
 public:
  explicit Incoming(const val& block) : Incoming(block["data"], shapeFrom(block)) {}

  [[nodiscard]] View<T> view() const { return viewOf(data_.data(), shape_); }

  [[nodiscard]] std::vector<T> take() { return std::move(data_); }

  /// The values as structs of such values.
  template <class Struct>
  [[nodiscard]] std::span<const Struct> as() const {
    return {reinterpret_cast<const Struct*>(data_.data()), data_.size() * sizeof(T) / sizeof(Struct)};
  }

 private:
  Incoming(const val& data, Shape shape) : shape_(std::move(shape)) {
    const auto size = data["length"].as<std::size_t>();
    // web/api has checked the length, but the buffer may have been transferred or shrunk since.
    if (size != sizeOf(shape_)) {
      throwShape("data", "have " + std::to_string(size) + " values, as many as came", shape_);
    }
    data_.resize(size);
    val(emscripten::typed_memory_view(size, data_.data())).call<void>("set", data);
  }

  Shape shape_;
  std::vector<T> data_;  // filled with zeros, because a shrunk array fills only a part
};

/// Copies `data` (size,) to a new typed array.
template <class T>
val typedArray(const T* data, std::size_t size) {
  // The constructor is looked up once: for a short sentence, that takes as long as the arithmetic.
  // NOLINTNEXTLINE(bugprone-dynamic-static-initializers): initialised at the first call, in no fixed order
  static const val constructor = val::global(kArrayName<T>);
  return constructor.new_(emscripten::typed_memory_view(size, data));
}

/// { data, shape } for a tensor whose values are already in `data`.
inline val block(const val& data, const Tensor& tensor) {
  val result = val::object();
  result.set("data", data);
  result.set("shape", typedArray(tensor.shape().data(), tensor.dimension()));
  return result;
}

inline val block(const Tensor& tensor) { return block(typedArray(tensor.data(), tensor.size()), tensor); }

/// An object of tensors by name, copied in from JavaScript.
class IncomingDict {
 public:
  explicit IncomingDict(const val& dict) {
    // Reads entries instead of looking up names: a name that is not well-formed Unicode changes when it is
    // converted to UTF-8, and `dict` has no such key.
    const val entries = val::global("Object").call<val>("entries", dict);
    for (const val& entry : emscripten::vecFromJSArray<val>(entries)) {
      tensors_.emplace(entry[0].as<std::string>(), Incoming<float>(entry[1]));
    }
  }

  [[nodiscard]] StateDictView view() const {
    StateDictView views;
    for (const auto& [name, tensor] : tensors_) views.emplace(name, tensor.view());
    return views;
  }

 private:
  std::map<std::string, Incoming<float>> tensors_;
};

/// A JavaScript object of tensors by name.
inline val block(const StateDict& dict) {
  val object = val::object();
  for (const auto& [name, tensor] : dict) object.set(name, block(tensor));
  return object;
}

/// The position of the string `value` in `names`. @throws WrongArgument for any other string
inline int positionIn(std::initializer_list<const char*> names, const char* argument, const val& value) {
  const auto given = value.as<std::string>();
  int position = 0;
  std::string all;
  for (const char* name : names) {
    if (given == name) return position;
    all.append(position++ == 0 ? "be one of " : ", ").append(name);
  }
  throw WrongArgument(argument, all + ", got " + given);
}

/// The enumerator that `value` names; `names` are in the order of Enum.
template <class Enum>
Enum enumeratorOf(const char* argument, const val& value, std::initializer_list<const char*> names) {
  return static_cast<Enum>(positionIn(names, argument, value));
}

/// Seeds are whole numbers up to 2⁵³ − 1, because JavaScript numbers are doubles.
inline std::uint64_t seedFrom(const val& seed) { return static_cast<std::uint64_t>(seed.as<double>()); }

inline DefaultRng* makeDefaultRng(double seed) {
  return guarded([&] { return new DefaultRng(static_cast<std::uint64_t>(seed)); });
}

template <class Generator>
val normal(Generator& generator, double loc, double scale, std::size_t size) {
  return guarded([&] {
    std::vector<double> draws(size);
    generator.normal(loc, scale, draws);
    return typedArray(draws.data(), size);
  });
}

template <class Generator>
val random(Generator& generator, std::size_t size) {
  return guarded([&] {
    std::vector<double> draws(size);
    generator.random(draws);
    return typedArray(draws.data(), size);
  });
}

/// What every binary has, for EMSCRIPTEN_BINDINGS.
inline void bindEngine() {
  emscripten::constant("build", std::string(instructionSet()));
  emscripten::function("useTallTiles", &useTallTiles);
  emscripten::function("threadCount", &threadCount);
#ifdef MHA_THREADS
  emscripten::function("startThreads", &startThreads);
  emscripten::function("runningThreads", &runningThreads);
  emscripten::function("threadsAreLost", &threadsAreLost);
#endif
}

}  // namespace mha::embind
