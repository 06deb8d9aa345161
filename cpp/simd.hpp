/// Vectors of four float32 lanes: the same small set of operations in every build.
///
/// Kernels are written once with these functions. The compiler's target selects the implementation:
///   -msimd128 -mrelaxed-simd   one fused instruction for madd where the engine has it
///   -msimd128                  WebAssembly SIMD
///   neither                    plain C++ (also what native tests run)
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#else
#include <bit>
#endif

namespace mha::simd {

inline constexpr std::size_t kLanes = 4;

/// Whether madd is one instruction.
#if defined(__wasm_relaxed_simd__)
inline constexpr bool kFusedMadd = true;
#else
inline constexpr bool kFusedMadd = false;
#endif

/// Added to a float of magnitude up to 2²², it makes the sum's low bits hold that float, rounded to a whole
/// number (ties to even).
inline constexpr float kRounder = 12582912.0F;  // 1.5·2²³
inline constexpr std::int32_t kRounderBits = 0x4B400000;

/// Where bits of 16-bit numbers stand in 32 bits, for loadBfloats() and loadHalves().
inline constexpr std::int32_t kHighHalf = -0x10000;
inline constexpr std::int32_t kHalfMask = static_cast<std::int32_t>(0x8FFFE000);
inline constexpr float kHalfUnit = 0x1p102F;

#if defined(__wasm_simd128__)

using F32x4 = v128_t;

inline F32x4 load(const float* p) { return wasm_v128_load(p); }
inline void store(float* p, F32x4 a) { wasm_v128_store(p, a); }
inline F32x4 splat(float x) { return wasm_f32x4_splat(x); }
inline F32x4 loadSplat(const float* p) { return wasm_v128_load32_splat(p); }
inline F32x4 add(F32x4 a, F32x4 b) { return wasm_f32x4_add(a, b); }
inline F32x4 sub(F32x4 a, F32x4 b) { return wasm_f32x4_sub(a, b); }
inline F32x4 mul(F32x4 a, F32x4 b) { return wasm_f32x4_mul(a, b); }
inline F32x4 div(F32x4 a, F32x4 b) { return wasm_f32x4_div(a, b); }
inline F32x4 sqrt(F32x4 a) { return wasm_f32x4_sqrt(a); }
/// a·b + c
inline F32x4 madd(F32x4 a, F32x4 b, F32x4 c) {
#if defined(__wasm_relaxed_simd__)
  return wasm_f32x4_relaxed_madd(a, b, c);
#else
  return wasm_f32x4_add(wasm_f32x4_mul(a, b), c);
#endif
}

/// Lane by lane a < b ? b : a. A NaN in `a` is kept, a NaN in `b` ignored.
inline F32x4 max(F32x4 a, F32x4 b) { return wasm_f32x4_pmax(a, b); }

/// Lane by lane x < 0 ? a : b.
inline F32x4 ifNegative(F32x4 x, F32x4 a, F32x4 b) {
  return wasm_v128_bitselect(a, b, wasm_f32x4_lt(x, wasm_f32x4_const_splat(0.0F)));
}

/// 2ⁿ for a sum kRounder + n with whole n ≤ 127; 0 for n < −126.
inline F32x4 pow2OfRounded(F32x4 sum) {
  const v128_t exponent = wasm_i32x4_sub(sum, wasm_i32x4_const_splat(kRounderBits - 127));
  return wasm_i32x4_shl(wasm_i32x4_max(exponent, wasm_i32x4_const_splat(0)), 23);
}

/// Columns 0–3 and 4–7 of 8 bfloat16, which lie in the order 0, 4, 1, 5, 2, 6, 3, 7.
inline void loadBfloats(const std::uint16_t* p, F32x4& first, F32x4& second) {
  const v128_t pairs = wasm_v128_load(p);
  first = wasm_i32x4_shl(pairs, 16);
  second = wasm_v128_and(pairs, wasm_i32x4_const_splat(kHighHalf));
}

/// The same of 8 halves, divided by kHalfUnit: sign, 5 bits of an exponent e and 10 of a fraction f stand for
/// ±2ᵉ⁻²⁵·(1 + f/2¹⁰), and for ±0 where all of them are 0.
inline void loadHalves(const std::uint16_t* p, F32x4& first, F32x4& second) {
  const v128_t pairs = wasm_v128_load(p);
  const v128_t mask = wasm_i32x4_const_splat(kHalfMask);
  first = wasm_v128_and(wasm_i32x4_shr(wasm_i32x4_shl(pairs, 16), 3), mask);
  second = wasm_v128_and(wasm_i32x4_shr(pairs, 3), mask);
}

using I16x8 = v128_t;
using I32x4 = v128_t;

/// 8 numbers of 8 bits.
inline I16x8 loadBytes(const std::int8_t* p) { return wasm_i16x8_load8x8(p); }
/// A pair of numbers of 16 bits, four times.
inline I16x8 splatPair(std::int32_t pair) { return wasm_i32x4_splat(pair); }
/// a[2i]·b[2i] + a[2i+1]·b[2i+1] + c[i]
inline I32x4 addDots(I16x8 a, I16x8 b, I32x4 c) { return wasm_i32x4_add(wasm_i32x4_dot_i16x8(a, b), c); }
inline F32x4 toFloats(I32x4 a) { return wasm_f32x4_convert_i32x4(a); }

/// Transposes a 4×4 matrix given by its rows.
inline void transpose(F32x4& a, F32x4& b, F32x4& c, F32x4& d) {
  const F32x4 abLow = wasm_i32x4_shuffle(a, b, 0, 4, 1, 5);
  const F32x4 abHigh = wasm_i32x4_shuffle(a, b, 2, 6, 3, 7);
  const F32x4 cdLow = wasm_i32x4_shuffle(c, d, 0, 4, 1, 5);
  const F32x4 cdHigh = wasm_i32x4_shuffle(c, d, 2, 6, 3, 7);
  a = wasm_i64x2_shuffle(abLow, cdLow, 0, 2);
  b = wasm_i64x2_shuffle(abLow, cdLow, 1, 3);
  c = wasm_i64x2_shuffle(abHigh, cdHigh, 0, 2);
  d = wasm_i64x2_shuffle(abHigh, cdHigh, 1, 3);
}

inline float lane(F32x4 a, std::size_t i) {
  switch (i) {
    case 0:
      return wasm_f32x4_extract_lane(a, 0);
    case 1:
      return wasm_f32x4_extract_lane(a, 1);
    case 2:
      return wasm_f32x4_extract_lane(a, 2);
    default:
      return wasm_f32x4_extract_lane(a, 3);
  }
}

#else

struct F32x4 {
  std::array<float, kLanes> v;
};

template <class Operation>
inline F32x4 each(Operation operation) {
  return {{operation(0), operation(1), operation(2), operation(3)}};
}

inline F32x4 load(const float* p) {
  return each([&](std::size_t i) { return p[i]; });
}
inline void store(float* p, F32x4 a) {
  for (std::size_t i = 0; i < kLanes; ++i) p[i] = a.v[i];
}
inline F32x4 splat(float x) {
  return each([&](std::size_t /*i*/) { return x; });
}
inline F32x4 loadSplat(const float* p) { return splat(*p); }
inline F32x4 add(F32x4 a, F32x4 b) {
  return each([&](std::size_t i) { return a.v[i] + b.v[i]; });
}
inline F32x4 sub(F32x4 a, F32x4 b) {
  return each([&](std::size_t i) { return a.v[i] - b.v[i]; });
}
inline F32x4 mul(F32x4 a, F32x4 b) {
  return each([&](std::size_t i) { return a.v[i] * b.v[i]; });
}
inline F32x4 div(F32x4 a, F32x4 b) {
  return each([&](std::size_t i) { return a.v[i] / b.v[i]; });
}
inline F32x4 sqrt(F32x4 a) {
  return each([&](std::size_t i) { return std::sqrt(a.v[i]); });
}

/// a·b + c
inline F32x4 madd(F32x4 a, F32x4 b, F32x4 c) { return add(mul(a, b), c); }

/// Lane by lane a < b ? b : a. A NaN in `a` is kept, a NaN in `b` ignored.
inline F32x4 max(F32x4 a, F32x4 b) {
  return each([&](std::size_t i) { return a.v[i] < b.v[i] ? b.v[i] : a.v[i]; });
}

/// Lane by lane x < 0 ? a : b.
inline F32x4 ifNegative(F32x4 x, F32x4 a, F32x4 b) {
  return each([&](std::size_t i) { return x.v[i] < 0.0F ? a.v[i] : b.v[i]; });
}

/// 2ⁿ for a sum kRounder + n with whole n ≤ 127; 0 for n < −126.
inline F32x4 pow2OfRounded(F32x4 sum) {
  return each([&](std::size_t i) {
    const std::int32_t exponent = std::bit_cast<std::int32_t>(sum.v[i]) - (kRounderBits - 127);
    return std::bit_cast<float>(std::max(exponent, 0) << 23);
  });
}

/// Four pairs of 16-bit numbers, each in the upper half of 32 bits, shifted right with its sign and masked.
inline void loadPairs(const std::uint16_t* p, F32x4& low, F32x4& high, int shift, std::int32_t mask) {
  const auto lane = [&](std::uint16_t number) {
    const auto bits = static_cast<std::int32_t>(static_cast<std::uint32_t>(number) << 16U);
    return std::bit_cast<float>((bits >> shift) & mask);
  };
  low = each([&](std::size_t i) { return lane(p[2 * i]); });
  high = each([&](std::size_t i) { return lane(p[2 * i + 1]); });
}

/// Columns 0–3 and 4–7 of 8 bfloat16, which lie in the order 0, 4, 1, 5, 2, 6, 3, 7.
inline void loadBfloats(const std::uint16_t* p, F32x4& first, F32x4& second) {
  loadPairs(p, first, second, 0, kHighHalf);
}

/// The same of 8 halves, divided by kHalfUnit: sign, 5 bits of an exponent e and 10 of a fraction f stand for
/// ±2ᵉ⁻²⁵·(1 + f/2¹⁰), and for ±0 where all of them are 0.
inline void loadHalves(const std::uint16_t* p, F32x4& first, F32x4& second) {
  loadPairs(p, first, second, 3, kHalfMask);
}

struct I16x8 {
  std::array<std::int16_t, 2 * kLanes> v;
};
struct I32x4 {
  std::array<std::int32_t, kLanes> v;
};

/// 8 numbers of 8 bits.
inline I16x8 loadBytes(const std::int8_t* p) {
  I16x8 result{};
  std::copy_n(p, 2 * kLanes, result.v.begin());
  return result;
}
/// A pair of numbers of 16 bits, four times.
inline I16x8 splatPair(std::int32_t pair) {
  I16x8 result{};
  for (std::size_t i = 0; i < kLanes; ++i) {
    result.v[2 * i] = static_cast<std::int16_t>(pair & 0xFFFF);
    result.v[2 * i + 1] = static_cast<std::int16_t>(pair >> 16);
  }
  return result;
}
/// a[2i]·b[2i] + a[2i+1]·b[2i+1] + c[i]
inline I32x4 addDots(I16x8 a, I16x8 b, I32x4 c) {
  for (std::size_t i = 0; i < kLanes; ++i)
    c.v[i] += a.v[2 * i] * b.v[2 * i] + a.v[2 * i + 1] * b.v[2 * i + 1];
  return c;
}
inline F32x4 toFloats(I32x4 a) {
  return each([&](std::size_t i) { return static_cast<float>(a.v[i]); });
}

/// Transposes a 4×4 matrix given by its rows.
inline void transpose(F32x4& a, F32x4& b, F32x4& c, F32x4& d) {
  const std::array rows = {a, b, c, d};
  const auto column = [&](std::size_t j) { return each([&](std::size_t i) { return rows[i].v[j]; }); };
  a = column(0);
  b = column(1);
  c = column(2);
  d = column(3);
}

inline float lane(F32x4 a, std::size_t i) { return a.v[i]; }

#endif

/// Loads the first `count` ≤ 4 floats at `p`; the other lanes hold `fill`.
inline F32x4 loadPart(const float* p, std::size_t count, float fill) {
  std::array<float, kLanes> lanes = {fill, fill, fill, fill};
  for (std::size_t i = 0; i < count; ++i) lanes[i] = p[i];
  return load(lanes.data());
}

/// Stores the first `count` ≤ 4 lanes only.
inline void storePart(float* p, F32x4 a, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) p[i] = lane(a, i);
}

inline float sum(F32x4 a) { return (lane(a, 0) + lane(a, 1)) + (lane(a, 2) + lane(a, 3)); }

/// The largest lane; NaN only where every lane is NaN.
inline float largest(F32x4 a) {
  return std::fmax(std::fmax(lane(a, 0), lane(a, 1)), std::fmax(lane(a, 2), lane(a, 3)));
}

}  // namespace mha::simd
