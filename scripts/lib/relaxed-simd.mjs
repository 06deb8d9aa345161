/** The smallest module that uses a relaxed instruction: `() -> v128`, i8x16.relaxed_swizzle of two zeros. */
const usesRelaxedSimd = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0], // magic, version
  ...[1, 5, 1, 96, 0, 1, 123], // type 0: () -> v128
  ...[3, 2, 1, 0], // function 0 has type 0
  ...[10, 15, 1, 13, 0], // its body, no locals:
  ...[65, 1, 253, 15, 65, 2, 253, 15], // i8x16.splat(1), i8x16.splat(2)
  ...[253, 128, 2, 11], // i8x16.relaxed_swizzle, end
);

/** The flags that let this Node run the relaxed build: none where it is on by itself (Node 21 and later). */
export const relaxedSimdFlags = WebAssembly.validate(usesRelaxedSimd)
  ? []
  : ['--experimental-wasm-relaxed-simd'];
