import { rangeError } from '../../api/errors.js';
import type { AttentionModule, DocumentResult, Localized } from '../../index.js';
import { scoped } from '../../documents/compute.js';
import { constructedNote, openConstructed } from '../../documents/constructed-heads.js';
import { exampleTokens, idsWithSentence, openExample } from '../../documents/index.js';
import type { HeadCounts, Opened } from '../../documents/opened.js';
import { NUM_HEADS, tokenize } from '../../documents/pipeline.js';
import { checkHeads, checkSentence, openSentence, sentenceNote } from '../../documents/sentence.js';
import type { TrainedModel } from '../../training/trained.js';
import { allowedPairs, type Conditions, forwardOptions, isPlain } from './conditions.js';
import { Figure, type HeadName } from './figure.js';
import { SEED } from '../base/number-range.js';
import { isWeightsName, needsModel, type Origin, WEIGHTS } from './origin.js';
import { type Problem, problemOf } from '../base/problem.js';

/** What an element's attributes ask for. */
export interface Asked extends Conditions {
  document: string | null;
  sentence: string | null;
  heads: number | null;
  kvHeads: number | null;
  seed: number;
  /** One of `WEIGHTS`. */
  weights: string;
  /** Of a model, from 0. */
  layer: number;
}

/** What there is to draw, and what stands beside it. */
export interface Answer {
  figure: Figure;
  /** The document's example, where nothing about it was changed: its printed table stands beside its weights. */
  result: DocumentResult | null;
  /** What kind of weights these are. */
  note: Localized;
  /** Where they come from. */
  origin: Origin;
  /** Whether the number of heads is the reader's to choose. */
  anyHeads: boolean;
}

/** The words of what is asked for. */
function tokensOf({ document, sentence, seed }: Asked): string[] {
  if (sentence === null) return exampleTokens(document ?? '');
  checkSentence(sentence, seed);
  return tokenize(sentence);
}

/** The model whose weights are asked for, as it is or as it was before training; null where none is. */
const modelOf = ({ weights }: Asked, trained: TrainedModel | null): TrainedModel | null =>
  !trained || !needsModel(weights) ? null : weights === 'untrained' ? trained.untrained() : trained;

/**
 * Opens what is asked for: its tokens, its vectors and its layer, which the caller disposes.
 *
 * @param trained the model, where its weights are asked for
 */
export function openAsked(module: AttentionModule, asked: Asked, trained: TrainedModel | null): Opened {
  const { document, sentence, heads, kvHeads, seed, weights, layer } = asked;
  if (!isWeightsName(weights)) {
    throw rangeError('weights', `be one of ${WEIGHTS.join(', ')}, got "${weights}"`);
  }
  if (weights === 'constructed') return openConstructed(module, tokensOf(asked));
  if (needsModel(weights)) {
    const model = modelOf(asked, trained);
    if (!model) throw rangeError('model', 'be loaded before it is asked, got none');
    return model.open(module, tokensOf(asked), layer);
  }
  const counts: HeadCounts = {
    ...(heads !== null && { numHeads: heads }),
    ...(kvHeads !== null && { numKvHeads: kvHeads }),
  };
  if (sentence !== null) {
    checkHeads(counts);
    checkSentence(sentence, seed);
    return openSentence(module, sentence, { ...counts, seed });
  }
  return openExample(module, document ?? '', counts);
}

/** What is said of an error that comes of what is asked for. */
export function problemOfAsked(error: unknown, asked: Asked, trained: TrainedModel | null): Problem {
  const { document, sentence, heads, kvHeads, seed, weights, layer, mask, flips } = asked;
  return problemOf(error, {
    text: (strings) => {
      const words = tokenize(sentence ?? '');
      return strings.badSentence(words.length, Math.max(...words.map((word) => word.length)));
    },
    numHeads: (strings) => strings.badHeads(heads ?? NaN),
    numKvHeads: (strings) => strings.badKvHeads(kvHeads ?? NaN, heads ?? NUM_HEADS),
    seed: (strings) => strings.outside({ attribute: 'seed', range: SEED, got: seed }),
    id: (strings) => strings.badDocument(document ?? '', idsWithSentence),
    document: (strings) => strings.noSentence(document ?? ''),
    mask: (strings) => strings.badMask(mask),
    flips: (strings) => strings.badFlips(flips),
    weights: (strings) => strings.badKind(weights, WEIGHTS),
    layer: (strings) => strings.badLayer(layer, trained?.facts.numLayers ?? 1),
    words: (strings) => strings.tooLongForModel(tokensOf(asked).length, trained?.maxLength ?? 0),
    model: (strings) => `${strings.badModel} ${strings.notModel('model')}`,
  });
}

