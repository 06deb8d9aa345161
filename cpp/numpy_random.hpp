/// NumPy's two random generators, bit for bit: numpy.random.RandomState and numpy.random.default_rng.
///
/// The same seed and the same calls give the same doubles as NumPy 1.24 on x86-64 Linux (glibc, processor
/// with fused multiply-add), in every build and on every platform.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace mha {

__extension__ using Uint128 = unsigned __int128;

/// The Mersenne Twister MT19937 (Matsumoto & Nishimura, 1998), seeded like `init_genrand` (2002).
class Mt19937 {
 public:
  static constexpr std::size_t kStateSize = 624;
  using Key = std::array<std::uint32_t, kStateSize>;

  explicit Mt19937(std::uint32_t seed);

  /// Returns the next 32 random bits.
  std::uint32_t next();

  [[nodiscard]] const Key& key() const { return key_; }

 private:
  void refill();

  Key key_;
  std::size_t position_ = kStateSize;
};

/// NumPy's SeedSequence: expands one integer to any number of seed words (O'Neill's `seed_seq_fe`, 2015).
class SeedSequence {
 public:
  static constexpr std::size_t kPoolSize = 4;
  using Pool = std::array<std::uint32_t, kPoolSize>;

  explicit SeedSequence(std::uint64_t entropy);

  /// Fills `out` like NumPy's `generate_state(out.size(), uint32)`.
  void generate(std::span<std::uint32_t> out) const;
  /// Fills `out` like NumPy's `generate_state(out.size(), uint64)`.
  void generate(std::span<std::uint64_t> out) const;

  [[nodiscard]] const Pool& pool() const { return pool_; }

 private:
  Pool pool_;
};

/// PCG64: a 128-bit linear congruential generator whose state is folded by XOR and rotated by its top six
/// bits (XSL-RR; O'Neill, 2014).
class Pcg64 {
 public:
  explicit Pcg64(const SeedSequence& seeds);

  /// Returns the next 64 random bits.
  std::uint64_t next();

  [[nodiscard]] Uint128 state() const { return state_; }
  [[nodiscard]] Uint128 increment() const { return increment_; }

 private:
  void step();

  Uint128 state_ = 0;
  Uint128 increment_;
};

/// `numpy.random.RandomState(seed)`, also used by `numpy.random.seed(seed)`.
class RandomState {
 public:
  /// @param seed 0 … 2³² − 1, the range that NumPy accepts
  explicit RandomState(std::uint32_t seed) : bits_(seed) {}

  /// One draw of `random_sample()`: uniform in [0, 1), a multiple of 2⁻⁵³.
  double random();
  /// One draw of `standard_normal()`. Draws come in pairs: the second is kept for the next call, also if
  /// random() is called in between.
  double normal();

  /// Fills `out` like NumPy's `random_sample(out.size())`.
  void random(std::span<double> out);
  /// Fills `out` like NumPy's `normal(loc, scale, out.size())`.
  /// @throws std::out_of_range when `scale` is negative (−0.0 too, as in NumPy) or NaN (NumPy would return
  /// NaN).
  void normal(double loc, double scale, std::span<double> out);

 private:
  Mt19937 bits_;
  double kept_ = 0;
  bool hasKept_ = false;
};

/// `numpy.random.default_rng(seed)`
class DefaultRng {
 public:
  /// @param seed 0 … 2⁶⁴ − 1. (NumPy takes larger integers too; JavaScript's numbers reach 2⁵³ − 1.)
  explicit DefaultRng(std::uint64_t seed) : bits_(SeedSequence(seed)) {}

  /// One draw of `random()`: uniform in [0, 1), a multiple of 2⁻⁵³.
  double random();
  /// One draw of `standard_normal()`.
  double normal();

  /// Fills `out` like NumPy's `random(out.size())`.
  void random(std::span<double> out);
  /// Fills `out` like NumPy's `normal(loc, scale, out.size())`.
  /// @throws std::out_of_range when `scale` is negative (−0.0 too, as in NumPy) or NaN (NumPy would return
  /// NaN).
  void normal(double loc, double scale, std::span<double> out);

 private:
  Pcg64 bits_;
};

}  // namespace mha
