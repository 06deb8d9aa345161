/** What models of two stacks have in common: encoder–decoders, and CLIP. */
import { Tensor, toTensor } from '../api/tensor.js';
import type { CacheHandle, ForwardResult, Inspection, ModelHandle } from '../wasm/models.js';
import type { EmbeddedInput, Lookup } from './embeddings.js';

/** The two stacks of a model, numbered from 0. */
export interface Stacks extends Lookup {
  forward(...call: Parameters<ModelHandle['forward']>): ForwardResult;
  /** What a map of rows makes of parts of a row, (parts,width). */
  mapParts(map: string, parts: Float32Array, width: number, columns: readonly number[]): Float32Array;
}

/** All that can be inspected, and none of it wanted. */
export const NO_INSPECTION: Inspection = {
  ...{ valueWeighted: false, contexts: false, traced: null, firstLayer: 0, context: null, onlyRow: null },
};

/** What a run gives. */
export interface StackOptions {
  /** Whether a layer's attentions are given. */
  readonly wants: (layer: number) => boolean;
  readonly hiddenStates: boolean;
}

/** What cross-attention sees of another text. */
export interface Memory {
  readonly rows: Tensor;
  readonly mask: EmbeddedInput['mask'];
}

/** What one stack gives. */
export interface StackOutput {
  readonly attentions: Tensor[];
  readonly crossAttentions: Tensor[];
  readonly hiddenStates: Tensor[];
  /** (B,L,H·d) a layer, where they are wanted. */
  readonly contexts: Tensor[];
  /** Of a traced row. */
  readonly parts: Float32Array;
  /** (B,L,E), before a final norm. */
  readonly last: Tensor;
}

const given = (all: ForwardResult['attentions']): Tensor[] =>
  all.filter((one) => one !== null).map((one) => toTensor(one));

/** Runs a stack of so many layers. */
export function runStack(
  stacks: Stacks,
  { index, layers }: { readonly index: number; readonly layers: readonly unknown[] },
  { rows, shape, mask }: EmbeddedInput,
  { wants, hiddenStates }: StackOptions,
  {
    memory = null,
    cache = null,
    inspection = null,
  }: {
    readonly memory?: Memory | null;
    readonly cache?: CacheHandle | null;
    readonly inspection?: Partial<Inspection> | null;
  } = {},
): StackOutput {
  const wanted = layers.map((_, layer) => Number(wants(layer)));
  const seen = memory && { data: memory.rows.data, shape: [...memory.rows.shape] };
  const result = stacks.forward(
    index,
    { data: rows, shape },
    mask,
    wanted,
    [],
    [],
    hiddenStates,
    false,
    cache,
    seen,
    memory?.mask ?? null,
    wanted,
    inspection && { ...NO_INSPECTION, ...inspection },
  );
  return {
    attentions: given(result.attentions),
    crossAttentions: given(result.crossAttentions),
    hiddenStates: result.hiddenStates.map(toTensor),
    contexts: result.contexts.map(toTensor),
    parts: result.parts ?? new Float32Array(),
    last: toTensor(result.last),
  };
}

/** Row `place(b)` of each item of (B,L,E), (B,E). */
export function rowsAt({ data, shape }: Tensor, place: (item: number) => number): Float32Array {
  const [batch = 1, length = 1, width = 1] = shape;
  const rows = new Float32Array(batch * width);
  for (let b = 0; b < batch; b++) {
    const start = (b * length + place(b)) * width;
    rows.set(data.subarray(start, start + width), b * width);
  }
  return rows;
}
