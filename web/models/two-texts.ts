/** Encoder–decoders: a text that is read, and another that is written from it. */
import { formatShape, rangeError } from '../api/errors.js';
import { Tensor, toTensor } from '../api/tensor.js';
import type { CacheHandle, ForwardResult, ModelHandle } from '../wasm/models.js';
import type { Architecture, Writing } from './architecture.js';
import { embed, type EmbeddedInput, type Lookup } from './embeddings.js';
import { type Ids, checkComputed, type TokenInput } from './inputs.js';

/** Token ids of the text that is read, and of what is written from it. */
export interface TwoTextIds extends Pick<TokenInput, 'inputIds' | 'attentionMask'> {
  /** (B,T): `decoder_input_ids` of transformers, which begin with `decoder_start_token_id`. */
  readonly decoderInputIds: Ids;
}

/** What an encoder–decoder computes of two texts: the one that is read has S tokens, the one that is written T. */
export interface TwoTextNumbers {
  /** A layer each (B,H,S,S). */
  readonly encoderAttentions: readonly Tensor[];
  /** A layer each (B,H,T,T). */
  readonly decoderAttentions: readonly Tensor[];
  /** A layer each (B,H,T,S): where each token of the second text looks in the first. */
  readonly crossAttentions: readonly Tensor[];
  /** Embeddings first, then what leaves each layer (B,S,E). */
  readonly encoderHiddenStates?: readonly Tensor[];
  /** The same of the decoder (B,T,E). */
  readonly decoderHiddenStates?: readonly Tensor[];
  /** What leaves the decoder (B,T,E). */
  readonly lastHiddenState: Tensor;
  /** (B,T,V) */
  readonly logits?: Tensor;
}

/** The two stacks of a model. */
export interface Stacks extends Lookup {
  forward(...call: Parameters<ModelHandle['forward']>): ForwardResult;
}

/** Those of an encoder–decoder: the decoder, then the encoder. */
export interface TextStacks extends Stacks {
  readonly architecture: Architecture & { readonly writing: Writing };
}

/** What a run gives. */
export interface StackOptions {
  /** Whether a layer's attentions are given. */
  readonly wants: (layer: number) => boolean;
  readonly hiddenStates: boolean;
}

const NOTHING: StackOptions = { wants: () => false, hiddenStates: false };

/** The layers of a stack, 1 for those whose attentions are given. */
const flags = ({ layers }: { readonly layers: readonly unknown[] }, { wants }: StackOptions): number[] =>
  layers.map((_, layer) => Number(wants(layer)));

const given = (all: ForwardResult['attentions']): Tensor[] =>
  all.filter((one) => one !== null).map((one) => toTensor(one));

/** Hidden states, the last of which is what the final norm gives. */
const statesOf = ({ hiddenStates }: ForwardResult, last: Tensor): Tensor[] => [
  ...hiddenStates.slice(0, -1).map(toTensor),
  last,
];

/** The rows that leave a stack. */
function lastOf(
  stacks: Stacks,
  { last: { data, shape } }: ForwardResult,
  { hasFinalNorm, prefix }: { readonly hasFinalNorm: boolean; readonly prefix: string },
): Tensor {
  const [batch = 1, length = 1] = shape;
  const rows = hasFinalNorm ? stacks.mapRows(`${prefix}final`, data, batch * length) : data;
  return new Tensor(rows, Array.from(shape));
}

/** What the decoder sees of a text. */
export interface Memory {
  readonly rows: Tensor;
  readonly mask: EmbeddedInput['mask'];
}

/** Reads a text. */
export function encode(
  stacks: TextStacks,
  input: Pick<TokenInput, 'inputIds' | 'attentionMask'>,
  options = NOTHING,
): { memory: Memory; attentions: Tensor[]; hiddenStates: Tensor[] } {
  const { writing, tables, family } = stacks.architecture;
  const { encoder } = writing;
  const embedded = embed({ tables, family, input: encoder.input, config: encoder.config }, input, 0, stacks);
  const { rows, shape, mask } = embedded;
  const hidden = { data: rows, shape };
  const wanted = flags(encoder.config, options);
  const states = options.hiddenStates;
  const result = stacks.forward(1, hidden, mask, wanted, [], [], states, false, null, null, null, []);
  const last = lastOf(stacks, result, encoder);
  return {
    memory: { rows: last, mask },
    attentions: given(result.attentions),
    hiddenStates: options.hiddenStates ? statesOf(result, last) : [],
  };
}

