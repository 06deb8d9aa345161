#include "numpy_random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "golden.hpp"
#include "numpy_ziggurat_tables.hpp"

namespace numpy_random_test {

using mha::DefaultRng;
using mha::Mt19937;
using mha::Pcg64;
using mha::RandomState;
using mha::SeedSequence;
using mha::Uint128;
using nlohmann::json;
using Doubles = std::vector<double>;

/// Python's math.fsum: the double nearest to the exact sum (Shewchuk's non-overlapping partial sums, 1997).
double fsum(const Doubles& values) {
  Doubles partials;  // of growing magnitude
  for (double sum : values) {
    std::size_t count = 0;
    for (double partial : partials) {
      if (std::abs(sum) < std::abs(partial)) std::swap(sum, partial);
      const double high = sum + partial;
      const double low = partial - (high - sum);
      if (low != 0) partials[count++] = low;
      sum = high;
    }
    partials.resize(count);
    partials.push_back(sum);
  }

  double sum = 0;
  double low = 0;
  while (!partials.empty() && low == 0) {
    const double partial = partials.back();
    partials.pop_back();
    const double high = sum + partial;
    low = partial - (high - sum);
    sum = high;
  }
  // `low` may be exactly half a unit in the last place; then the sign of the rest decides the rounding.
  if (!partials.empty() && (low < 0) == (partials.back() < 0)) {
    const double moved = sum + 2 * low;
    if (moved - sum == 2 * low) sum = moved;
  }
  return sum;
}

TEST(Fsum, RoundsOnce) {
  EXPECT_EQ(fsum({}), 0.0);
  EXPECT_EQ(fsum({0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1}), 1.0);
  EXPECT_EQ(fsum({1e100, 1.0, -1e100}), 1.0);
  EXPECT_EQ(fsum({1.0, 0x1p-53}), 1.0);
  EXPECT_EQ(fsum({1.0, 0x1p-53, 0x1p-106}), 1.0 + 0x1p-52);
  EXPECT_EQ(fsum({1.0, 0x1p-53, -0x1p-106}), 1.0);
  EXPECT_EQ(fsum({-1.0, -0x1p-54, -0x1p-107}), -1.0);
}

/// Equal bits, not merely equal values: −0.0 is not 0.0.
void expectSame(const Doubles& actual, const json& expected, const std::string& what) {
  ASSERT_EQ(actual.size(), expected.size()) << what;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(actual[i]),
              std::bit_cast<std::uint64_t>(expected[i].get<double>()))
        << what << " [" << i << "]: " << actual[i] << " and " << expected[i];
  }
}

template <class Generator>
Doubles normal(Generator& generator, double loc, double scale, std::size_t size) {
  Doubles out(size);
  generator.normal(loc, scale, out);
  return out;
}

template <class Generator>
Doubles random(Generator& generator, std::size_t size) {
  Doubles out(size);
  generator.random(out);
  return out;
}

template <class Generator>
auto words(Generator& generator, std::size_t size) {
  std::vector<decltype(generator.next())> out(size);
  std::ranges::generate(out, [&] { return generator.next(); });
  return out;
}

std::string decimal(Uint128 number) {
  std::string digits;
  do {
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(number % 10)));
    number /= 10;
  } while (number != 0);
  return digits;
}

std::vector<std::string> decimals(const std::vector<std::uint64_t>& numbers) {
  std::vector<std::string> out(numbers.size());
  std::ranges::transform(numbers, out.begin(), decimal);
  return out;
}

using Words = std::vector<std::uint32_t>;
using Texts = std::vector<std::string>;

class Seeded : public testing::TestWithParam<std::uint32_t> {
 protected:
  static const json& reference() {
    static const json all = mha::test::golden("numpy_rng_reference.json");
    return all.at("seeds").at(std::to_string(GetParam()));
  }
};

INSTANTIATE_TEST_SUITE_P(NumPy, Seeded, testing::Values(0, 1, 42, 123), testing::PrintToStringParamName());

TEST_P(Seeded, Mt19937) {
  Mt19937 bits(GetParam());
  const auto& key = bits.key();
  EXPECT_EQ(Words(key.begin(), key.begin() + 8),
            reference().at("mt19937_legacy_state_key_first8").get<Words>());
  EXPECT_EQ(key.back(), reference().at("mt19937_legacy_state_key_last").get<std::uint32_t>());

  const Words drawn = words(bits, 1000);
  const Words first(drawn.begin(), drawn.begin() + 10);
  EXPECT_EQ(first, reference().at("mt19937_legacy_raw_uint32_first10").get<Words>());
  EXPECT_EQ(Words(drawn.end() - 10, drawn.end()),
            reference().at("mt19937_legacy_raw_uint32_index_990_to_999").get<Words>());
  EXPECT_NE(first, reference().at("mt19937_seedsequence_raw_uint32_first10").get<Words>())
      << "MT19937(seed) is seeded otherwise than RandomState(seed)";
}