function originOf(asked: Asked, tokens: readonly string[], trained: TrainedModel | null): Origin {
  const { weights, layer } = asked;
  const model = modelOf(asked, trained);
  if (model) {
    const { facts } = model;
    const kind = facts.steps === 0 ? 'untrained' : 'trained';
    return { kind, facts, layer, unknown: model.unknown(tokens) };
  }
  return { kind: weights === 'constructed' ? 'constructed' : 'random' };
}

const trainedNote: Localized = {
  ko:
    '학습된 인코더가 이 문장을 읽을 때 이 층의 어텐션이 정말로 받는 벡터와, 이 층이 배운 가중치로 계산했어요. ' +
    '헤드 이름이나 역할은 누가 정해 준 것이 아니에요. 작은 모델이 좁은 언어를 배운 것이어서 큰 언어 모델과 똑같지는 않아요.',
  en:
    'Computed from the vectors that this layer’s attention really takes when the trained encoder reads the sentence, with ' +
    'the weights that the layer has learned. Nobody gave the heads their roles. It is a small model of a narrow ' +
    'language, not a large language model.',
};

const untrainedNote: Localized = {
  ko:
    '인코더가 학습을 시작하기 전, 시드로 정한 난수 그대로일 때의 가중치예요. 벡터도 그때 이 층의 어텐션이 받던 것이에요. ' +
    '학습된 것과 견주면 학습이 무엇을 바꾸는지 보여요.',
  en:
    'The encoder as it was before its first step of training: random numbers from its seed, over the vectors that this ' +
    'layer’s attention took then. Beside the trained weights it shows what training changes.',
};

const notes = { constructed: constructedNote, untrained: untrainedNote, trained: trainedNote };

/** @throws TypeError or RangeError, naming the argument, for what cannot be computed */
export function answer(module: AttentionModule, asked: Asked, trained: TrainedModel | null): Answer {
  const opened = openAsked(module, asked, trained);
  const { tokens, x, layer, single, anyHeads } = opened;
  const weights = [layer, ...(single ? [single] : [])].map((one) => {
    const options = forwardOptions(asked, one === layer ? opened : { ...opened, headDim: x.shape[1] ?? 1 });
    return scoped(one, () => one.forward(x, x, x, options).weights);
  });
  const count = weights[0]?.shape[0] ?? 0;
  const numbered: HeadName[] = count === 1 ? ['single'] : [...Array(count).keys()];
  const values = new Float32Array(weights.reduce((size, one) => size + (one?.size ?? 0), 0));
  let offset = 0;
  for (const one of weights) {
    values.set(one?.data ?? [], offset);
    offset += one?.size ?? 0;
  }
  const allowed = allowedPairs(asked.mask, asked.flips, tokens.length);
  const names: HeadName[] = single ? [...numbered, 'single'] : numbered;
  const figure = new Figure(tokens, names, values, false, allowed);
  const origin = originOf(asked, tokens, trained);
  if (origin.kind !== 'random') {
    return { figure, note: notes[origin.kind], origin, anyHeads, result: null };
  }
  const result = asked.sentence === null ? module.documents.run(asked.document ?? '') : null;
  const unchanged =
    isPlain(asked) && asked.kvHeads === null && (!anyHeads || (asked.heads ?? NUM_HEADS) === NUM_HEADS);
  return {
    figure,
    note: result?.note ?? sentenceNote(asked.seed),
    origin,
    anyHeads,
    result: unchanged ? result : null,
  };
}
