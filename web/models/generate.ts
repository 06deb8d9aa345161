/** From the logits behind a text to the tokens that may come next, and texts that are continued with them. */
import { checkBoolean, checkFinite, checkInteger, MAX_SIZE, rangeError, wrongKind } from '../api/errors.js';
import { HandleOwner } from '../api/handle.js';
import { type OrNull, readOptions } from '../api/options.js';
import type { Platform } from '../api/platform.js';
import type { Tensor } from '../api/tensor.js';
import { mulberry32 } from '../training/language/mulberry.js';
import type { CacheHandle, ModelsBinding } from '../wasm/models.js';
import { beamSearch, type BeamSteps } from './beam-search.js';
import { checkComputed, checkCount, type HeadMaskOptions } from './inputs.js';

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
  at(place: number, model: Pick<Writer, 'tokenOf' | 'shownOf'>): LikelyToken {
    const id = this.idAt(place);
    const token = model.tokenOf(id);
    return { id, token, shown: model.shownOf(token), probability: this.#probabilityAt(place) };
  }
}

const isIds = (value: unknown): value is readonly number[] =>
  Array.isArray(value) || ArrayBuffer.isView(value);

/**
 * The token ids of what a model is to continue, or to read.
 *
 * @throws TypeError, RangeError for a model that writes no text, or a text that it cannot take
 */
function readPrompt(model: Writer, input: string | readonly number[]): number[] {
  if (!model.causal) throw rangeError('model', `be causal to continue a text, got ${model.family}`);
  if (!model.hasLanguageHead)
    throw rangeError('model', `have a head for next tokens, got ${model.family} without one`);
  if (typeof input !== 'string' && !isIds(input)) throw wrongKind('input', 'a text or token ids', input);
  const ids = typeof input === 'string' ? [...model.tokenize(input).ids] : [...input];
  checkCount(ids.length, model.maxLength);
  return ids;
}

/** @throws TypeError, RangeError */
function checkTemperature(temperature: unknown): void {
  if (checkFinite('temperature', temperature) < 0) {
    throw rangeError('temperature', `be at least 0, got ${String(temperature)}`);
  }
}

/** The likeliest tokens behind a text. */
export function nextTokens(
  model: Writer,
  input: string | readonly number[],
  options?: OrNull<NextTokensOptions> | null,
): LikelyToken[] {
  const read = readOptions('nextTokens', options ?? {}, ['k', 'temperature', 'headMask']);
  const { k = 10, temperature = 0 } = read;
  checkInteger('k', k);
  checkTemperature(temperature);
  const headMask = model.readHeadMask(read.headMask);
  const { prompt, logits } = model.begin(readPrompt(model, input), headMask, 1);
  const choices = new Choices(logits([prompt], null), temperature);
  return choices.likeliest(k).map((place) => choices.at(place, model));
}

/** Keys and values of all layers of a model, for generating a text token by token. */
export class ModelCache extends HandleOwner<CacheHandle> {
  /** @internal */
  constructor(binding: ModelsBinding) {
    super(binding, () => new binding.Cache());
  }

  /** Tokens that it holds. */
  get length(): number {
    return this.use((cache) => cache.length());
  }

  /** @internal */
  toJSON(): object {
    return { length: this.length };
  }

  /**
   * Forgets all but the first `length` tokens.
   *
   * @throws TypeError, RangeError for anything but a whole number up to its length
   */
  truncate(length: number): void {
    checkInteger('length', length, 0, this.length);
    this.use((cache) => {
      cache.truncate(length);
    });
  }

  /** @internal Item b becomes a copy of the item `from[b]`. */
  select(from: readonly number[]): void {
    this.use((cache) => {
      cache.select([...from]);
    });
  }

