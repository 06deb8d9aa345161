/** Reads tests/golden and measures how far a result is from it. */
import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('../golden/', import.meta.url);

/** Every file below ../golden but the manifest, as `readGolden` takes it. */
export const goldenFiles = readdirSync(folder, { recursive: true }).filter((path) => path.endsWith('.json'));

/** The runs' numbers; NaN and the infinities travel as strings there. */
export function readGolden(path) {
  const special = { NaN: NaN, Infinity: Infinity, '-Infinity': -Infinity };
  return JSON.parse(readFileSync(new URL(path, folder), 'utf8'), (_, value) =>
    Object.hasOwn(special, value) ? special[value] : value,
  );
}

export const shapeOf = (nested) => (Array.isArray(nested) ? [nested.length, ...shapeOf(nested[0])] : []);

/** Nested arrays as the library's tensor of float32. */
export const tensor = (nested) => ({
  data: Float32Array.from([nested].flat(Infinity)),
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
  const largest = wanted.reduce((max, x) => (Math.abs(x) > max ? Math.abs(x) : max), 0) || 1;
  return wanted.reduce((error, x, i) => {
    if (Number.isNaN(x)) return error;
    const difference = Math.abs(actual.data[i] - x) / largest;
    return Number.isNaN(difference) ? Infinity : Math.max(error, difference);
  }, 0);
}

/** `relativeError` of one tensor from another. */
export const relativeDifference = (actual, reference) =>
  relativeError({ data: actual.data, shape: [actual.size] }, Array.from(reference.data));

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

export const builds = ['scalar', 'simd', 'relaxed'];

/** Everything that computes: every build on one thread and on two, by name and what `load` takes. */
export const modules = builds.flatMap((build) => [
  { name: build, options: { build } },
  { name: `${build}, 2 threads`, options: { build, threads: 2 } },
]);

/** What float32 computation may differ from the float64 runs, relative to the largest value. */
export const TOLERANCE = 2e-6;
