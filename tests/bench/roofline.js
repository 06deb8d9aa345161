/**
 * The engine's peak: multiply-adds on registers, without memory. What a kernel reaches is told
 * as a share of it, measured in the same run. Runs in Node and in pages.
 */

/** Enough independent chains to hide an addition behind a multiplication; with two operands they fill 15 registers. */
const ACCUMULATORS = 13;
const STEPS_PER_ITERATION = 8;
const FLOPS_PER_ITERATION = ACCUMULATORS * STEPS_PER_ITERATION * 4 * 2;

const V128 = 0x7b;
const F32 = 0x7d;
const I32 = 0x7f;

/** Unsigned LEB128. */
const unsigned = (n) => (n < 128 ? [n] : [(n & 127) | 128, ...unsigned(n >>> 7)]);
const simd = (opcode) => [0xfd, ...unsigned(opcode)];
const get = (local) => [0x20, local];
const set = (local) => [0x21, local];
const sized = (bytes) => [...unsigned(bytes.length), ...bytes];
const section = (id, items) => [id, ...sized([items.length, ...items.flat()])];
const each = (count, item) => Array.from({ length: count }, (_, i) => item(i)).flat();

/** accumulator · x + y, left on the stack. */
const STEPS = {
  'mul+add': (accumulator, x, y) => [...get(accumulator), ...get(x), ...simd(0xe6), ...get(y), ...simd(0xe4)],
  'relaxed madd': (accumulator, x, y) => [...get(accumulator), ...get(x), ...get(y), ...simd(0x105)],
};

/** A module whose function `run(iterations, x, y)` repeats accumulator = accumulator · x + y on every accumulator. */
function moduleOf(step) {
  const [iterations, factor, term, x, y, first] = [0, 1, 2, 3, 4, 5];
  const accumulators = (item) => each(ACCUMULATORS, (i) => item(first + i));
  const splat = (from, to) => [...get(from), ...simd(0x13), ...set(to)];
  const countDown = [...get(iterations), 0x41, 1, 0x6b, 0x22, iterations];
  const body = [
    ...[1, ACCUMULATORS + 2, V128],
    ...[...splat(factor, x), ...splat(term, y)],
    ...[0x03, 0x40],
    ...each(STEPS_PER_ITERATION, () => accumulators((a) => [...step(a, x, y), ...set(a)])),
    ...[...countDown, 0x0d, 0, 0x0b],
    ...[...get(first), ...each(ACCUMULATORS - 1, (i) => [...get(first + 1 + i), ...simd(0xe4)])],
    ...[...simd(0x1f), 0, 0x0b],
  ];
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [[0x60, 3, I32, F32, F32, 1, F32]]),
    ...section(3, [[0]]),
    ...section(7, [[3, ...new TextEncoder().encode('run'), 0, 0]]),
    ...section(10, [sized(body)]),
  ]);
}

/** The step that a build's kernels are made of. */
export const stepOf = (build) => (build === 'relaxed' ? 'relaxed madd' : 'mul+add');

/** A millisecond or two: many calls, so that the engine can put its optimised code in place between them. */
const CALLS = 100;
const ITERATIONS_PER_CALL = 1000;
const WARM_UPS = 100;

/** A function that gives one sample of the peak for `step` ('mul+add' or 'relaxed madd') in GFLOP/s. */
export async function roofline(step) {
  const { instance } = await WebAssembly.instantiate(moduleOf(STEPS[step]));
  const sample = () => {
    const started = performance.now();
    // Values near 1: subnormal ones would be slow.
    for (let call = 0; call < CALLS; call++) instance.exports.run(ITERATIONS_PER_CALL, 0.999, 0.001);
    return (CALLS * ITERATIONS_PER_CALL * FLOPS_PER_ITERATION) / (performance.now() - started) / 1e6;
  };
  for (let i = 0; i < WARM_UPS; i++) sample();
  return sample;
}