/**
 * Computes the tokens of the second text that follow those of the cache.
 *
 * @param memory null where the cache has it
 */
export function decode(
  stacks: TextStacks,
  ids: Ids,
  memory: Memory | null,
  { cache = null, past = 0 }: { readonly cache?: CacheHandle | null; readonly past?: number } = {},
  options = NOTHING,
): { attentions: Tensor[]; crossAttentions: Tensor[]; hiddenStates: Tensor[]; last: Tensor } {
  const { architecture } = stacks;
  const { rows, shape } = embed(architecture, { inputIds: ids }, past, stacks, 'decoderInputIds');
  const batch = memory?.rows.shape[0] ?? shape[0];
  if (batch !== shape[0]) {
    throw rangeError('decoderInputIds', `have shape (${batch}, T), got ${formatShape(shape.slice(0, 2))}`);
  }
  const hidden = { data: rows, shape };
  const wanted = flags(architecture.config, options);
  const states = options.hiddenStates;
  const seen = memory && { data: memory.rows.data, shape: [...memory.rows.shape] };
  const mask = memory?.mask ?? null;
  const result = stacks.forward(0, hidden, null, wanted, [], [], states, false, cache, seen, mask, wanted);
  const last = lastOf(stacks, result, { hasFinalNorm: architecture.hasFinalNorm, prefix: '' });
  return {
    attentions: given(result.attentions),
    crossAttentions: given(result.crossAttentions),
    hiddenStates: options.hiddenStates ? statesOf(result, last) : [],
    last,
  };
}

/** All that is computed of two texts. */
export function forwardTwoTexts(
  stacks: TextStacks,
  { decoderInputIds, ...input }: TwoTextIds,
  options: StackOptions,
): TwoTextNumbers {
  const read = encode(stacks, input, options);
  const written = decode(stacks, decoderInputIds, read.memory, {}, options);
  const { data, shape } = written.last;
  checkComputed('lastHiddenState', data);
  const [batch = 1, length = 1] = shape;
  const [head] = stacks.architecture.heads;
  const logits = head ? stacks.mapRows(head.map, data, batch * length) : null;
  if (logits) checkComputed('logits', logits);
  return {
    encoderAttentions: read.attentions,
    decoderAttentions: written.attentions,
    crossAttentions: written.crossAttentions,
    ...(options.hiddenStates && {
      encoderHiddenStates: read.hiddenStates,
      decoderHiddenStates: written.hiddenStates,
    }),
    lastHiddenState: written.last,
    ...(logits && { logits: new Tensor(logits, [batch, length, logits.length / (batch * length)]) }),
  };
}

/** The same memory for each of several beams. */
export function repeated({ rows, mask }: Memory, count: number): Memory {
  if (count === 1) return { rows, mask };
  const [, length = 1, width = 1] = rows.shape;
  const data = new Float32Array(count * rows.data.length);
  for (let b = 0; b < count; b++) data.set(rows.data, b * rows.data.length);
  const all = mask && new Uint8Array(count * length);
  for (let b = 0; all && b < count; b++) all.set(mask.data, b * length);
  return {
    rows: new Tensor(data, [count, length, width]),
    mask: all && { data: all, shape: [count, length] },
  };
}

/** The last rows (B,E) of hidden states (B,T,E). */
export function lastRows({ data, shape }: Tensor): Float32Array {
  const [batch = 1, length = 1, width = 1] = shape;
  const rows = new Float32Array(batch * width);
  for (let b = 0; b < batch; b++) {
    const start = ((b + 1) * length - 1) * width;
    rows.set(data.subarray(start, start + width), b * width);
  }
  return rows;
}