  /** @internal */
  handle<R>(work: (handle: CacheHandle) => R): R {
    return this.use(work);
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
function constrain(logits: Float32Array, rules: WritingRules, count: number, isLast: boolean): void {
  for (const id of rules.banned) logits[id] = NEVER;
  const only = onlyId(rules, count, isLast);
  if (only === null) return;
  logits.fill(NEVER);
  logits[only] = 0;
}

/** What writing a text needs of a model. */
interface Writer {
  readonly family: string;
  readonly causal: boolean;
  readonly hasLanguageHead: boolean;
  /** null for a model that is no encoder–decoder. */
  readonly startId: number | null;
  readonly vocabularySize: number;
  readonly maxLength: number;
  readonly rules: WritingRules;
  tokenize(text: string): { readonly ids: Int32Array };
  tokenOf(id: number): string;
  shownOf(token: string): string;
  textOf(ids: readonly number[]): string;
  readHeadMask(value: unknown): number[];
  newCache(): ModelCache;
  /** Begins a text from these ids, in so many beams. */
  begin(ids: readonly number[], headMask: number[], beams: number): Beginning;
  /** Of an encoder–decoder: where each token that was written looked, (1,H,T,S) a layer. */
  crossAttentions(ids: readonly number[], written: readonly number[]): readonly Tensor[];
}

/** What a text begins with, and how it goes on. */
export interface Beginning {
  /** Its first tokens: what a causal model continues, or the token with which a decoder starts. */
  readonly prompt: readonly number[];
  /** Logits (beams, V) behind the last tokens of rows, which follow those of the cache. */
  readonly logits: (rows: readonly (readonly number[])[], cache: ModelCache | null) => Float32Array;
}

/** Options of `generate`. */
export interface GenerateOptions extends HeadMaskOptions {
  /** At most so many tokens are added. */
  maxNewTokens?: number;
  /** 0 takes the likeliest token; above, tokens are drawn from softmax(logits / temperature). */
  temperature?: number;
  /** Draws from the `topK` likeliest tokens only. */
  topK?: number;
  /** Seed of the draws: 0 … 2³² − 1. */
  seed?: number;
  /**
   * Which tokens end the text. Where the input is a text, `eos_token_id` of generation_config.json or else of config.json;
   * none where it is ids.
   */
  eosTokenId?: number | readonly number[];
  /** How many of the likeliest tokens `onToken` gets beside each new one; none unless it is said. */
  candidates?: number;
  /**
   * Beam search: so many beginnings are kept, and of the texts the one whose tokens are likeliest on average. 1 takes the
   * likeliest token at each place.
   */
  numBeams?: number;
  /** Of an encoder–decoder: whether `crossAttentions` are given. */
  attentions?: boolean;
  /** Called after each new token. */
  onToken?: (token: GeneratedToken) => void;
  /** Ends it: the promise is rejected with the signal's reason. */
  signal?: Platform<'AbortSignal'>;
}

/**
 * A new token, as `onToken` gets it. Its probability is that with which it was drawn: of softmax(logits / temperature),
 * among `topK` tokens if that is given; with temperature 0 of the plain softmax over the whole vocabulary.
 */
export interface GeneratedToken extends LikelyToken {
  /** With `candidates`: the likeliest tokens at its place, likeliest first, with probabilities of the same kind. */
  readonly candidates?: readonly LikelyToken[];
}

/** A text with its continuation. */
export interface Generated {
  /** Token ids, those of the input first. */
  readonly ids: number[];
  /** The token of each id. */
  readonly tokens: string[];
  /** Each token as a reader should see it: as `Tokens.shown`. */
  readonly shown: string[];
  /** '' for a model without a tokenizer. */
  readonly text: string;
  /**
   * With `attentions`, of an encoder–decoder: a layer each (1,H,T,S). Row t is where the decoder looked in the text that it
   * reads when it wrote `ids[t + 1]`.
   */
  readonly crossAttentions?: readonly Tensor[];
}

/** Milliseconds of computing before the page gets a turn. */
const SLICE = 8;

/** Lets the page, or a worker's messages, have their turn. */
export const nextTask = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });

const OPTIONS = [
  'maxNewTokens',
  'temperature',
  'topK',
  'seed',
  'eosTokenId',
  'headMask',
  'candidates',
  'numBeams',
  'attentions',
  'onToken',
  'signal',
] as const;

/** Token ids that end a text: one or a list. @throws TypeError, RangeError */
export function readEnds(name: string, value: unknown, vocabulary = MAX_SIZE): number[] | undefined {
  if (value == null) return undefined;
  if (!Array.isArray(value)) return [checkInteger(name, value, 0, vocabulary - 1)];
  return value.map((id: unknown, i) => checkInteger(`${name}[${i}]`, id, 0, vocabulary - 1));
}

/** More than anybody searches with: each has keys and values of its own. */
const MOST_BEAMS = 64;

