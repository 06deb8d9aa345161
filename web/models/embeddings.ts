/** From token ids or pixels to the vectors that enter the first layer. */
import { wrongKind } from '../api/errors.js';
import type { Architecture, TextInput } from './architecture.js';
import { type PixelInput, readTokens, type TokenBatch, type TokenInput } from './inputs.js';
import { embedImage, type PatchGrid } from './patch-embeddings.js';

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

/** What of the model embeddings need. */
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

function embedTokens(
  spec: TextInput,
  { ids, batch, length, mask, types, positions }: TokenBatch,
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
  const places = positions ? [...positions] : undefined;
  if (position) add(position.tensor, places ?? positionsOf(ids, length, position.first, past, paddingId));
  if (type) add(type, types ? [...types] : Array.from(ids, () => 0));
  const hasInput = maps.some(({ name }) => name === 'input');
  const rows = hasInput ? lookup.mapRows('input', sum, batch * length) : sum;
  return {
    ...{ rows, shape: [batch, length, width], positions: places },
    mask: mask && { data: mask, shape: [batch, past + length] },
  };
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
    const other = spec.kind === 'image' ? '{ image }' : 'a text';
    throw wrongKind('input', `${other} or { ${expected} } for ${family}`, input);
  }
  if (spec.kind === 'image') return embedImage(spec, (input as PixelInput).pixelValues, lookup);
  const [vocabulary = 0] = tables.get(spec.token) ?? [];
  const [types = 0] = tables.get(spec.type ?? '') ?? [];
  const [positions = spec.maxLength] = tables.get(spec.position?.tensor ?? '') ?? [];
  const tokens = readTokens(input as TokenInput, past, spec, { vocabulary, types, positions });
  return embedTokens(spec, tokens, past, architecture, lookup);
}
