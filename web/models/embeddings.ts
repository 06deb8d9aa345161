/** From token ids or pixels to the vectors that enter the first layer. */
import { formatShape, rangeError, wrongKind } from '../api/errors.js';
import { toFloat32Block } from '../api/inputs.js';
import type { Architecture, ImageInput, TextInput } from './architecture.js';
import { type PixelInput, readTokens, type TokenBatch, type TokenInput } from './inputs.js';

/** What enters the first layer. */
export interface EmbeddedInput {
  /** (B,L,E) */
  readonly rows: Float32Array<ArrayBuffer>;
  readonly shape: [batch: number, length: number, width: number];
  /** (B,S) of the keys; null where all count. */
  readonly mask: { readonly data: Uint8Array<ArrayBuffer>; readonly shape: number[] } | null;
}

/** What of the model embeddings need. */
interface Lookup {
  /** Rows (n,width) of a table of the file. */
  tableRows(table: string, indices: readonly number[]): Float32Array;
  /** Applies a map of rows of the binary. */
  mapRows(map: string, data: Float32Array, rows: number): Float32Array<ArrayBuffer>;
}

/** The row of the position table of each token. Padding of RoBERTa stays at its own row and is not counted. */
function positionsOf(
  ids: Int32Array,
  length: number,
  first: number,
  past: number,
  paddingId?: number,
): number[] {
  let next = 0;
  return Array.from(ids, (id, i) => {
    if (i % length === 0) next = past;
    return id === paddingId ? paddingId : first + next++;
  });
}

/** Pixels (B,C,H,W) as rows of patches (B·patches, C·p·p). */
function patchesOf(
  pixels: ArrayLike<number>,
  { batch, channels, size, patch }: { batch: number; channels: number; size: number; patch: number },
): Float32Array {
  const side = size / patch;
  const rows = new Float32Array(batch * channels * size * size);
  let next = 0;
  for (let b = 0; b < batch; b++) {
    for (let place = 0; place < side * side; place++) {
      const [top, left] = [Math.floor(place / side) * patch, (place % side) * patch];
      for (let c = 0; c < channels; c++) {
        for (let y = 0; y < patch; y++) {
          const start = ((b * channels + c) * size + top + y) * size + left;
          for (let x = 0; x < patch; x++) rows[next++] = pixels[start + x] ?? 0;
        }
      }
    }
  }
  return rows;
}

function embedTokens(
  spec: TextInput,
  { ids, batch, length, mask, types }: TokenBatch,
  past: number,
  { maps, config: { width } }: Architecture,
  lookup: Lookup,
): EmbeddedInput {
  const { token, position, type, paddingId, scale = 1 } = spec;
  const sum = new Float32Array(lookup.tableRows(token, [...ids]));
  // Loops over indices: iterators of typed arrays take a sixth of a short sentence's time.
  for (let i = 0; i < sum.length && scale !== 1; i++) sum[i] = (sum[i] ?? 0) * scale;
  const add = (table: string, indices: readonly number[]) => {
    const rows = lookup.tableRows(table, indices);
    for (let i = 0; i < rows.length; i++) sum[i] = (sum[i] ?? 0) + (rows[i] ?? 0);
  };
  if (position) add(position.tensor, positionsOf(ids, length, position.first, past, paddingId));
  if (type) add(type, types ? [...types] : Array.from(ids, () => 0));
  const hasInput = maps.some(({ name }) => name === 'input');
  const rows = hasInput ? lookup.mapRows('input', sum, batch * length) : sum;
  return { rows, shape: [batch, length, width], mask: mask && { data: mask, shape: [batch, past + length] } };
}

function embedImage(spec: ImageInput, pixelValues: unknown, lookup: Lookup): EmbeddedInput {
  const { data, shape } = toFloat32Block('pixelValues', pixelValues);
  const { imageSize: size, patchSize: patch, channels, width, tokens, position } = spec;
  const [batch = 0, ...rest] = shape;
  if (shape.length !== 4 || rest.join() !== [channels, size, size].join()) {
    throw rangeError(
      'pixelValues',
      `have shape (B, ${channels}, ${size}, ${size}), got ${formatShape(shape)}`,
    );
  }
  const count = (size / patch) ** 2;
  const patches = lookup.mapRows('patches', patchesOf(data, { batch, channels, size, patch }), batch * count);
  const length = tokens.length + count;
  const places = lookup.tableRows(
    position,
    Array.from({ length }, (_, i) => i),
  );
  const learned = tokens.map((table) => lookup.tableRows(table, [0]));
  const rows = new Float32Array(batch * length * width);
  for (let b = 0; b < batch; b++) {
    for (let l = 0; l < length; l++) {
      const own = learned[l] ?? patches.subarray((b * count + l - tokens.length) * width);
      for (let j = 0; j < width; j++) {
        rows[(b * length + l) * width + j] = (own[j] ?? 0) + (places[l * width + j] ?? 0);
      }
    }
  }
  return { rows, shape: [batch, length, width], mask: null };
}

/**
 * @param past tokens that the cache holds
 * @throws TypeError, RangeError for an input that does not fit the model
 */
export function embed(
  architecture: Architecture,
  input: TokenInput | PixelInput,
  past: number,
  lookup: Lookup,
): EmbeddedInput {
  const { input: spec, tables, family } = architecture;
  const expected = spec.kind === 'image' ? 'pixelValues' : 'inputIds';
  if (typeof (input as unknown) !== 'object' || (input as unknown) === null || !(expected in input)) {
    const text = spec.kind === 'image' ? '' : 'a text or ';
    throw wrongKind('input', `${text}{ ${expected} } for ${family}`, input);
  }
  if (spec.kind === 'image') return embedImage(spec, (input as PixelInput).pixelValues, lookup);
  const [vocabulary = 0] = tables.get(spec.token) ?? [];
  const [types = 1] = tables.get(spec.type ?? '') ?? [];
  const tokens = readTokens(input as TokenInput, past, spec, { vocabulary, types });
  return embedTokens(spec, tokens, past, architecture, lookup);
}
