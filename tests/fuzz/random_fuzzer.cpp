/// Compares the generators, in any order of calls, with the standard library's Mersenne Twister and
/// logarithms.

#include <bit>
#include <cmath>
#include <optional>
#include <random>
#include <vector>

#include "bytes.hpp"
#include "numpy_log.hpp"
#include "numpy_random.hpp"

namespace {

using mha::fuzz::Bytes;
using mha::fuzz::refused;
using mha::fuzz::require;

/// Any double that numpyLog() is defined for.
double between0And1(Bytes& bytes) {
  const double x = std::abs(std::bit_cast<double>(bytes.word()));
  const double inside = x < 1.0 ? x : 1.0 / x;
  return std::isnormal(inside) && inside < 1.0 ? inside : 0.5;
}

void expectLog(double actual, long double expected) {
  const long double error = std::abs(static_cast<long double>(actual) - expected);
  require(error <= std::abs(expected) * 0x1p-52L,
          "a logarithm differs by " + std::to_string(static_cast<double>(error)));
}

/// NumPy's algorithm for doubles from 32-bit draws.
double doubleOf(std::mt19937& bits) {
  const std::uint32_t high = bits() >> 5U;
  const std::uint32_t low = bits() >> 6U;
  return (high * 67108864.0 + low) / 9007199254740992.0;
}

/// The second of a pair of normals is kept for the next call.
class Reference {
 public:
  explicit Reference(std::uint32_t seed) : bits_(seed) {}

  double random() { return doubleOf(bits_); }

  double normal() {
    if (kept_) {
      const double x = *kept_;
      kept_.reset();
      return x;
    }
    while (true) {
      const double x = 2 * random() - 1;
      const double y = 2 * random() - 1;
      const double square = x * x + y * y;
      if (square >= 1 || square == 0) continue;
      const double factor = std::sqrt(-2 * std::log(square) / square);
      kept_ = factor * x;
      return factor * y;
    }
  }

 private:
  std::mt19937 bits_;
  std::optional<double> kept_;
};

void legacy(Bytes& bytes) {
  const auto seed = static_cast<std::uint32_t>(bytes.word());
  mha::RandomState state(seed);
  Reference reference(seed);
  for (std::size_t calls = 0; calls < 64 && !bytes.empty(); ++calls) {
    std::vector<double> draws(bytes.between(0, 40));
    if (bytes.flag()) {
      state.random(draws);
      for (const double x : draws) require(x == reference.random(), "RandomState.random");
      continue;
    }
    const double loc = bytes.pick(std::array{0.0, -3.0, 1e9});
    const double scale = bytes.pick(std::array{1.0, 0.0, 0.02, -1.0, -0.0, std::nan("")});
    const bool allowed = !std::signbit(scale) && !std::isnan(scale);
    require(refused([&] { state.normal(loc, scale, draws); }) != allowed, "RandomState.normal takes a scale");
    if (!allowed) continue;
    for (const double x : draws) {
      const double wanted = loc + scale * reference.normal();
      require(std::abs(x - wanted) <= 4e-16 * (std::abs(loc) + std::abs(wanted) + scale),
              "RandomState.normal");
    }
  }
}

void modern(Bytes& bytes) {
  const std::uint64_t seed = bytes.word();
  mha::DefaultRng whole(seed);
  mha::DefaultRng pieces(seed);
  for (std::size_t calls = 0; calls < 64 && !bytes.empty(); ++calls) {
    std::vector<double> draws(bytes.between(0, 40));
    if (bytes.flag()) {
      whole.random(draws);
      for (const double x : draws) {
        require(x == pieces.random() && x >= 0 && x < 1 && std::ldexp(x, 53) == std::floor(std::ldexp(x, 53)),
                "DefaultRng.random");
      }
    } else {
      whole.normal(0.0, 1.0, draws);
      // Larger values have a probability below 2⁻⁶⁴.
      for (const double x : draws) require(x == pieces.normal() && std::abs(x) < 9.5, "DefaultRng.normal");
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(data, size);
  switch (bytes.between(0, 2)) {
    case 0:
      legacy(bytes);
      break;
    case 1:
      modern(bytes);
      break;
    default: {
      const double x = between0And1(bytes);
      expectLog(mha::numpyLog(x), std::log(static_cast<long double>(x)));
      expectLog(mha::numpyLog1p(-x), std::log1p(-static_cast<long double>(x)));
    }
  }
  return 0;
}
