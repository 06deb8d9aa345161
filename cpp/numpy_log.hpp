/// The two logarithms in NumPy's normal distributions, bit for bit.
///
/// NumPy calls the C library, and C libraries differ in the last bit: musl's log, which WebAssembly builds
/// use, changes 5 of 100,000 normal draws of RandomState, a correctly rounded one 35. Therefore these
/// functions repeat every rounding of glibc on an x86-64 processor with fused multiply-add.
#pragma once

namespace mha {

/// Returns ln x; defined for 0 < x < 1, x not subnormal.
///
/// The algorithm of Arm Optimized Routines (Szabolcs Nagy, 2018), which glibc and musl share.
double numpyLog(double x);

/// Returns ln(1 + x); defined for −1 < x ≤ 0.
///
/// The algorithm of Sun's fdlibm (K. C. Ng, 1993).
double numpyLog1p(double x);

}  // namespace mha
