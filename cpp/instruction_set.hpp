/// The instruction set that the kernels are compiled for.
#pragma once

namespace mha {

/// Returns "scalar", "simd" or "relaxed".
const char* instructionSet();

}  // namespace mha
