import { rangeError } from '../../api/errors.js';
import { scoped } from '../../api/handle.js';
import type { AttentionModule } from '../../api/load.js';
import { bindDocuments, idsWithSentence, openExample } from '../../documents/examples.js';
import { sentenceNote } from '../../documents/sentence.js';
import type { Localized } from '../../documents/types.js';
import {
  checkHeads,
  checkSentence,
  type HeadCounts,
  type Opened,
  openSentence,
  tokenize,
} from '../../sources/random-words.js';
import { SEED } from '../base/attribute-values.js';
import { type Problem, problemOf } from '../base/problem.js';
import { Figure } from './figure.js';
import { allowedPairs, maskOptions } from './mask.js';
import type { HeadName } from './strings.js';
import { type Origin, WEIGHTS } from './weights-origin.js';

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

/** A computed figure, its note and its origin. */
export interface ComputedFigure {
  figure: Figure;
  /** Text that explains the kind of weights. */
  note: Localized;
  origin: Origin;
  /** Whether the reader can choose the number of heads. */
  anyHeads: boolean;
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
export function problemOfRequest(error: unknown, request: FigureRequest): Problem {
  const { document, sentence, heads, seed, weights, mask } = request;
  return problemOf(error, {
    text: (strings) => {
      const words = tokenize(sentence ?? '');
      return strings.badSentence(words.length, Math.max(...words.map((word) => word.length)));
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
export function computeFigure(module: AttentionModule, request: FigureRequest): ComputedFigure {
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
  return { figure, note, origin: { kind: 'random' }, anyHeads };
}
