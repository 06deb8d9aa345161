/** What a pretrained model predicts for a text, with and without the heads that are taken out. */
import type { WorkerModel } from '../../models/in-worker.js';
import type { HeadMaskOptions } from '../../models/head-mask.js';
import type { LikelyToken } from '../../models/next-tokens.js';
import { headMaskOf } from '../model/ablated-heads.js';
import type { Reading } from '../model/model-controller.js';
import type { TextRequest } from '../sentence-view/text-reading.js';

/** How the next token is drawn, as in the options of `generate`. */
export interface Sampling {
  readonly temperature: number;
  /** null draws from the whole vocabulary. */
  readonly topK: number | null;
  readonly seed: number;
}

/** Always the likeliest token. */
export const GREEDY: Sampling = { temperature: 0, topK: null, seed: 0 };

/** The settings of the attribute `sampling`: "temperature topK seed", the last two optional, topK 0 for all; else null. */
export function samplingOf(text: string): Sampling | null {
  if (text.trim() === '') return GREEDY;
  const [, temperature, topK = '0', seed = '0'] =
    /^\s*(\d+(?:\.\d+)?)(?:\s+(\d{1,4})(?:\s+(\d{1,10}))?)?\s*$/.exec(text) ?? [];
  const numbers = { temperature: Number(temperature), topK: Number(topK) || null, seed: Number(seed) };
  // Comparisons with NaN, of a text that is not of this form, are false.
  return numbers.temperature <= 2 && (numbers.topK ?? 1) <= 1000 && numbers.seed < 2 ** 32 ? numbers : null;
}

/** The attribute's text for some settings; '' if the likeliest token is always taken. */
export const samplingText = ({ temperature, topK, seed }: Sampling): string =>
  temperature === 0 && topK === null && seed === 0 ? '' : `${temperature} ${topK ?? 0} ${seed}`;

export interface PredictionRequest extends TextRequest {
  readonly sampling: Sampling;
}

/** Likely tokens at one place of a text. */
export interface Prediction {
  readonly tokens: readonly LikelyToken[];
  /** The same of the model with all heads; null where none is taken out. */
  readonly withAll: readonly LikelyToken[] | null;
}

/** A token of the text, and the cosine of its last hidden state with that of the model with all heads. */
export interface Change {
  readonly token: string;
  readonly cosine: number;
}

export type Predictions =
  /** Of a causal model: the next token, and the text with it; null where the model ends the text. */
  | { readonly kind: 'next'; readonly prediction: Prediction; readonly next: string | null }
  /** Of a model that fills masks: a prediction each. */
  | { readonly kind: 'masks'; readonly predictions: readonly Prediction[] }
  /** Of a model without such a head. Without heads taken out there is no change. */
  | { readonly kind: 'states'; readonly text: number; readonly tokens: readonly Change[] }
  | { readonly kind: 'none' };

/** Tokens in a list. */
const LINES = 8;

/** Tokens of white space alone that are passed to the next one: a text that ends in one cannot be typed. */
const MOST_BLANK = 4;

type Options = HeadMaskOptions;

async function readNext(model: WorkerModel, { text, sampling }: PredictionRequest, mask: Options) {
  const { topK, ...others } = sampling;
  const generate = async (options: Options, maxNewTokens: number) => {
    let tokens: readonly LikelyToken[] = [];
    const generated = await model.generate(text, {
      ...{ ...others, ...options, maxNewTokens, candidates: LINES },
      ...(topK !== null && { topK }),
      onToken: ({ candidates = [] }) => {
        // Those of the first new token.
        if (tokens.length === 0) tokens = candidates;
      },
    });
    return { tokens, text: generated.text.trim() };
  };
  let generated = await generate(mask, 1);
  const { tokens } = generated;
  for (let count = 2; count <= MOST_BLANK && generated.text === text; count++)
    generated = await generate(mask, count);
  const withAll = mask.headMask ? (await generate({}, 1)).tokens : null;
  return {
    kind: 'next',
    prediction: { tokens, withAll },
    next: generated.text === text ? null : generated.text,
  } as const;
}

async function readMasks(model: WorkerModel, text: string, mask: Options) {
  const guesses = await model.fillMask(text, LINES, mask);
  const withAll = mask.headMask ? await model.fillMask(text, LINES) : null;
  const predictions = guesses.map((tokens, place) => ({ tokens, withAll: withAll?.[place] ?? null }));
  return { kind: 'masks', predictions } as const;
}

function cosine(a: Float32Array, b: Float32Array): number {
  let [product, squareA, squareB] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i] ?? 0, b[i] ?? 0];
    product += x * y;
    squareA += x * x;
    squareB += y * y;
  }
  return product / Math.sqrt(squareA * squareB);
}

/** The mean of some rows, as sentence embeddings are made (Reimers & Gurevych 2019). */
function meanRow(rows: readonly Float32Array[]): Float32Array {
  const mean = new Float32Array(rows[0]?.length ?? 0);
  for (const row of rows) for (let i = 0; i < mean.length; i++) mean[i] = (mean[i] ?? 0) + (row[i] ?? 0);
  return mean.map((sum) => sum / rows.length);
}

async function readStates(model: WorkerModel, text: string, mask: Options) {
  const { shown } = await model.tokenize(text);
  const rowsOf = async (options: Options) => {
    const { lastHiddenState } = await model.forward(text, { attentions: false, ...options });
    const width = lastHiddenState.shape.at(-1) ?? 1;
    return shown.map((_, token) => lastHiddenState.data.subarray(token * width, (token + 1) * width));
  };
  const [rows, all] = [await rowsOf(mask), await rowsOf({})];
  const none = new Float32Array();
  const tokens = shown.map((token, place) => ({
    token,
    cosine: cosine(rows[place] ?? none, all[place] ?? none),
  }));
  return { kind: 'states', text: cosine(meanRow(rows), meanRow(all)), tokens } as const;
}

export const predictionReading: Reading<PredictionRequest, Predictions> = {
  isSame: (a, b) =>
    a.address === b.address &&
    a.text === b.text &&
    a.ablated === b.ablated &&
    a.sampling.temperature === b.sampling.temperature &&
    a.sampling.topK === b.sampling.topK &&
    a.sampling.seed === b.sampling.seed,
  has: () => true,
  async read({ model }, request) {
    const { text, ablated } = request;
    const mask = headMaskOf(ablated, model);
    if (model.hasLanguageHead && model.causal) return readNext(model, request, mask);
    if (model.hasLanguageHead && model.mask !== null && text.includes(model.mask))
      return readMasks(model, text, mask);
    if (!model.hasLanguageHead && mask.headMask) return readStates(model, text, mask);
    return { kind: 'none' };
  },
};
