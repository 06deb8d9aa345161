#include "numpy_random.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>

#include "numpy_log.hpp"
#include "numpy_ziggurat_tables.hpp"
#include "wrong_argument.hpp"

namespace mha {
namespace {

void checkScale(double scale) {
  if (std::signbit(scale) || std::isnan(scale)) {
    // web/api adds the number to the message: formatting a double takes more bytes than both generators.
    throw WrongArgument("scale", "be at least 0, got a negative number or NaN");
  }
}

}  // namespace

Mt19937::Mt19937(std::uint32_t seed) : key_{seed} {
  for (std::uint32_t i = 1; i < kStateSize; ++i) {
    key_[i] = 1812433253U * (key_[i - 1] ^ key_[i - 1] >> 30) + i;
  }
}

void Mt19937::refill() {
  constexpr std::size_t kShift = 397;
  constexpr std::uint32_t kUpper = 0x8000'0000U;
  constexpr std::uint32_t kTwist = 0x9908'b0dfU;
  for (std::size_t i = 0; i < kStateSize; ++i) {
    const std::uint32_t y = (key_[i] & kUpper) | (key_[(i + 1) % kStateSize] & ~kUpper);
    key_[i] = key_[(i + kShift) % kStateSize] ^ y >> 1 ^ (y & 1U) * kTwist;
  }
  position_ = 0;
}

std::uint32_t Mt19937::next() {
  if (position_ == kStateSize) refill();
  std::uint32_t y = key_[position_++];
  y ^= y >> 11;
  y ^= y << 7 & 0x9d2c'5680U;
  y ^= y << 15 & 0xefc6'0000U;
  return y ^ y >> 18;
}

namespace {

/// The hash of SeedSequence, whose multiplier changes with every call.
class Hash {
 public:
  constexpr Hash(std::uint32_t start, std::uint32_t factor) : multiplier_(start), factor_(factor) {}

  constexpr std::uint32_t operator()(std::uint32_t value) {
    value ^= multiplier_;
    multiplier_ *= factor_;
    value *= multiplier_;
    return value ^ value >> 16;
  }

 private:
  std::uint32_t multiplier_;
  std::uint32_t factor_;
};

constexpr std::uint32_t mix(std::uint32_t x, std::uint32_t y) {
  const std::uint32_t mixed = 0xca01'f9ddU * x - 0x4973'f715U * y;
  return mixed ^ mixed >> 16;
}

}  // namespace

SeedSequence::SeedSequence(std::uint64_t entropy)
    : pool_{static_cast<std::uint32_t>(entropy), static_cast<std::uint32_t>(entropy >> 32)} {
  Hash hash(0x43b0'd7e5U, 0x931e'8875U);
  for (auto& word : pool_) word = hash(word);
  for (std::size_t source = 0; source < kPoolSize; ++source) {
    for (std::size_t target = 0; target < kPoolSize; ++target) {
      if (source != target) pool_[target] = mix(pool_[target], hash(pool_[source]));
    }
  }
}

void SeedSequence::generate(std::span<std::uint32_t> out) const {
  Hash hash(0x8b51'f9ddU, 0x58f3'8dedU);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = hash(pool_[i % kPoolSize]);
}

void SeedSequence::generate(std::span<std::uint64_t> out) const {
  Hash hash(0x8b51'f9ddU, 0x58f3'8dedU);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::uint64_t low = hash(pool_[2 * i % kPoolSize]);
    const std::uint64_t high = hash(pool_[(2 * i + 1) % kPoolSize]);
    out[i] = high << 32 | low;
  }
}

Pcg64::Pcg64(const SeedSequence& seeds) {
  std::array<std::uint64_t, 4> words{};
  seeds.generate(words);
  const Uint128 start = Uint128{words[0]} << 64 | words[1];
  const Uint128 sequence = Uint128{words[2]} << 64 | words[3];
  increment_ = sequence << 1 | 1U;
  step();
  state_ += start;
  step();
}

void Pcg64::step() {
  constexpr Uint128 kMultiplier = Uint128{0x2360'ed05'1fc6'5da4} << 64 | 0x4385'df64'9fcc'f645;
  state_ = state_ * kMultiplier + increment_;
}

std::uint64_t Pcg64::next() {
  step();
  const auto folded = static_cast<std::uint64_t>(state_ >> 64) ^ static_cast<std::uint64_t>(state_);
  return std::rotr(folded, static_cast<int>(state_ >> 122));
}

double RandomState::random() {
  const std::uint32_t high = bits_.next() >> 5;
  const std::uint32_t low = bits_.next() >> 6;
  return (high * 0x1p26 + low) * 0x1p-53;
}

/// The polar method (Marsaglia & Bray, 1964): a point drawn in the unit disc gives two independent normals.
double RandomState::normal() {
  if (hasKept_) {
    hasKept_ = false;
    return kept_;
  }
  double x = 0;
  double y = 0;
  double square = 0;
  do {
    x = 2.0 * random() - 1.0;
    y = 2.0 * random() - 1.0;
    square = x * x + y * y;
  } while (square >= 1.0 || square == 0.0);
  const double factor = std::sqrt(-2.0 * numpyLog(square) / square);
  kept_ = factor * x;
  hasKept_ = true;
  return factor * y;
}

void RandomState::random(std::span<double> out) {
  std::ranges::generate(out, [this] { return random(); });
}

void RandomState::normal(double loc, double scale, std::span<double> out) {
  checkScale(scale);
  std::ranges::generate(out, [=, this] { return loc + scale * normal(); });
}

double DefaultRng::random() { return static_cast<double>(bits_.next() >> 11) * 0x1p-53; }

/// The ziggurat method (Marsaglia & Tsang, 2000). 64 random bits hold the layer (8), the sign (1) and the
/// position in the layer (52).
double DefaultRng::normal() {
  using namespace ziggurat;
  constexpr std::uint64_t kPositionBits = 0xf'ffff'ffff'ffff;
  while (true) {
    const std::uint64_t bits = bits_.next();
    const std::size_t layer = bits & 0xffU;
    const std::uint64_t position = bits >> 9 & kPositionBits;
    const double distance = static_cast<double>(position) * kWidth[layer];
    const double x = (bits >> 8 & 1U) != 0 ? -distance : distance;
    if (position < kInside[layer]) return x;

    if (layer > 0) {
      const double height = (kDensity[layer - 1] - kDensity[layer]) * random() + kDensity[layer];
      // The last bit of exp matters only if it equals height in 53 bits: glibc's need not be reproduced here.
      if (height < std::exp(-0.5 * x * x)) return x;
      continue;
    }
    while (true) {
      const double beyond = -kTailStartInverse * numpyLog1p(-random());
      const double exponential = -numpyLog1p(-random());
      if (exponential + exponential > beyond * beyond) {
        return (position >> 8 & 1U) != 0 ? -(kTailStart + beyond) : kTailStart + beyond;
      }
    }
  }
}

void DefaultRng::random(std::span<double> out) {
  std::ranges::generate(out, [this] { return random(); });
}

void DefaultRng::normal(double loc, double scale, std::span<double> out) {
  checkScale(scale);
  std::ranges::generate(out, [=, this] { return loc + scale * normal(); });
}

}  // namespace mha
