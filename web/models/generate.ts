import { checkFinite, checkInteger, rangeError, wrongKind } from '../api/errors.js';
import { type OrNull, readOptions } from '../api/options.js';
import { checkCount } from './inputs.js';
import type { Model } from './model.js';

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
  signal?: AbortSignal;
}

export interface GeneratedToken {
  readonly id: number;
  readonly token: string;
  /** softmax(logits / temperature) of the token; of the plain logits with temperature 0. */
  readonly probability: number;
}

/** With those of the input. */
export interface Generated {
  readonly ids: number[];
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

/** softmax of the values at `indices`. */
export function softmaxOf(values: ArrayLike<number>, indices: readonly number[]): number[] {
  const most = indices.reduce((max, i) => Math.max(max, values[i] ?? -Infinity), -Infinity);
  const powers = indices.map((i) => Math.exp((values[i] ?? -Infinity) - most));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
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
      const candidates = largest(
        logits,
        temperature === 0 ? 1 : Math.min(topK ?? logits.length, logits.length),
      );
      const scaled = temperature === 0 ? logits : logits.map((value) => value / temperature);
      const all = temperature === 0 ? Array.from(logits, (_, i) => i) : candidates;
      const probabilities = softmaxOf(scaled, all);
      let place = 0;
      if (temperature > 0) {
        let rest = draw();
        while (place < candidates.length - 1 && (rest -= probabilities[place] ?? 0) >= 0) place++;
      }
      const id = candidates[place] ?? 0;
      const probability = probabilities[temperature === 0 ? id : place] ?? 0;
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
