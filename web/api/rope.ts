/** The caller's tables of rotary position embedding. */
import { checkName, formatShape, rangeError } from './errors.js';
import { toFloat32Block } from './inputs.js';
import { item } from './shape.js';
import { Tensor } from './tensor.js';

export const checkConvention = (argument: string, name = 'half'): 'half' | 'interleaved' =>
  checkName(argument, name, ['half', 'interleaved']);

/** Cosines and sines side by side: (positions,pairs,2). */
export interface RopeTable {
  readonly data: Float32Array;
  /** The shape of `cos`. */
  readonly shape: readonly number[];
  readonly pairs: number;
  /** Copies for JSON. */
  tensors(): { cos: Tensor; sin: Tensor };
  /** @throws RangeError when there is no such row */
  check(position: number): void;
}

/** Reads `cos` and `sin`, whose names begin with `owner`. */
export function toTable(cos: unknown, sin: unknown, owner = ''): RopeTable {
  const [cosines, sines] = [toFloat32Block(`${owner}cos`, cos), toFloat32Block(`${owner}sin`, sin)];
  const { shape } = cosines;
  if (shape.length !== 2 && (owner !== '' || shape.length !== 3)) {
    throw rangeError(`${owner}cos`, `be (positions, dim / 2), got shape ${formatShape(shape)}`);
  }
  if (sines.shape.join() !== shape.join()) {
    const came = formatShape(sines.shape);
    throw rangeError(
      `${owner}sin`,
      `have the shape of \`${owner}cos\`, ${formatShape(shape)}, got shape ${came}`,
    );
  }
  const data = new Float32Array(2 * cosines.data.length);
  for (let n = 0; n < cosines.data.length; ++n) {
    data[2 * n] = item(cosines.data, n);
    data[2 * n + 1] = item(sines.data, n);
  }
  const pairs = item(shape, shape.length - 1);
  const rows = cosines.data.length / pairs;
  return {
    ...{ data, shape, pairs },
    tensors: () => ({
      cos: new Tensor(cosines.data.slice(), shape),
      sin: new Tensor(sines.data.slice(), shape),
    }),
    check(position) {
      if (position < rows) return;
      throw rangeError(`${owner}cos`, `have a row for position ${position}, got ${rows} rows`);
    },
  };
}
