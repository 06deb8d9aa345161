import { rangeError } from '../../api/errors.js';
import type { AttentionModule, Localized } from '../../index.js';
import { scoped } from '../../documents/compute.js';
import { constructedNote, openConstructed } from '../../documents/constructed-heads.js';
import { exampleTokens, idsWithSentence, openExample } from '../../documents/index.js';
import type { HeadCounts, Opened } from '../../documents/opened.js';
import { tokenize } from '../../documents/pipeline.js';
import { checkHeads, checkSentence, openSentence, sentenceNote } from '../../documents/sentence.js';
import type { TrainedModel } from '../../training/trained.js';
import { allowedPairs, maskOptions } from './mask.js';
import { Figure, type HeadName } from './figure.js';
import { SEED } from '../base/number-range.js';
import { isWeightsName, needsTrained, type Origin, WEIGHTS } from './weights-origin.js';
import { type Problem, problemOf } from '../base/problem.js';

/** The figure that an element's attributes request. */
export interface FigureRequest {
  document: string | null;
  sentence: string | null;
  heads: number | null;
  seed: number;
  /** One of `WEIGHTS`. */
  weights: string;
  /** Index of the model's layer. */
  layer: number;
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

function tokensOf({ document, sentence, seed }: FigureRequest): string[] {
  if (sentence === null) return exampleTokens(document ?? '');
  checkSentence(sentence, seed);
  return tokenize(sentence);
}

/** The model for the request: trained, or as it was before training; null if other weights are requested. */
const modelOf = ({ weights }: FigureRequest, trained: TrainedModel | null): TrainedModel | null =>
  !trained || !needsTrained(weights) ? null : weights === 'untrained' ? trained.untrained() : trained;

/**
 * Opens the request's tokens, vectors and layer, which the caller disposes.
 *
 * @param trained the model, if its weights are requested
 */
export function openRequest(
  module: AttentionModule,
  request: FigureRequest,
  trained: TrainedModel | null,
): Opened {
  const { document, sentence, heads, seed, weights, layer } = request;
  if (!isWeightsName(weights)) {
    throw rangeError('weights', `be one of ${WEIGHTS.join(', ')}, got "${weights}"`);
  }
  if (weights === 'constructed') return openConstructed(module, tokensOf(request));
  if (needsTrained(weights)) {
    const model = modelOf(request, trained);
    if (!model) throw rangeError('model', 'be loaded before it is asked, got none');
    return model.open(module, tokensOf(request), layer);
  }
  const counts: HeadCounts = heads === null ? {} : { numHeads: heads };
  if (sentence !== null) {
    checkHeads(counts);
    checkSentence(sentence, seed);
    return openSentence(module, sentence, { ...counts, seed });
  }
  return openExample(module, document ?? '', counts);
}

/** Converts an error from `computeFigure` or `openRequest` to a problem. */
export function problemOfRequest(
  error: unknown,
  request: FigureRequest,
  trained: TrainedModel | null,
): Problem {
  const { document, sentence, heads, seed, weights, layer, mask } = request;
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
    layer: (strings) => strings.badLayer(layer, trained?.facts.numLayers ?? 1),
    words: (strings) => strings.tooLongForModel(tokensOf(request).length, trained?.maxLength ?? 0),
    model: (strings) => `${strings.badModel} ${strings.notModel('model')}`,
  });
}

function originOf(request: FigureRequest, tokens: readonly string[], trained: TrainedModel | null): Origin {
  const { weights, layer } = request;
  const model = modelOf(request, trained);
  if (model) {
    const { facts } = model;
    const kind = facts.steps === 0 ? 'untrained' : 'trained';
    return { kind, facts, layer, unknown: model.unknown(tokens) };
  }
  return { kind: weights === 'constructed' ? 'constructed' : 'random' };
}

const trainedNote: Localized = {
  ko:
    '학습된 인코더가 이 문장을 읽을 때 이 층의 어텐션에 실제로 들어오는 벡터와 이 층의 학습된 파라미터로 계산했어요. ' +
    '헤드의 역할을 미리 정하지 않았어요. 제한된 언어를 학습한 작은 모델이라서 큰 언어 모델과는 달라요.',
  en:
    'Computed from the vectors that really enter this layer’s attention when the trained encoder reads the sentence, with ' +
    'the layer’s learned parameters. Nobody assigned roles to the heads. It is a small model of a narrow ' +
    'language, not a large language model.',
};

const untrainedNote: Localized = {
  ko:
    '인코더를 학습하기 전, 시드로 정한 난수 파라미터로 계산한 가중치예요. 벡터도 학습 전에 이 층의 어텐션에 들어오던 값이에요. ' +
    '학습된 가중치와 비교하면 학습이 무엇을 바꾸는지 보여요.',
  en:
    'The encoder before its first training step: random parameters from its seed, and the vectors that entered this ' +
    'layer’s attention then. Compare with the trained weights to see what training changes.',
};

const notes = { constructed: constructedNote, untrained: untrainedNote, trained: trainedNote };

/** @throws TypeError or RangeError, naming the argument, for a request that cannot be computed */
export function computeFigure(
  module: AttentionModule,
  request: FigureRequest,
  trained: TrainedModel | null,
): ComputedFigure {
  const opened = openRequest(module, request, trained);
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
  const origin = originOf(request, tokens, trained);
  const unknown = 'facts' in origin ? origin.unknown : [];
  const figure = new Figure(tokens, names, values, false, allowed, null, unknown);
  if (origin.kind !== 'random' && origin.kind !== 'model') {
    return { figure, note: notes[origin.kind], origin, anyHeads };
  }
  const note =
    request.sentence === null
      ? module.documents.run(request.document ?? '').note
      : sentenceNote(request.seed);
  return { figure, note, origin, anyHeads };
}
