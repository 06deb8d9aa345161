/** From the logits behind a text to the tokens that may come next. */
import { checkComputed } from './inputs.js';

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

/** How a model spells its tokens. */
export interface Vocabulary {
  tokenOf(id: number): string;
  shownOf(token: string): string;
}

/** The indices of the `count` largest values, largest first; of equal values the first. */
export function largest(values: ArrayLike<number>, count: number): number[] {
  const valueAt = (i: number): number => values[i] ?? -Infinity;
  const compare = (a: number, b: number): number => valueAt(a) - valueAt(b) || b - a;
  // A heap with the least of them on top: a sorted array is one.
  const heap = Array.from({ length: Math.min(count, values.length) }, (_, i) => i).sort(compare);
  // Kept in a variable: looked up for each of a vocabulary, it takes a tenth of a small model's time.
  let least = valueAt(heap[0] ?? -1);
  for (let i = heap.length; i < values.length; i++) {
    if ((values[i] ?? -Infinity) <= least) continue;
    let place = 0;
    for (let child = 1; child < heap.length; child = 2 * place + 1) {
      if (child + 1 < heap.length && compare(heap[child + 1] ?? 0, heap[child] ?? 0) < 0) child++;
      if (compare(i, heap[child] ?? 0) < 0) break;
      heap[place] = heap[child] ?? 0;
      place = child;
    }
    heap[place] = i;
    least = valueAt(heap[0] ?? -1);
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
  readonly #logits: Float32Array | readonly number[];
  readonly #temperature: number;
  #probabilities: Float64Array | null = null;

  /**
   * @param temperature 0 is the plain softmax
   * @param topK keeps that many of the likeliest
   * @throws RangeError for NaN or ±∞ among the logits
   */
  constructor(logits: Float32Array, temperature = 0, topK = logits.length) {
    checkComputed('logits', logits);
    this.#ids = topK < logits.length ? largest(logits, topK) : null;
    this.#logits = this.#ids ? this.#ids.map((id) => logits[id] ?? 0) : logits;
    this.#temperature = temperature || 1;
  }

  /** Computed when it is asked for: a softmax over a vocabulary takes as long as a small model. */
  #probabilityAt(place: number): number {
    this.#probabilities ??= softmaxOf(this.#logits, this.#temperature);
    return this.#probabilities[place] ?? 0;
  }

  /** The place of the token at which the sum of probabilities passes `point`, a number in [0, 1). */
  drawn(point: number): number {
    let place = 0;
    let rest = point;
    while (place < this.#logits.length - 1 && (rest -= this.#probabilityAt(place)) >= 0) place++;
    return place;
  }

  /** The places of the `count` likeliest, likeliest first. */
  likeliest(count: number): number[] {
    return largest(this.#logits, count);
  }

  idAt(place: number): number {
    return this.#ids ? (this.#ids[place] ?? 0) : place;
  }

  /** The token at a place. */
  at(place: number, words: Vocabulary): LikelyToken {
    const id = this.idAt(place);
    const token = words.tokenOf(id);
    return { id, token, shown: words.shownOf(token), probability: this.#probabilityAt(place) };
  }
}

/** What the files of a model say of the texts that it writes. */
export interface WritingRules {
  /** Ids that end a text. */
  readonly ends: readonly number[];
  /** Ids that are never in it: `bad_words_ids` of transformers. */
  readonly banned: readonly number[];
  /** The id behind that with which a decoder starts, such as its language: `forced_bos_token_id`. */
  readonly first: number | null;
  /** The id that ends a text of the greatest length: `forced_eos_token_id`. */
  readonly last: number | null;
}

export const NO_RULES: WritingRules = { ends: [], banned: [], first: null, last: null };

/** A logit of a token that does not come. */
const NEVER = -1e30;

/** The only id that may stand behind so many tokens; null where there are several. @param isLast whether no other follows */
export const onlyId = ({ first, last }: Omit<WritingRules, 'ends'>, count: number, isLast: boolean) =>
  (isLast ? last : null) ?? (count === 1 ? first : null);

/** Applies rules to the logits behind so many tokens. */
export function constrain(logits: Float32Array, rules: WritingRules, count: number, isLast: boolean): void {
  for (const id of rules.banned) logits[id] = NEVER;
  const only = onlyId(rules, count, isLast);
  if (only === null) return;
  logits.fill(NEVER);
  logits[only] = 0;
}
