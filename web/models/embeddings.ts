/** From token ids or pixels to the vectors that enter the first layer. */
import { formatShape, rangeError, wrongKind } from '../api/errors.js';
import { toFloat32Block } from '../api/inputs.js';
import type { Architecture, ImageInput, TextInput } from './architecture.js';
import { type PixelInput, readTokens, type TokenBatch, type TokenInput } from './inputs.js';
import { bicubicRanges } from './pillow-resize.js';

/** What enters the first layer. */
export interface EmbeddedInput {
  /** (B,L,E) */
  readonly rows: Float32Array<ArrayBuffer>;
  readonly shape: [batch: number, length: number, width: number];
  /** (B,S) of the keys; null where all count. */
  readonly mask: { readonly data: Uint8Array<ArrayBuffer>; readonly shape: number[] } | null;
  /** (B·L,) of rotary embeddings, where they are given. */
  readonly positions?: number[] | undefined;
  /** Of images. */
  readonly patches?: PatchGrid;
}

/** Parts of a model that its embeddings read. */
export interface Lookup {
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

/** @see Vaswani et al. (2017), section 3.5; the order of the components is Marian's */
function addSinusoids(rows: Float32Array, width: number, length: number, past: number): void {
  const sines = Math.ceil(width / 2);
  for (let i = 0; i < rows.length; i++) {
    const position = past + (Math.floor(i / width) % length);
    const j = i % width;
    const pair = j < sines ? j : j - sines;
    const angle = position / 10_000 ** ((2 * pair) / width);
    rows[i] = (rows[i] ?? 0) + (j < sines ? Math.sin(angle) : Math.cos(angle));
  }
}

function embedTokens(
  spec: TextInput,
  { ids, batch, length, mask, types, positions }: TokenBatch,
  past: number,
  width: number,
  lookup: Lookup,
): EmbeddedInput {
  const { token, position, type, paddingId, scale = 1, tokenMap, hasSinusoids, zeroesPadding } = spec;
  const vectors = lookup.tableRows(token, [...ids]);
  const sum =
    tokenMap === undefined ? new Float32Array(vectors) : lookup.mapRows(tokenMap, vectors, batch * length);
  // Loops over indices: iterators of typed arrays take a sixth of a short sentence's time.
  for (let i = 0; i < sum.length && scale !== 1; i++) sum[i] = (sum[i] ?? 0) * scale;
  const add = (table: string, indices: readonly number[]) => {
    const rows = lookup.tableRows(table, indices);
    for (let i = 0; i < rows.length; i++) sum[i] = (sum[i] ?? 0) + (rows[i] ?? 0);
  };
  const places = positions ? [...positions] : undefined;
  if (position) add(position.tensor, places ?? positionsOf(ids, length, position.first, past, paddingId));
  if (hasSinusoids) addSinusoids(sum, width, length, past);
  if (type) add(type, types ? [...types] : Array.from(ids, () => 0));
  const rows = spec.map === undefined ? sum : lookup.mapRows(spec.map, sum, batch * length);
  if (zeroesPadding && mask) {
    for (const [i, isReal] of mask.entries()) if (isReal === 0) rows.fill(0, i * width, (i + 1) * width);
  }
  return {
    ...{ rows, shape: [batch, length, width], positions: places },
    mask: mask && { data: mask, shape: [batch, past + length] },
  };
}

/** How an image is cut into patches. */
export interface PatchGrid {
  /** Patches from top to bottom. */
  readonly rows: number;
  /** Patches from left to right. */
  readonly columns: number;
  /** The token of the first patch; those before it are learned: CLS, DeiT's distillation token, registers. */
  readonly first: number;
}

/**
 * @param shape of `pixelValues`
 * @throws RangeError for images of another size, where the model has positions for one size only
 */
export function gridOf(
  { imageSize, patchSize, channels, tokens, registers, resizedPositions }: ImageInput,
  shape: readonly number[],
): PatchGrid {
  const [, count, height = 0, width = 0] = shape;
  const fits = resizedPositions
    ? height >= patchSize && width >= patchSize
    : height === imageSize.height && width === imageSize.width;
  if (shape.length !== 4 || count !== channels || !fits) {
    const sizes = resizedPositions
      ? `H, W), both at least ${patchSize}`
      : `${imageSize.height}, ${imageSize.width})`;
    throw rangeError('pixelValues', `have shape (B, ${channels}, ${sizes}, got ${formatShape(shape)}`);
  }
  return {
    rows: Math.floor(height / patchSize),
    columns: Math.floor(width / patchSize),
    first: tokens.length + (registers?.count ?? 0),
  };
}

/** Pixels (B,C,H,W) as rows of patches (B·rows·columns, C·p·p). What is left over at the right and below is left out. */
function patchesOf(
  pixels: ArrayLike<number>,
  [batch = 0, channels = 0, height = 0, width = 0]: readonly number[],
  { rows, columns }: PatchGrid,
  patch: number,
): Float32Array {
  const result = new Float32Array(batch * rows * columns * channels * patch * patch);
  let next = 0;
  for (let b = 0; b < batch; b++) {
    for (let place = 0; place < rows * columns; place++) {
      const [top, left] = [Math.floor(place / columns) * patch, (place % columns) * patch];
      for (let c = 0; c < channels; c++) {
        for (let y = 0; y < patch; y++) {
          const start = ((b * channels + c) * height + top + y) * width + left;
          for (let x = 0; x < patch; x++) result[next++] = pixels[start + x] ?? 0;
        }
      }
    }
  }
  return result;
}

/** The places of a line that a new place is made of, and their weights. */
type Ranges = readonly { readonly first: number; readonly weights: readonly number[] }[];

/** torch's parameter of the cubic convolution, where it does not antialias. */
const A = -0.75;

/** torch's `interpolate(mode='bicubic')`: four neighbours each, those outside are the nearest at the edge. */
function torchBicubic(size: number, newSize: number): Ranges {
  const near = (x: number) => ((A + 2) * x - (A + 3)) * x * x + 1;
  const far = (x: number) => ((A * x - 5 * A) * x + 8 * A) * x - 4 * A;
  return Array.from({ length: newSize }, (_, i) => {
    const center = (i + 0.5) * (size / newSize) - 0.5;
    const from = Math.floor(center);
    const t = center - from;
    const weights = Array.from({ length: size }, () => 0);
    for (const [j, weight] of [far(t + 1), near(t), near(1 - t), far(2 - t)].entries()) {
      const place = Math.min(Math.max(from - 1 + j, 0), size - 1);
      weights[place] = (weights[place] ?? 0) + weight;
    }
    return { first: 0, weights };
  });
}

/** Rows (side·side, width) of a square grid as rows (rows·columns, width) of another. */
function resizedRows(
  data: Float32Array,
  { side, width }: { side: number; width: number },
  down: Ranges,
  across: Ranges,
): Float32Array {
  const result = new Float32Array(down.length * across.length * width);
  let to = 0;
  for (const row of down) {
    for (const column of across) {
      for (const [y, high] of row.weights.entries()) {
        for (const [x, wide] of column.weights.entries()) {
          const weight = high * wide;
          if (weight === 0) continue;
          const from = ((row.first + y) * side + column.first + x) * width;
          for (let j = 0; j < width; j++)
            result[to + j] = (result[to + j] ?? 0) + weight * (data[from + j] ?? 0);
        }
      }
      to += width;
    }
  }
  return result;
}

const upTo = (count: number, first = 0): number[] => Array.from({ length: count }, (_, i) => first + i);

/** Positions of the patches (rows·columns, width), resized where the image has another size than the model. */
function patchPositions(spec: ImageInput, { rows, columns }: PatchGrid, lookup: Lookup): Float32Array {
  const { imageSize, patchSize, width, tokens, position, resizedPositions } = spec;
  const side = Math.floor(imageSize.height / patchSize);
  const across = Math.floor(imageSize.width / patchSize);
  const data = lookup.tableRows(position, upTo(side * across, tokens.length));
  if (rows === side && columns === across) return data;
  const ranges = resizedPositions === 'antialiased' ? bicubicRanges : torchBicubic;
  return resizedRows(data, { side, width }, ranges(side, rows), ranges(side, columns));
}

/** @throws TypeError, RangeError for pixels that do not fit the model */
function embedImage(spec: ImageInput, pixelValues: unknown, lookup: Lookup): EmbeddedInput {
  const { data, shape } = toFloat32Block('pixelValues', pixelValues);
  const { patchSize, width, tokens, registers, position, patchMap = 'patches', map } = spec;
  const grid = gridOf(spec, shape);
  const [batch = 0] = shape;
  const count = grid.rows * grid.columns;
  const patches = lookup.mapRows(patchMap, patchesOf(data, shape, grid, patchSize), batch * count);
  const length = grid.first + count;
  const rows = new Float32Array(batch * length * width);
  const add = (values: Float32Array, token: number) => {
    for (let b = 0; b < batch; b++) {
      const to = (b * length + token) * width;
      for (let j = 0; j < values.length; j++) rows[to + j] = (rows[to + j] ?? 0) + (values[j] ?? 0);
    }
  };
  for (const [token, table] of tokens.entries()) add(lookup.tableRows(table, [0]), token);
  add(lookup.tableRows(position, upTo(tokens.length)), 0);
  if (registers) add(lookup.tableRows(registers.tensor, upTo(registers.count)), tokens.length);
  for (let b = 0; b < batch; b++) {
    const own = patches.subarray(b * count * width, (b + 1) * count * width);
    rows.set(own, (b * length + grid.first) * width);
  }
  add(patchPositions(spec, grid, lookup), grid.first);
  const entering = map === undefined ? rows : lookup.mapRows(map, rows, batch * length);
  return { rows: entering, shape: [batch, length, width], mask: null, patches: grid };
}

/** What of a model `embed` needs: `input` is that of one of its stacks. */
export type Embedding = Pick<Architecture, 'input' | 'tables' | 'family'> & {
  readonly config: { readonly width: number; readonly rotaries: readonly unknown[] };
};

/**
 * @param past tokens that the cache holds
 * @param name of the token ids, in messages
 * @throws TypeError, RangeError for an input that does not fit the model
 */
export function embed(
  { input: spec, tables, family, config }: Embedding,
  input: TokenInput | PixelInput,
  past: number,
  lookup: Lookup,
  name = 'inputIds',
): EmbeddedInput {
  const expected = spec.kind === 'image' ? 'pixelValues' : 'inputIds';
  if (typeof (input as unknown) !== 'object' || (input as unknown) === null || !(expected in input)) {
    const other = spec.kind === 'image' ? '{ image }' : 'a text';
    throw wrongKind('input', `${other} or { ${expected} } for ${family}`, input);
  }
  if (spec.kind === 'image') return embedImage(spec, (input as PixelInput).pixelValues, lookup);
  const [vocabulary = 0] = tables.get(spec.token) ?? [];
  const [types = 0] = tables.get(spec.type ?? '') ?? [];
  const most = config.rotaries.length > 0 ? spec.maxLength : 0;
  const [positions = most] = tables.get(spec.position?.tensor ?? '') ?? [];
  const limits = { vocabulary, types, positions };
  const tokens = readTokens(name, input as TokenInput, past, spec, limits);
  return embedTokens(spec, tokens, past, config.width, lookup);
}
