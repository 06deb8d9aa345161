#include "instruction_set.hpp"

namespace mha {

const char* instructionSet() {
#if defined(__wasm_relaxed_simd__)
  return "relaxed";
#elif defined(__wasm_simd128__)
  return "simd";
#else
  return "scalar";
#endif
}

}  // namespace mha