TEST_P(Seeded, SeedSequence) {
  const SeedSequence seeds(GetParam());
  EXPECT_EQ(Words(seeds.pool().begin(), seeds.pool().end()),
            reference().at("seedsequence_pool").get<Words>());

  Words narrow(8);
  seeds.generate(narrow);
  EXPECT_EQ(narrow, reference().at("seedsequence_generate_state_8_uint32").get<Words>());

  std::vector<std::uint64_t> wide(4);
  seeds.generate(wide);
  EXPECT_EQ(decimals(wide), reference().at("seedsequence_generate_state_4_uint64").get<Texts>());
}

TEST_P(Seeded, Pcg64) {
  Pcg64 bits{SeedSequence(GetParam())};
  EXPECT_EQ(decimal(bits.state()), reference().at("pcg64_state_after_seeding").get<std::string>());
  EXPECT_EQ(decimal(bits.increment()), reference().at("pcg64_inc").get<std::string>());
  EXPECT_EQ(decimals(words(bits, 10)), reference().at("pcg64_raw_uint64_first10").get<Texts>());
}

TEST_P(Seeded, RandomStateFirstDraws) {
  const std::vector<std::pair<double, std::string>> normals{{0.5, "randomstate_normal_0_0p5_first20"},
                                                            {0.4, "randomstate_normal_0_0p4_first20"},
                                                            {1.0, "randomstate_randn_first20"}};
  for (const auto& [scale, name] : normals) {
    RandomState generator(GetParam());
    expectSame(normal(generator, 0, scale, 20), reference().at(name), name);
  }
  RandomState generator(GetParam());
  const std::string name = "randomstate_random_sample_first10";
  expectSame(random(generator, 10), reference().at(name), name);
}

TEST_P(Seeded, RandomStateKeepsTheSecondNormalAcrossCalls) {
  const json& record = reference().at("randomstate_odd_call_then_uniform_then_normal");
  ASSERT_EQ(record.at("calls"), json({"normal(0,0.5,5)", "random_sample(1)", "normal(0,0.5,4)"}));
  RandomState generator(GetParam());
  expectSame(normal(generator, 0, 0.5, 5), record.at("values")[0], "first call");
  expectSame(random(generator, 1), record.at("values")[1], "second call");
  expectSame(normal(generator, 0, 0.5, 4), record.at("values")[2], "third call");
}

TEST_P(Seeded, DefaultRngFirstDraws) {
  const std::vector<std::pair<double, std::string>> normals{{0.4, "default_rng_normal_0_0p4_first20"},
                                                            {0.3, "default_rng_normal_0_0p3_first20"},
                                                            {1.0, "default_rng_normal_0_1_first20"}};
  for (const auto& [scale, name] : normals) {
    DefaultRng generator(GetParam());
    expectSame(normal(generator, 0, scale, 20), reference().at(name), name);
  }
  DefaultRng generator(GetParam());
  const std::string name = "default_rng_random_first10";
  expectSame(random(generator, 10), reference().at(name), name);
}

/// Some of 100,000 draws, and their exactly rounded sum.
void expectCheckpoints(const Doubles& draws, const json& checkpoints, const std::string& name) {
  ASSERT_FALSE(checkpoints.at(name).empty());
  for (const auto& [index, value] : checkpoints.at(name).items()) {
    expectSame({draws.at(std::stoul(index))}, json::array({value}), "draw " + index);
  }
  expectSame({fsum(draws)}, json::array({checkpoints.at(name + "_fsum")}), "sum");
}

