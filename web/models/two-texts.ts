/** Encoder–decoders: a text that is read, and another that is written from it. */
import { formatShape, rangeError } from '../api/errors.js';
import { Tensor } from '../api/tensor.js';
import type { CacheHandle } from '../wasm/models.js';
import type { Architecture, Writing } from './architecture.js';
import { embed } from './embeddings.js';
import { type Ids, checkComputed, type TokenInput } from './inputs.js';
import { type Memory, runStack, type StackOptions, type StackOutput, type Stacks } from './stacks.js';

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

/** Those of an encoder–decoder: the decoder, then the encoder. */
export interface TextStacks extends Stacks {
  readonly architecture: Architecture & { readonly writing: Writing };
}

const NOTHING: StackOptions = { wants: () => false, hiddenStates: false };

/** Where a stack has a final norm, it is that of what leaves it, and of the last hidden state. */
function normed(
  stacks: Stacks,
  output: StackOutput,
  { hasFinalNorm, prefix }: { readonly hasFinalNorm: boolean; readonly prefix: string },
): StackOutput {
  if (!hasFinalNorm) return output;
  const { last, hiddenStates } = output;
  const [batch = 1, length = 1] = last.shape;
  const norm = new Tensor(stacks.mapRows(`${prefix}final`, last.data, batch * length), last.shape);
  return {
    ...output,
    last: norm,
    hiddenStates: hiddenStates.map((state, i) => (i === hiddenStates.length - 1 ? norm : state)),
  };
}

/** Reads a text: what leaves the encoder is what the decoder sees. */
export function encode(
  stacks: TextStacks,
  input: Pick<TokenInput, 'inputIds' | 'attentionMask'>,
  options = NOTHING,
): StackOutput & { readonly memory: Memory } {
  const { writing, tables, family } = stacks.architecture;
  const { encoder } = writing;
  const embedded = embed({ tables, family, input: encoder.input, config: encoder.config }, input, 0, stacks);
  const stack = { index: 1, layers: encoder.config.layers };
  const output = normed(stacks, runStack(stacks, stack, embedded, options), encoder);
  return { ...output, memory: { rows: output.last, mask: embedded.mask } };
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
): StackOutput {
  const { architecture } = stacks;
  const embedded = embed(architecture, { inputIds: ids }, past, stacks, 'decoderInputIds');
  const { shape } = embedded;
  const batch = memory?.rows.shape[0] ?? shape[0];
  if (batch !== shape[0]) {
    throw rangeError('decoderInputIds', `have shape (${batch}, T), got ${formatShape(shape.slice(0, 2))}`);
  }
  const stack = { index: 0, layers: architecture.config.layers };
  const output = runStack(stacks, stack, embedded, options, { memory, cache });
  return normed(stacks, output, { hasFinalNorm: architecture.hasFinalNorm, prefix: '' });
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
