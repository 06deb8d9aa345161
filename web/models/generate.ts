import { checkInteger, MAX_SIZE, wrongKind } from '../api/errors.js';
import { type OrNull, readOptions } from '../api/options.js';
import type { Platform } from '../api/platform.js';
import type { HeadMaskOptions } from './head-mask.js';
import type { Model } from './model.js';
import { checkTemperature, Choices, type LikelyToken, readPrompt } from './next-tokens.js';

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

const OPTIONS = [
  'maxNewTokens',
  'temperature',
  'topK',
  'seed',
  'eosTokenId',
  'headMask',
  'candidates',
  'onToken',
  'signal',
] as const;

/** Token ids that end a text: one or a list. @throws TypeError, RangeError */
export function readEnds(name: string, value: unknown, vocabulary = MAX_SIZE): number[] | undefined {
  if (value == null) return undefined;
  if (!Array.isArray(value)) return [checkInteger(name, value, 0, vocabulary - 1)];
  return value.map((id: unknown, i) => checkInteger(`${name}[${i}]`, id, 0, vocabulary - 1));
}

/** Continues a text or token ids with a causal model, one token at a time. */
export async function generate(
  model: Model,
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
  const own = readEnds('eosTokenId', eosTokenId, model.vocabularySize);
  const ids = readPrompt(model, input);
  const ends = new Set(own ?? (typeof input === 'string' ? model.endIds : []));
  const draw = uniform(seed);
  const cache = model.newCache();
  try {
    let next = ids;
    let turn = performance.now();
    for (let count = 0; count < maxNewTokens && ids.length < model.maxLength; count++) {
      signal?.throwIfAborted();
      const logits = model.nextLogits(next, cache, headMask);
      const isDrawn = temperature > 0;
      const choices = new Choices(logits, temperature, isDrawn ? topK : undefined);
      const [likeliest = 0] = isDrawn ? [] : choices.likeliest(1);
      const token = choices.at(isDrawn ? choices.drawn(draw()) : likeliest, model);
      const { id } = token;
      ids.push(id);
      onToken?.({
        ...token,
        ...(candidates && {
          candidates: choices.likeliest(candidates).map((place) => choices.at(place, model)),
        }),
      });
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
  signal?.throwIfAborted();
  const tokens = ids.map((id) => model.tokenOf(id));
  return { ids, tokens, shown: tokens.map((token) => model.shownOf(token)), text: model.textOf(ids) };
}