TEST_P(Seeded, RandomStateLongDraw) {
  RandomState generator(GetParam());
  expectCheckpoints(normal(generator, 0, 1, 100'000), reference().at("checkpoints"), "randomstate");
}

TEST_P(Seeded, DefaultRngLongDraw) {
  DefaultRng generator(GetParam());
  const Doubles draws = normal(generator, 0, 1, 100'000);
  const json& checkpoints = reference().at("checkpoints");
  expectCheckpoints(draws, checkpoints, "default_rng");
  const auto [smallest, largest] = std::ranges::minmax(draws);
  expectSame({std::max(-smallest, largest)}, json::array({checkpoints.at("default_rng_abs_max")}), "abs max");
}

/// A checksum over all bits, which unlike the rounded sum detects every wrong bit. In NumPy:
/// (draws.view('u8') * np.arange(1, 2 * len(draws), 2, dtype='u8')).sum()
std::uint64_t digest(const Doubles& draws) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < draws.size(); ++i) {
    sum += std::bit_cast<std::uint64_t>(draws[i]) * (2 * i + 1);
  }
  return sum;
}

TEST_P(Seeded, RandomStateEveryBit) {
  // From NumPy 1.24.2: RandomState(seed).normal(0, 1, 100000)
  const std::map<std::uint32_t, std::uint64_t> expected{{0, 0x866b0b13920b0daeU},
                                                        {1, 0x16ecb054d5c3a6fU},
                                                        {42, 0x458c370cefe36227U},
                                                        {123, 0x67256fc4736379c7U}};
  RandomState generator(GetParam());
  EXPECT_EQ(digest(normal(generator, 0, 1, 100'000)), expected.at(GetParam()));
}

TEST_P(Seeded, DefaultRngEveryBit) {
  // From NumPy 1.24.2: default_rng(seed).normal(0, 1, 100000)
  const std::map<std::uint32_t, std::uint64_t> expected{{0, 0x68fcaa4d4a7cf80aU},
                                                        {1, 0xd0ef90dc623ac23fU},
                                                        {42, 0xd29757e3fadfb363U},
                                                        {123, 0xd05eae30a4f6d003U}};
  DefaultRng generator(GetParam());
  EXPECT_EQ(digest(normal(generator, 0, 1, 100'000)), expected.at(GetParam()));
}

TEST(RandomStateSeeds, IncludeTheLargest32BitNumber) {
  RandomState generator(std::numeric_limits<std::uint32_t>::max());
  expectSame(normal(generator, 0, 1, 3),
             Doubles{0x1.4bfc38c486d8ap-1, 0x1.56b192e507eeep-1, -0x1.149e836f192fdp+0}, "2³² − 1");
}

TEST(DefaultRngSeeds, IncludeNumbersBeyond32Bits) {
  const std::vector<std::pair<std::uint64_t, Doubles>> expected{
      {std::uint64_t{1} << 32, {0x1.a5c170234e89ep-4, -0x1.f607a848d4287p-1, -0x1.a28c84dd75dedp-1}},
      {(std::uint64_t{1} << 53) - 1, {0x1.f3768c731fe9dp-2, 0x1.67cd55bd29ad5p+0, 0x1.460ecee1c19d5p-2}},
      {std::numeric_limits<std::uint64_t>::max(),
       {0x1.715303191d87bp-1, -0x1.f10c32096a2bdp-1, 0x1.1b8d40660f8bfp-4}},
  };
  for (const auto& [seed, draws] : expected) {
    DefaultRng generator(seed);
    expectSame(normal(generator, 0, 1, 3), draws, std::to_string(seed));
  }
}

template <class Generator>
class EitherGenerator : public testing::Test {};
using Generators = testing::Types<RandomState, DefaultRng>;
TYPED_TEST_SUITE(EitherGenerator, Generators);

TYPED_TEST(EitherGenerator, LocIsAddedToScaledDraws) {
  TypeParam standard(7);
  TypeParam shifted(7);
  for (const double draw : normal(shifted, -3, 0.25, 9)) EXPECT_EQ(draw, -3 + 0.25 * standard.normal());
  EXPECT_EQ(normal(shifted, 2, 0, 3), Doubles({2, 2, 2}));
}

TYPED_TEST(EitherGenerator, ManyCallsDrawWhatOneCallDraws) {
  TypeParam whole(7);
  TypeParam parts(7);
  Doubles joined;
  for (const std::size_t size : {3, 0, 1, 5}) {
    const Doubles part = normal(parts, 0, 1, size);
    joined.insert(joined.end(), part.begin(), part.end());
  }
  EXPECT_EQ(joined, normal(whole, 0, 1, 9));
}

TYPED_TEST(EitherGenerator, RefusesWrongScales) {
  const double infinity = std::numeric_limits<double>::infinity();
  TypeParam generator(7);
  for (const double scale : {-1.0, -0.25, -2.5e300, -0.0, -infinity, std::nan("")}) {
    try {
      normal(generator, 0, scale, 2);
      ADD_FAILURE() << "accepted " << scale;
    } catch (const std::out_of_range& error) {
      EXPECT_STREQ(error.what(), "`scale` must be at least 0, got a negative number or NaN");
    }
  }
  TypeParam untouched(7);
  EXPECT_EQ(generator.normal(), untouched.normal()) << "a refused call draws nothing";
}

TEST(Ziggurat, TablesAreNumpysOwn) {
  const json tables = mha::test::golden("npy_ziggurat_tables.json");
  const auto number = [](const json& text) { return std::stod(text.get<std::string>()); };
  EXPECT_EQ(mha::ziggurat::kTailStart, number(tables["r"]));
  EXPECT_EQ(mha::ziggurat::kTailStartInverse, number(tables["inv_r"]));
  ASSERT_EQ(tables["ki"].size(), mha::ziggurat::kInside.size());
  for (std::size_t i = 0; i < mha::ziggurat::kInside.size(); ++i) {
    EXPECT_EQ(mha::ziggurat::kInside[i], std::stoull(tables["ki"][i].get<std::string>(), nullptr, 16)) << i;
    EXPECT_EQ(mha::ziggurat::kWidth[i], number(tables["wi"][i])) << i;
    EXPECT_EQ(mha::ziggurat::kDensity[i], number(tables["fi"][i])) << i;
  }
}

}  // namespace numpy_random_test
