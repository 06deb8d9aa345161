/// The vector vocabulary: four float32 lanes, the same small set of operations for every build.
///
/// Kernels are written once over these functions. Which body they get is decided by the compiler's target:
///   -msimd128 -mrelaxed-simd   one fused instruction for madd where the engine has it
///   -msimd128                  WebAssembly SIMD
///   neither                    plain C++ (also what native tests run)
#pragma once

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

#if defined(__wasm_simd128__)

using F32x4 = v128_t;

inline F32x4 load(const float* p) { return wasm_v128_load(p); }
inline void store(float* p, F32x4 a) { wasm_v128_store(p, a); }
inline F32x4 splat(float x) { return wasm_f32x4_splat(x); }
inline F32x4 loadSplat(const float* p) { return wasm_v128_load32_splat(p); }
inline F32x4 add(F32x4 a, F32x4 b) { return wasm_f32x4_add(a, b); }
inline F32x4 sub(F32x4 a, F32x4 b) { return wasm_f32x4_sub(a, b); }
inline F32x4 mul(F32x4 a, F32x4 b) { return wasm_f32x4_mul(a, b); }
/// To the nearest whole number, ties to even.
inline F32x4 round(F32x4 a) { return wasm_f32x4_nearest(a); }

/// a·b + c
inline F32x4 madd(F32x4 a, F32x4 b, F32x4 c) {
#if defined(__wasm_relaxed_simd__)
  return wasm_f32x4_relaxed_madd(a, b, c);
#else
  return wasm_f32x4_add(wasm_f32x4_mul(a, b), c);
#endif
}

/// Lane by lane a < b ? b : a. A NaN in `a` stays, a NaN in `b` is passed over.
inline F32x4 max(F32x4 a, F32x4 b) { return wasm_f32x4_pmax(a, b); }
/// Lane by lane b < a ? b : a, with the same rule for NaN.
inline F32x4 min(F32x4 a, F32x4 b) { return wasm_f32x4_pmin(a, b); }

/// 2ⁿ for whole n in [-126, 127]; 1 for NaN.
inline F32x4 pow2(F32x4 n) {
  const v128_t exponent = wasm_i32x4_add(wasm_i32x4_trunc_sat_f32x4(n), wasm_i32x4_const_splat(127));
  return wasm_i32x4_shl(exponent, 23);
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
inline F32x4 round(F32x4 a) {
  return each([&](std::size_t i) { return std::nearbyint(a.v[i]); });
}

/// a·b + c
inline F32x4 madd(F32x4 a, F32x4 b, F32x4 c) { return add(mul(a, b), c); }

/// Lane by lane a < b ? b : a. A NaN in `a` stays, a NaN in `b` is passed over.
inline F32x4 max(F32x4 a, F32x4 b) {
  return each([&](std::size_t i) { return a.v[i] < b.v[i] ? b.v[i] : a.v[i]; });
}
/// Lane by lane b < a ? b : a, with the same rule for NaN.
inline F32x4 min(F32x4 a, F32x4 b) {
  return each([&](std::size_t i) { return b.v[i] < a.v[i] ? b.v[i] : a.v[i]; });
}

/// 2ⁿ for whole n in [-126, 127]; 1 for NaN.
inline F32x4 pow2(F32x4 n) {
  return each([&](std::size_t i) {
    const std::int32_t whole = std::isnan(n.v[i]) ? 0 : static_cast<std::int32_t>(n.v[i]);
    return std::bit_cast<float>((whole + 127) << 23);
  });
}

inline float lane(F32x4 a, std::size_t i) { return a.v[i]; }

#endif

/// The first `count` ≤ 4 floats at `p`; the other lanes hold `fill`.
inline F32x4 loadPart(const float* p, std::size_t count, float fill) {
  std::array<float, kLanes> lanes = {fill, fill, fill, fill};
  for (std::size_t i = 0; i < count; ++i) lanes[i] = p[i];
  return load(lanes.data());
}

/// Writes the first `count` ≤ 4 lanes to `p` and nothing behind them.
inline void storePart(float* p, F32x4 a, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) p[i] = lane(a, i);
}

/// x (n,) *= factor
inline void scale(float* x, std::size_t n, float factor) {
  const F32x4 factors = splat(factor);
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) store(x + i, mul(load(x + i), factors));
  for (; i < n; ++i) x[i] *= factor;
}

inline float sum(F32x4 a) { return (lane(a, 0) + lane(a, 1)) + (lane(a, 2) + lane(a, 3)); }

/// The largest lane; NaN only where every lane is NaN.
inline float largest(F32x4 a) {
  return std::fmax(std::fmax(lane(a, 0), lane(a, 1)), std::fmax(lane(a, 2), lane(a, 3)));
}

}  // namespace mha::simd
