/// Reads choices from the bytes of libFuzzer, and reports failures.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>

#include "tensor.hpp"

namespace mha::fuzz {

/// Reads one byte per choice; after the last byte, every choice is the first.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : rest_(data, size) {}

  [[nodiscard]] bool empty() const { return rest_.empty(); }

  std::uint8_t next() {
    if (rest_.empty()) return 0;
    const std::uint8_t byte = rest_.front();
    rest_ = rest_.subspan(1);
    return byte;
  }
  /// `least` … `most`
  std::size_t between(std::size_t least, std::size_t most) { return least + next() % (most - least + 1); }
  bool flag() { return next() % 2 != 0; }
  /// True with probability 1/n.
  bool oneIn(std::size_t n) { return next() % n == n - 1; }
  template <class T, std::size_t N>
  T pick(const std::array<T, N>& choices) {
    return choices[next() % N];
  }
  std::uint64_t word() {
    std::uint64_t word = 0;
    for (int i = 0; i < 8; ++i) word = word << 8 | next();
    return word;
  }
  /// Any float32: NaNs, infinities, denormals.
  float anyFloat() {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const std::array<float, 12> special{0.0F,
                                        -0.0F,
                                        1.0F,
                                        -1.0F,
                                        std::numeric_limits<float>::quiet_NaN(),
                                        kInfinity,
                                        -kInfinity,
                                        std::numeric_limits<float>::denorm_min(),
                                        std::numeric_limits<float>::min(),
                                        std::numeric_limits<float>::max(),
                                        std::numeric_limits<float>::lowest(),
                                        1e-20F};
    return pick(special);
  }

 private:
  std::span<const std::uint8_t> rest_;
};

/// Prints the message and aborts, which libFuzzer reports as a crash.
[[noreturn]] inline void fail(const std::string& what) {
  std::fprintf(stderr, "FAILED: %s\n", what.c_str());
  std::abort();
}

inline void require(bool holds, const std::string& what) {
  if (!holds) fail(what);
}

/// Whether `call` throws because of its arguments: an error that names an argument, or one for sizes that
/// exceed the address space. Any other exception aborts.
template <class Call>
bool refused(const Call& call) {
  try {
    call();
    return false;
  } catch (const std::out_of_range& error) {
    const std::string message = error.what();
    require(message.starts_with('`') && message.find("` must ") != std::string::npos,
            "no sentence about an argument: " + message);
  } catch (const std::length_error& error) {
    require(std::string(error.what()) != "", "no word about what is too large");
  }
  return true;
}

/// Changes the rank, or the length of one dimension.
inline void misshape(Bytes& bytes, Shape& shape) {
  const std::size_t at = shape.empty() ? 0 : bytes.next() % shape.size();
  switch (bytes.between(0, 5)) {
    case 0:
      if (!shape.empty()) shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(at));
      break;
    case 1:
      shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(at), bytes.between(0, 3));
      break;
    case 2:
      shape.push_back(1);
      break;
    default:
      if (!shape.empty()) shape[at] = bytes.between(0, 20);
  }
}

/// A copy of a state dict in which every number differs.
template <class Dict>
Dict shifted(Dict dict) {
  for (auto& [name, tensor] : dict) {
    for (float& x : tensor) x += 1.0F;
  }
  return dict;
}

/// A tensor in memory of exactly its size, so that AddressSanitizer detects reads beyond it.
template <class T>
struct Block {
  Shape shape;
  std::vector<T> values;

  [[nodiscard]] View<T> view() const { return viewOf(values.data(), shape); }
};

template <class T, class Draw>
Block<T> blockOf(const Shape& shape, const Draw& draw) {
  Block<T> block{shape, std::vector<T>(sizeOf(shape))};
  for (T& value : block.values) value = draw();
  return block;
}

}  // namespace mha::fuzz
