/** Reads tests/golden and measures how far a result is from it. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('../golden/', import.meta.url);

/** Every file below ../golden but the manifest, as `readGolden` takes it. */
export const goldenFiles = readdirSync(folder, { recursive: true }).filter((path) => path.endsWith('.json'));

const special = { NaN: NaN, Infinity: Infinity, '-Infinity': -Infinity };
const read = new Map();

/** The runs' numbers; NaN and the infinities travel as strings there. Every caller gets the same object. */
export function readGolden(path) {
  if (!read.has(path)) {
    const text = readFileSync(new URL(path, folder), 'utf8');
    // Asking about every number takes ten times as long as parsing them.
    const revive = (_, value) => (Object.hasOwn(special, value) ? special[value] : value);
    read.set(path, /"(NaN|-?Infinity)"/.test(text) ? JSON.parse(text, revive) : JSON.parse(text));
  }
  return read.get(path);
}

export const shapeOf = (nested) => (Array.isArray(nested) ? [nested.length, ...shapeOf(nested[0])] : []);

/** Nested arrays as the library's tensor of float32. */
export const tensor = (nested) => ({
  data: new Float32Array([nested].flat(Infinity)),
  shape: shapeOf(nested),
});

/**
 * The largest difference of `actual` (a Tensor) from `expected` (nested), relative to the largest expected
 * magnitude. Infinite when the shapes differ or a number is missing. Where `expected` is NaN nothing is compared.
 */
export function relativeError(actual, expected) {
  if (String(actual?.shape) !== String(shapeOf(expected))) return Infinity;
  const wanted = expected.flat(Infinity);
  // Beside nothing but zeros the difference itself counts.
  let largest = 0;
  for (const x of wanted) if (Math.abs(x) > largest) largest = Math.abs(x);
  let error = 0;
  for (const [i, x] of wanted.entries()) {
    if (Number.isNaN(x)) continue;
    const difference = Math.abs(actual.data[i] - x) / (largest || 1);
    if (Number.isNaN(difference)) return Infinity;
    if (difference > error) error = difference;
  }
  return error;
}

/** `relativeError` of one tensor from another. */
export const relativeDifference = (actual, reference) =>
  relativeError({ data: actual.data, shape: [actual.size] }, Array.from(reference.data));

/** Shapes and bits of a result's tensors, by name: to be compared, where element by element would take seconds. */
export const bitsOf = (result) =>
  Object.fromEntries(
    Object.entries(result).map(([name, { data, shape }]) => [
      name,
      { shape, sha256: createHash('sha256').update(data).digest('hex') },
    ]),
  );

/** Indices of the last-axis rows that are NaN in `expected`: PyTorch's fully masked rows. */
export const nanRows = (expected) =>
  expected
    .flat(shapeOf(expected).length - 2)
    .flatMap((row, i) => (row.every((x) => Number.isNaN(x)) ? [i] : []));

/** Row `i` of a tensor, counted over all dimensions but the last. */
export function rowOf({ data, shape }, i) {
  const width = shape.at(-1);
  return Array.from(data.subarray(i * width, (i + 1) * width));
}

export const builds = ['simd', 'relaxed'];

/** Every build with one and two threads, by name with the options of `load`. */
export const modules = builds.flatMap((build) => [
  { name: build, options: { build } },
  { name: `${build}, 2 threads`, options: { build, threads: 2 } },
]);

/** What float32 computation may differ from the float64 runs, relative to the largest value. */
export const TOLERANCE = 2e-6;
