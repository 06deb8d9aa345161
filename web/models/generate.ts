import { checkFinite, checkInteger, rangeError, wrongKind } from '../api/errors.js';
import { type OrNull, readOptions } from '../api/options.js';
import { checkCount } from './inputs.js';
import type { Model } from './model.js';

/** Options of `generate`. */
export interface GenerateOptions {
  /** At most so many tokens are added. */
  maxNewTokens?: number;
  /** 0 takes the likeliest token; above, tokens are drawn from softmax(logits / temperature). */
  temperature?: number;
  /** Draws from the `topK` likeliest tokens only. */
  topK?: number;
  /** Seed of the draws: 0 … 2³² − 1. */
  seed?: number;
  /** Ends the text; `eos_token_id` of config.json where the input is a text, none where it is ids. */
  eosTokenId?: number;
  /** Called after each new token. */
  onToken?: (token: GeneratedToken) => void;
  /** Ends it: the promise is rejected with the signal's reason. */
  signal?: AbortSignal;
}

/** A new token, as `onToken` gets it. */
export interface GeneratedToken {
  /** Its row in the vocabulary. */
  readonly id: number;
  /** As the vocabulary spells it; '' for a model without a tokenizer. */
  readonly token: string;
  /** softmax(logits / temperature) of the token; of the plain logits with temperature 0. */
  readonly probability: number;
}

/** A text with its continuation. */
export interface Generated {
  /** Token ids, those of the input first. */
  readonly ids: number[];
  /** The token of each id. */
  readonly tokens: string[];
  /** '' for a model without a tokenizer. */
  readonly text: string;
}

/** Milliseconds of computing before the page gets a turn. */
const SLICE = 8;

const nextTask = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });

/** The indices of the `count` largest values, largest first; of equal values the first. */
export function largest(values: ArrayLike<number>, count: number): number[] {
  const top: number[] = [];
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? -Infinity;
    if (top.length === count && value <= (values[top[count - 1] ?? 0] ?? 0)) continue;
    let place = top.length;
    while (place > 0 && value > (values[top[place - 1] ?? 0] ?? 0)) place--;
    top.splice(place, 0, i);
    if (top.length > count) top.pop();
  }
  return top;
}

/** softmax(values), in float64. */
export function softmaxOf(values: Float32Array | readonly number[]): Float64Array {
  let most = -Infinity;
  for (const value of values) most = Math.max(most, value);
  const powers = new Float64Array(values.length);
  let sum = 0;
  for (let i = 0; i < powers.length; i++) sum += powers[i] = Math.exp((values[i] ?? -Infinity) - most);
  for (let i = 0; i < powers.length; i++) powers[i] = (powers[i] ?? 0) / sum;
  return powers;
}

/** Tommy Ettinger's mulberry32: uniform numbers in [0, 1). */
function uniform(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Choice = readonly [id: number, probability: number];

function likeliest(logits: Float32Array): Choice {
  const [id = 0] = largest(logits, 1);
  return [id, softmaxOf(logits)[id] ?? 0];
}

/** The token at which the sum of probabilities passes `point`, a number in [0, 1). */
function drawn(logits: Float32Array, temperature: number, topK: number | undefined, point: number): Choice {
  const isAll = topK === undefined || topK >= logits.length;
  const candidates = isAll ? [...logits.keys()] : largest(logits, topK);
  const probabilities = softmaxOf(candidates.map((id) => (logits[id] ?? 0) / temperature));
  let place = 0;
  let rest = point;
  while (place < candidates.length - 1 && (rest -= probabilities[place] ?? 0) >= 0) place++;
  return [candidates[place] ?? 0, probabilities[place] ?? 0];
}

const isIds = (value: unknown): value is readonly number[] =>
  Array.isArray(value) || ArrayBuffer.isView(value);

const OPTIONS = ['maxNewTokens', 'temperature', 'topK', 'seed', 'eosTokenId', 'onToken', 'signal'] as const;

/** Continues a text or token ids with a causal model, one token at a time. */
export async function generate(
  model: Model,
  input: string | readonly number[],
  options?: OrNull<GenerateOptions> | null,
): Promise<Generated> {
  const read = readOptions('generate', options ?? {}, OPTIONS);
  const { maxNewTokens = 32, temperature = 0, topK, seed = 0, eosTokenId, onToken, signal } = read;
  if (!model.causal) throw rangeError('model', `be causal to generate text, got ${model.family}`);
  if (!model.hasLanguageHead)
    throw rangeError('model', `have a head for next tokens, got ${model.family} without one`);
  checkInteger('maxNewTokens', maxNewTokens);
  if (checkFinite('temperature', temperature) < 0) {
    throw rangeError('temperature', `be at least 0, got ${temperature}`);
  }
  if (topK !== undefined) checkInteger('topK', topK);
  checkInteger('seed', seed, 0, 2 ** 32 - 1);
  if (typeof input !== 'string' && !isIds(input)) throw wrongKind('input', 'a text or token ids', input);
  const ends = new Set(
    eosTokenId !== undefined ? [eosTokenId] : typeof input === 'string' ? model.endIds : [],
  );
  const ids = typeof input === 'string' ? [...model.tokenize(input).ids] : [...input];
  checkCount(ids.length, model.maxLength);
  const draw = uniform(seed);
  const cache = model.newCache();
  try {
    let next = ids;
    let turn = performance.now();
    for (let count = 0; count < maxNewTokens && ids.length < model.maxLength; count++) {
      signal?.throwIfAborted();
      const logits = model.nextLogits(next, cache);
      const [id, probability] =
        temperature === 0 ? likeliest(logits) : drawn(logits, temperature, topK, draw());
      ids.push(id);
      onToken?.({ id, token: model.tokenOf(id), probability });
      if (ends.has(id)) break;
      next = [id];
      if (performance.now() - turn > SLICE) {
        await nextTask();
        turn = performance.now();
      }
    }
  } finally {
    cache.dispose();
  }
  return { ids, tokens: ids.map((id) => model.tokenOf(id)), text: model.textOf(ids) };
}
