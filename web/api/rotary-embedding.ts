import { formatShape, rangeError } from './errors.js';
import { checkHeads, headWidth } from './heads.js';
import { type Integers, type TensorLike, toFloat32Block, toIntegers } from './inputs.js';
import { type OrNull, readOptions } from './options.js';
import { checkConvention, toTable } from './rope.js';
import { item } from './shape.js';
import { Tensor } from './tensor.js';

/** Options of `rotaryEmbedding`. */
export interface RotaryEmbeddingOptions {
  /** The row of `cos` and `sin` for each vector, (L,) or (B,L); 0, 1, … by default. */
  positions?: Integers | null;
  /** `half` (the default) pairs components (i, i + dim/2), `interleaved` (2i, 2i + 1). */
  convention?: 'half' | 'interleaved';
  /** `x` is (…,L,H·d) of so many heads, not (…,H,L,d). */
  numHeads?: number | null;
}

/** The function is documented in `load.ts`. */
export function rotaryEmbedding(
  x: TensorLike,
  cos: TensorLike,
  sin: TensorLike,
  options?: OrNull<RotaryEmbeddingOptions> | null,
): Tensor {
  const names = ['positions', 'convention', 'numHeads'];
  const given = readOptions('rotaryEmbedding', options ?? {}, names);
  const { data, shape } = toFloat32Block('x', x, true);
  const positions = given.positions === undefined ? undefined : toIntegers('positions', given.positions, 0);
  const interleaved = checkConvention('convention', given.convention) === 'interleaved';
  const numHeads = checkHeads('numHeads', given.numHeads);
  const table = toTable(cos, sin);

  const width = headWidth('x', shape, numHeads ?? 1);
  const rows = item(shape, shape.length - 2);
  const heads = numHeads ?? shape.at(-3) ?? 1;
  const batch = data.length / (heads * rows * width) || 0;
  const { pairs } = table;
  if (2 * pairs > width) {
    throw rangeError(
      'cos',
      `have at most ${Math.floor(width / 2)} columns, half of a head, got shape ${formatShape(table.shape)}`,
    );
  }
  const perToken = table.shape.length === 3;
  const own = positions?.shape ?? (perToken ? table.shape.slice(0, 2) : [rows]);
  if (own.join() !== String(rows) && own.join() !== `${batch},${rows}`) {
    const expected = `have shape ${formatShape([batch, rows])}${perToken ? ' before the pairs' : ` or ${formatShape([rows])}`}`;
    throw rangeError(perToken ? 'cos' : 'positions', `${expected}, got ${formatShape(own)}`);
  }
  if (positions && perToken)
    throw rangeError('positions', 'be left out where `cos` has a row for each token');

  const result = Float32Array.from(data);
  const step = interleaved ? 2 : 1;
  const partner = interleaved ? 1 : pairs;
  for (let n = 0; n * width < data.length; ++n) {
    const b = Math.floor(n / (heads * rows));
    const i = Math.floor(n / (numHeads ?? 1)) % rows;
    const place = b * rows + i;
    const row = positions ? item(positions.values, place % positions.values.length) : perToken ? place : i;
    table.check(row);
    for (let pair = 0; pair < pairs; ++pair) {
      const p = n * width + pair * step;
      const [cosine, sine] = [
        item(table.data, 2 * (row * pairs + pair)),
        item(table.data, 2 * (row * pairs + pair) + 1),
      ];
      result[p] = item(data, p) * cosine - item(data, p + partner) * sine;
      result[p + partner] = item(data, p) * sine + item(data, p + partner) * cosine;
    }
  }
  return new Tensor(result, shape);
}
