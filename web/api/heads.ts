/** Layouts of tensors with heads. */
import type { Float32Block } from '../wasm/attention.js';
import { checkInteger, formatShape, rangeError } from './errors.js';
import { item } from './shape.js';

const product = (sizes: readonly number[]): number => sizes.reduce((all, size) => all * size, 1);

/** (outer,rows,columns,width) → (outer,columns,rows,width) */
function swapped(data: Float32Array, rows: number, columns: number, width: number): Float32Array {
  const result = new Float32Array(data.length);
  const map = rows * columns;
  for (let n = 0; n * width < data.length; ++n) {
    const [row, column] = [Math.floor((n % map) / columns), n % columns];
    const to = n - (n % map) + column * rows + row;
    result.set(data.subarray(n * width, (n + 1) * width), to * width);
  }
  return result;
}

/** The width of one of `heads` heads that lie side by side. */
export function headWidth(argument: string, shape: readonly number[], heads: number): number {
  const width = (shape.at(-1) ?? NaN) / heads;
  if (shape.length > 1 && Number.isInteger(width)) return width;
  const expected = `be (..., L, d · heads) with a last dimension that its ${heads} heads divide`;
  throw rangeError(argument, `${expected}, got shape ${formatShape(shape)}`);
}

/** (…,L,H·d) → (…,H,L,d) */
export function splitHeads(argument: string, { data, shape }: Float32Block, heads: number): Float32Block {
  const width = headWidth(argument, shape, heads);
  const rows = item(shape, shape.length - 2);
  return { data: swapped(data, rows, heads, width), shape: [...shape.slice(0, -2), heads, rows, width] };
}

/** (…,H,L,d) → (…,L,H·d) */
export function joinHeads(data: Float32Array, shape: readonly number[]): Float32Block {
  const [heads, rows, width] = shape.slice(-3) as [number, number, number];
  return { data: swapped(data, heads, rows, width), shape: [...shape.slice(0, -3), rows, heads * width] };
}

/** (…,P,d) before (…,S,d) → (…,P+S,d) */
export function appendRows(argument: string, past: Float32Block, now: Float32Block): Float32Block {
  const axis = now.shape.length - 2;
  if (
    past.shape.length !== now.shape.length ||
    past.shape.some((size, i) => i !== axis && size !== now.shape[i])
  ) {
    throw rangeError(
      argument,
      `have the shape of the new rows but for their number, ${formatShape(now.shape)}, got shape ${formatShape(past.shape)}`,
    );
  }
  const rows = item(past.shape, axis) + item(now.shape, axis);
  const [before, after] = [past, now].map(({ shape }) => product(shape.slice(axis))) as [number, number];
  const shape = now.shape.with(axis, rows);
  const data = new Float32Array(product(shape));
  for (let n = 0; n * (before + after) < data.length; ++n) {
    const start = n * (before + after);
    data.set(past.data.subarray(n * before, (n + 1) * before), start);
    data.set(now.data.subarray(n * after, (n + 1) * after), start + before);
  }
  return { data, shape };
}

export const checkHeads = (argument: string, heads: number | undefined): number | undefined =>
  heads === undefined ? undefined : checkInteger(argument, heads);