/** Refuses what beam search has no use for: no token is certain before the end. */
function checkBeams(
  beams: number,
  { temperature, topK, candidates, onToken }: OrNull<GenerateOptions>,
): void {
  checkInteger('numBeams', beams, 1, MOST_BEAMS);
  if (beams === 1) return;
  const others = { temperature: temperature === 0 ? null : temperature, topK, candidates, onToken };
  const other = Object.entries(others).find(([, value]) => value != null)?.[0];
  if (other !== undefined) throw rangeError(other, `be left out with numBeams: ${beams}`);
}

/** Continues a text or token ids with a causal model, or writes one from them with an encoder–decoder. */
export async function generate(
  model: Writer,
  input: string | readonly number[],
  options?: OrNull<GenerateOptions> | null,
): Promise<Generated> {
  const read = readOptions('generate', options ?? {}, OPTIONS);
  const {
    maxNewTokens = 32,
    temperature = 0,
    topK,
    seed = 0,
    eosTokenId,
    candidates,
    numBeams = 1,
    attentions = false,
    onToken,
    signal,
  } = read;
  checkInteger('maxNewTokens', maxNewTokens);
  checkTemperature(temperature);
  if (topK !== undefined) checkInteger('topK', topK);
  checkInteger('seed', seed, 0, 2 ** 32 - 1);
  const headMask = model.readHeadMask(read.headMask);
  if (candidates !== undefined) checkInteger('candidates', candidates);
  if (onToken !== undefined && typeof onToken !== 'function')
    throw wrongKind('onToken', 'a function', onToken);
  checkBeams(numBeams, read);
  checkBoolean('attentions', attentions);
  if (attentions && model.startId === null) {
    throw rangeError('attentions', 'be left out: forward() gives those of a text that is continued');
  }
  const own = readEnds('eosTokenId', eosTokenId, model.vocabularySize);
  const source = readPrompt(model, input);
  const { prompt, logits: logitsOf } = model.begin(source, headMask, numBeams);
  let ids = [...prompt];
  const { rules } = model;
  const { first, last } = rules;
  if (first !== null) checkInteger('forced_bos_token_id', first, 0, model.vocabularySize - 1);
  if (last !== null) checkInteger('forced_eos_token_id', last, 0, model.vocabularySize - 1);
  const ends = new Set(own ?? (typeof input === 'string' ? rules.ends : []));
  const draw = mulberry32(seed);
  const cache = model.newCache();
  let turn = performance.now();
  /** Lets the page have its turn. */
  const pause = async () => {
    if (performance.now() - turn <= SLICE) return;
    await nextTask();
    turn = performance.now();
  };
  const most = Math.min(maxNewTokens, model.maxLength - ids.length);
  try {
    if (numBeams > 1) {
      const steps: BeamSteps = {
        logits: (rows) => {
          const logits = logitsOf(rows, cache);
          checkComputed('logits', logits);
          return logits;
        },
        select: (from) => {
          cache.select(from);
        },
      };
      const search = beamSearch(steps, prompt, { ...rules, beams: numBeams, most, ends });
      for (let next = search.next(); ; next = search.next()) {
        if (next.done) {
          ids = next.value;
          break;
        }
        signal?.throwIfAborted();
        await pause();
      }
    }
    let next = ids;
    for (let count = 0; numBeams === 1 && count < most; count++) {
      signal?.throwIfAborted();
      const logits = logitsOf([next], cache);
      constrain(logits, rules, ids.length, count + 1 === most);
      const isDrawn = temperature > 0;
      const choices = new Choices(logits, temperature, isDrawn ? topK : undefined);
      const [likeliest = 0] = isDrawn ? [] : choices.likeliest(1);
      const place = isDrawn ? choices.drawn(draw()) : likeliest;
      const id = choices.idAt(place);
      ids.push(id);
      onToken?.({
        ...choices.at(place, model),
        ...(candidates && {
          candidates: choices.likeliest(candidates).map((place) => choices.at(place, model)),
        }),
      });
      if (ends.has(id)) break;
      next = [id];
      await pause();
    }
  } finally {
    cache.dispose();
  }
  signal?.throwIfAborted();
  const tokens = ids.map((id) => model.tokenOf(id));
  return {
    ...{ ids, tokens, shown: tokens.map((token) => model.shownOf(token)), text: model.textOf(ids) },
    ...(attentions && { crossAttentions: model.crossAttentions(source, ids.slice(0, -1)) }),
  };
}
