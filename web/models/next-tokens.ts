/** From the logits behind a text to the tokens that may come next. */
import { checkFinite, checkInteger, rangeError, wrongKind } from '../api/errors.js';
import { type OrNull, readOptions } from '../api/options.js';
import type { HeadMaskOptions } from './head-mask.js';
import { checkComputed, checkCount } from './inputs.js';
import type { Model } from './model.js';

/** A token that may stand at a place, and how likely it is. */
export interface LikelyToken {
  /** Its row in the vocabulary. */
  readonly id: number;
  /** As the vocabulary spells it; '' for a model without a tokenizer. */
  readonly token: string;
  /** As a reader should see it: as `Tokens.shown`. */
  readonly shown: string;
  /** Its share of the tokens that may stand there: they sum to 1. */
  readonly probability: number;
}

/** Options of `nextTokens`. */
export interface NextTokensOptions extends HeadMaskOptions {
  /** How many are given, 10 unless it is said. */
  k?: number;
  /** softmax(logits / temperature); 0 and 1 are the plain softmax. */
  temperature?: number;
}

/** The indices of the `count` largest values, largest first; of equal values the first. */
export function largest(values: ArrayLike<number>, count: number): number[] {
  const valueAt = (i: number): number => values[i] ?? -Infinity;
  const compare = (a: number, b: number): number => valueAt(a) - valueAt(b) || b - a;
  // A heap with the least of them on top: a sorted array is one.
  const heap = Array.from({ length: Math.min(count, values.length) }, (_, i) => i).sort(compare);
  for (let i = heap.length; i < values.length; i++) {
    if (valueAt(i) <= valueAt(heap[0] ?? -1)) continue;
    let place = 0;
    for (let child = 1; child < heap.length; child = 2 * place + 1) {
      if (child + 1 < heap.length && compare(heap[child + 1] ?? 0, heap[child] ?? 0) < 0) child++;
      if (compare(i, heap[child] ?? 0) < 0) break;
      heap[place] = heap[child] ?? 0;
      place = child;
    }
    heap[place] = i;
  }
  return heap.sort(compare).reverse();
}

/** softmax(values / temperature), in float64. */
function softmaxOf(values: Float32Array | readonly number[], temperature: number): Float64Array {
  let most = -Infinity;
  for (const value of values) most = Math.max(most, value);
  const powers = new Float64Array(values.length);
  let sum = 0;
  for (let i = 0; i < powers.length; i++) {
    sum += powers[i] = Math.exp(((values[i] ?? -Infinity) - most) / temperature);
  }
  for (let i = 0; i < powers.length; i++) powers[i] = (powers[i] ?? 0) / sum;
  return powers;
}

/** The tokens that may stand at a place. */
export class Choices {
  /** Their ids, likeliest first; null for the whole vocabulary in its order. */
  readonly #ids: readonly number[] | null;
  readonly #probabilities: Float64Array;

  /**
   * @param temperature 0 is the plain softmax
   * @param topK keeps that many of the likeliest
   * @throws RangeError for NaN or ±∞ among the logits
   */
  constructor(logits: Float32Array, temperature = 0, topK = logits.length) {
    checkComputed('logits', logits);
    this.#ids = topK < logits.length ? largest(logits, topK) : null;
    const kept = this.#ids ? this.#ids.map((id) => logits[id] ?? 0) : logits;
    this.#probabilities = softmaxOf(kept, temperature || 1);
  }

  /** The place of the token at which the sum of probabilities passes `point`, a number in [0, 1). */
  drawn(point: number): number {
    let place = 0;
    let rest = point;
    while (place < this.#probabilities.length - 1 && (rest -= this.#probabilities[place] ?? 0) >= 0) place++;
    return place;
  }

  /** The places of the `count` likeliest, likeliest first. */
  likeliest(count: number): number[] {
    return largest(this.#probabilities, count);
  }

  /** The token at a place. */
  at(place: number, model: Model): LikelyToken {
    const id = this.#ids ? (this.#ids[place] ?? 0) : place;
    const token = model.tokenOf(id);
    return { id, token, shown: model.shownOf(token), probability: this.#probabilities[place] ?? 0 };
  }
}

const isIds = (value: unknown): value is readonly number[] =>
  Array.isArray(value) || ArrayBuffer.isView(value);

/**
 * The token ids of what a model is to continue.
 *
 * @throws TypeError, RangeError for a model that continues no text, or a text that it cannot take
 */
export function readPrompt(model: Model, input: string | readonly number[]): number[] {
  if (!model.causal) throw rangeError('model', `be causal to continue a text, got ${model.family}`);
  if (!model.hasLanguageHead)
    throw rangeError('model', `have a head for next tokens, got ${model.family} without one`);
  if (typeof input !== 'string' && !isIds(input)) throw wrongKind('input', 'a text or token ids', input);
  const ids = typeof input === 'string' ? [...model.tokenize(input).ids] : [...input];
  checkCount(ids.length, model.maxLength);
  return ids;
}

/** @throws TypeError, RangeError */
export function checkTemperature(temperature: unknown): void {
  if (checkFinite('temperature', temperature) < 0) {
    throw rangeError('temperature', `be at least 0, got ${String(temperature)}`);
  }
}

/** The likeliest tokens behind a text. */
export function nextTokens(
  model: Model,
  input: string | readonly number[],
  options?: OrNull<NextTokensOptions> | null,
): LikelyToken[] {
  const read = readOptions('nextTokens', options ?? {}, ['k', 'temperature', 'headMask']);
  const { k = 10, temperature = 0 } = read;
  checkInteger('k', k);
  checkTemperature(temperature);
  const headMask = model.readHeadMask(read.headMask);
  const choices = new Choices(model.nextLogits(readPrompt(model, input), null, headMask), temperature);
  return choices.likeliest(k).map((place) => choices.at(place, model));
}
