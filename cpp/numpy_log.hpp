/// The two logarithms that NumPy's normal draws are made of, to the last bit.
///
/// NumPy takes them from the C library, and C libraries differ in the last bit: musl's log, which WebAssembly
/// gets, changes 5 of 100,000 of RandomState's normal draws, a correctly rounded one 35. So the very sequence
/// of roundings of glibc on an x86-64 processor with fused multiply-add is carried out here.
#pragma once

namespace mha {

/// ln x, defined for 0 < x < 1, x not subnormal.
///
/// The algorithm is Szabolcs Nagy's of Arm Optimized Routines (2018), which glibc and musl share.
double numpyLog(double x);

/// ln(1 + x), defined for −1 < x ≤ 0.
///
/// The algorithm is K. C. Ng's of Sun's fdlibm (1993).
double numpyLog1p(double x);

}  // namespace mha
