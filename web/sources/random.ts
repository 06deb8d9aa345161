import { rangeError } from '../api/errors.js';
import { scoped } from '../api/handle.js';
import type { ForwardOptions } from '../api/layer-options.js';
import type { AttentionModule } from '../api/load.js';
import { causal, padding, slidingWindow } from '../api/masks.js';
import { bindDocuments, openExample } from '../documents/examples.js';
import { idsWithSentence } from '../documents/sentences.js';
import { sentenceNote } from '../documents/sentence.js';
import { SEED } from '../elements/base/attribute-values.js';
import { type Problem, problemOf } from '../elements/base/problem.js';
import { Figure, type HeadName, Layers, LONGEST_WORD } from './figure.js';
import {
  checkHeads,
  checkSentence,
  type HeadCounts,
  type Opened,
  openSentence,
  tokenize,
  MAX_TOKENS,
} from './random-words.js';
import { type ComputedFigure, WEIGHTS, type WeightSource } from './source.js';

/** The figure that an element's attributes request. */
export interface FigureRequest {
  document: string | null;
  sentence: string | null;
  heads: number | null;
  seed: number;
  /** One of `WEIGHTS`. */
  weights: string;
  /** One of `MASK_NAMES`, with a count if it has one. */
  mask: string;
}

/** Opens the request's tokens, vectors and random layer, which the caller disposes. */
export function openRequest(module: AttentionModule, request: FigureRequest): Opened {
  const { document, sentence, heads, seed, weights } = request;
  if (weights !== 'random') throw rangeError('weights', `be one of ${WEIGHTS.join(', ')}, got "${weights}"`);
  const counts: HeadCounts = heads === null ? {} : { numHeads: heads };
  if (sentence !== null) {
    checkHeads(counts);
    checkSentence(sentence, seed);
    return openSentence(module, sentence, { ...counts, seed });
  }
  return openExample(module, document ?? '', counts);
}

/** Converts an error from `computeFigure` or `openRequest` to a problem. */
function problemOfRequest(error: unknown, request: FigureRequest): Problem {
  const { document, sentence, heads, seed, weights, mask } = request;
  return problemOf(error, {
    text: (strings) => {
      const words = tokenize(sentence ?? '');
      const longest = Math.max(...words.map((word) => word.length));
      return strings.badSentence(words.length, longest, { words: MAX_TOKENS, characters: LONGEST_WORD });
    },
    numHeads: (strings) => strings.badHeads(heads ?? NaN),
    seed: (strings) => strings.outside({ attribute: 'seed', range: SEED, got: seed }),
    id: (strings) => strings.badDocument(document ?? '', idsWithSentence),
    document: (strings) => strings.noSentence(document ?? ''),
    mask: (strings) => strings.badMask(mask),
    weights: (strings) => strings.badKind(weights, WEIGHTS),
  });
}

/** @throws TypeError or RangeError, naming the argument, for a request that cannot be computed */
function computeFigure(module: AttentionModule, request: FigureRequest): ComputedFigure {
  const opened = openRequest(module, request);
  const { tokens, x, layer, single, anyHeads } = opened;
  const weights = [layer, ...(single ? [single] : [])].map((one) => {
    return scoped(one, () => one.forward(x, x, x, maskOptions(request.mask, tokens.length)).weights);
  });
  const count = weights[0]?.shape[0] ?? 0;
  const numbered: HeadName[] = count === 1 ? ['single'] : [...Array(count).keys()];
  const values = new Float32Array(weights.reduce((size, one) => size + (one?.size ?? 0), 0));
  let offset = 0;
  for (const one of weights) {
    values.set(one?.data ?? [], offset);
    offset += one?.size ?? 0;
  }
  const allowed = allowedPairs(request.mask, tokens.length);
  const names: HeadName[] = single ? [...numbered, 'single'] : numbered;
  const figure = new Figure(tokens, names, values, false, allowed);
  const note =
    request.sentence === null
      ? bindDocuments(module).run(request.document ?? '').note
      : sentenceNote(request.seed);
  return { layers: Layers.of(figure), origin: { kind: 'random' }, figure, note, anyHeads };
}

/** Computes the figure that its host asks for, anew where the request has changed. */
export class RandomSource implements WeightSource {
  weights: ComputedFigure | null = null;
  problem: Problem | null = null;
  #request = '';

  update(module: AttentionModule, request: FigureRequest): void {
    const text = JSON.stringify(request);
    if (text === this.#request) return;
    this.#request = text;
    this.weights = null;
    this.problem = null;
    try {
      this.weights = computeFigure(module, request);
    } catch (error) {
      this.problem = problemOfRequest(error, request);
    }
  }
}

/** Names of masks; `padding` and `window` are followed by a count, as in `padding:3`. */
export const MASK_NAMES = ['none', 'causal', 'padding', 'window', 'trap'] as const;

type MaskName = (typeof MASK_NAMES)[number];

/** A mask's name without its count; null for an unknown name. */
export function maskName(mask: string): MaskName | null {
  const [name = ''] = mask.split(':');
  return MASK_NAMES.find((known) => known === name) ?? null;
}

/** The count after a mask's name: number of padding tokens, or reach of the window to either side. */
function countOf(mask: string, most: number): number {
  const count = /^[a-z]+:(\d+)$/.exec(mask)?.[1];
  if (count === undefined || Number(count) > most) {
    throw rangeError('mask', `have a count from 0 to ${most}, as in "padding:1", got "${mask}"`);
  }
  return Number(count);
}

/**
 * Which keys (columns) each query (row) may attend to, one 0 or 1 per pair; null without a mask.
 *
 * @param mask `none`, `causal`, `padding:n` (the last n tokens are padding), `window:n` (n tokens to either side), or
 *   `trap`: document 000's causal mask, in which 0 allows, used where 0 forbids
 * @throws RangeError, naming `mask`, for a value that is invalid for `size` tokens
 */
function allowedPairs(mask: string, size: number): Uint8Array<ArrayBuffer> | null {
  switch (maskName(mask)) {
    case 'none':
      return null;
    case 'causal':
      return Uint8Array.from(causal(size).data);
    case 'trap':
      return Uint8Array.from(causal(size).data, (allows) => 1 - allows);
    case 'window':
      return Uint8Array.from(slidingWindow(size, countOf(mask, size - 1)).data);
    case 'padding': {
      const real = padding([size - countOf(mask, size - 1)], size).data;
      return Uint8Array.from({ length: size * size }, (_, index) => real[index % size] ?? 0);
    }
    case null:
      throw rangeError('mask', `be one of ${MASK_NAMES.join(', ')}, got "${mask}"`);
  }
}

/** The options of `forward` for a mask, see `allowedPairs`. */
export function maskOptions(mask: string, size: number): ForwardOptions {
  const allowed = allowedPairs(mask, size);
  return allowed ? { attnMask: { data: allowed, shape: [size, size] } } : {};
}
