import type { TrainedFacts } from '../../training/model-facts.js';
import { isolated, type Language } from '../base/language.js';
import type { FigureFile } from './figure-json.js';
import { ablatedHeads } from '../model/ablated-heads.js';
import type { PretrainedFacts } from '../model/pretrained-facts.js';

/**
 * Kinds of weights for a sentence: random, constructed by hand, the package's small model's before or after training, or
 * a pretrained model's.
 */
export const WEIGHTS = ['random', 'constructed', 'untrained', 'trained', 'model'] as const;

export type WeightsName = (typeof WEIGHTS)[number];

export const isWeightsName = (name: string): name is WeightsName =>
  (WEIGHTS as readonly string[]).includes(name);

/** Whether these weights need a file that `mha-training` has saved. */
export const needsTrained = (weights: string): boolean => weights === 'trained' || weights === 'untrained';

/** How the drawn weights were made. */
export type Origin =
  | { readonly kind: 'random' | 'constructed' }
  | {
      /** `untrained` if the model has made 0 training steps. */
      readonly kind: 'untrained' | 'trained';
      readonly facts: TrainedFacts;
      readonly layer: number;
      /** Words of the sentence that are not in the model's vocabulary. */
      readonly unknown: readonly string[];
    }
  | {
      readonly kind: 'model';
      readonly model: PretrainedFacts;
      /** The text that was read; null if a file does not say. */
      readonly sentence: string | null;
      /** Heads that were taken out, as in the attribute `ablated`. */
      readonly ablated: string;
      readonly layers: number;
      /** Number of tokens that stand for text outside the vocabulary. */
      readonly unknown: number;
    };

/** Origin of the weights of a file that names their pretrained model; null for other files. */
export const fileOrigin = ({
  model,
  sentence,
  ablated,
  layers,
}: FigureFile): Extract<Origin, { kind: 'model' }> | null =>
  model && { kind: 'model', model, sentence, ablated, layers: layers.count, unknown: 0 };

/** Origin of an inline script's weights; null if its facts are missing. */
export function inlineOrigin(weights: string, layer: number, facts: TrainedFacts | null): Origin | null {
  if (weights === 'model') return null;
  if (!needsTrained(weights)) return { kind: weights === 'constructed' ? 'constructed' : 'random' };
  return facts && { kind: facts.steps === 0 ? 'untrained' : 'trained', facts, layer, unknown: [] };
}

const number = (value: number, language: Language): string => value.toLocaleString(language);
const percent = (share: number): string => `${Math.round(100 * share)}%`;

const trained = {
  ko: ({ numLayers, steps }: TrainedFacts, layer: number, accuracy: number | null): string =>
    `학습된 가중치 – ${numLayers}개 층 가운데 ${layer + 1}번째, 규칙으로 만든 영어·한국어 문장의 가린 단어를 예측하도록 ` +
    `${number(steps, 'ko')}스텝 학습` +
    (accuracy === null ? '' : `, 학습에 쓰지 않은 문장에서 정확도 ${percent(accuracy)}`),
  en: ({ numLayers, steps }: TrainedFacts, layer: number, accuracy: number | null): string =>
    `Trained weights – layer ${layer + 1} of ${numLayers}, trained for ${number(steps, 'en')} steps to predict hidden ` +
    'words of generated English and Korean sentences' +
    (accuracy === null ? '' : `, accuracy ${percent(accuracy)} on sentences that it was not trained on`),
};

const labels = {
  ko: {
    untrained: ({ numLayers }: TrainedFacts, layer: number) =>
      `학습 전 가중치 – ${numLayers}개 층 가운데 ${layer + 1}번째, 무작위 초깃값이라 학습된 패턴이 아님`,
    model: ({ name }: PretrainedFacts, layer: number, layers: number) =>
      `사전 학습된 모델 ${isolated(name)} – ${layers}개 층 가운데 ${layer + 1}번째`,
    firstValues: ({ name }: PretrainedFacts, layer: number, layers: number) =>
      `학습 전의 ${isolated(name)} – ${layers}개 층 가운데 ${layer + 1}번째, 무작위 초깃값이라 학습된 패턴이 아님`,
    without: (heads: readonly string[]) => `, 헤드 ${heads.join(', ')} 제외`,
    random: '무작위 가중치 – 학습된 패턴이 아님',
    constructed: '손으로 만든 가중치 – 학습된 값이 아님',
    limits:
      '이 모델은 그런 문장의 단어와 패턴만 알아요. ‘the cat sat on the mat because it was tired’에서 ‘it’이 cat인지 mat인지 꾸준히 가려내는 헤드는 없어요.',
    unknown: (words: string) => `모델이 모르는 단어: ${words}. 모두 같은 [UNK]로 읽어요.`,
    outside: (count: number) => `모델의 어휘에 없는 글자가 있어서, 토큰 ${count}개는 뜻을 모른 채 읽어요.`,
  },
  en: {
    untrained: ({ numLayers }: TrainedFacts, layer: number) =>
      `Weights before training – layer ${layer + 1} of ${numLayers}, random initial values, not a learned pattern`,
    model: ({ name }: PretrainedFacts, layer: number, layers: number) =>
      `${isolated(name)}, a pretrained model – layer ${layer + 1} of ${layers}`,
    firstValues: ({ name }: PretrainedFacts, layer: number, layers: number) =>
      `${isolated(name)} before training – layer ${layer + 1} of ${layers}, random initial values, not a learned pattern`,
    without: (heads: readonly string[]) =>
      `, without ${heads.length === 1 ? 'head' : 'heads'} ${heads.join(', ')}`,
    random: 'Random weights – not a learned pattern',
    constructed: 'Constructed weights – not trained',
    outside: (count: number) =>
      `Some of the text is outside the model’s vocabulary: ${count} ${count === 1 ? 'token stands' : 'tokens stand'} for text that it cannot read.`,
    limits:
      'It knows only the words and patterns of such sentences. None of its heads reliably tells whether “it” is the cat or the mat in “the cat sat on the mat because it was tired”.',
    unknown: (words: string) =>
      `Words that the model does not know: ${words}. It reads all of them as the same [UNK].`,
  },
};

/** Label of the weights' origin; of a pretrained model with the shown layer. */
function originLabel(origin: Origin, shownLayer: number, language: Language): string {
  if (origin.kind === 'model') {
    const { model, firstValues, without } = labels[language];
    const heads = ablatedHeads(origin.ablated).map(({ layer, head }) => `${layer + 1}·${head + 1}`);
    const label = (origin.model.untrained ? firstValues : model)(origin.model, shownLayer, origin.layers);
    return heads.length === 0 ? label : label + without(heads);
  }
  if (!('facts' in origin)) return labels[language][origin.kind];
  const { kind, facts, layer, unknown } = origin;
  if (kind === 'untrained') return labels[language].untrained(facts, layer);
  // The accuracy is that on sentences of known words.
  return trained[language](facts, layer, unknown.length > 0 ? null : facts.accuracy);
}

/** Sentence about words that are not in the model's vocabulary; '' if there are none. */
function unknownLabel(origin: Origin, language: Language): string {
  if (origin.kind === 'model') return origin.unknown > 0 ? labels[language].outside(origin.unknown) : '';
  if (!('unknown' in origin) || origin.unknown.length === 0) return '';
  const quoted = origin.unknown.map((word) =>
    language === 'ko' ? `‘${isolated(word)}’` : `“${isolated(word)}”`,
  );
  return labels[language].unknown(quoted.join(', '));
}

/** What readers are told of the weights' origin, in sentences. */
export interface OriginLabels {
  readonly label: string;
  /** What the trained model cannot do; '' for other weights. */
  readonly limits: string;
  /** Words that the model does not know; '' if there are none. */
  readonly unknown: string;
}

export const originLabels = (origin: Origin, shownLayer: number, language: Language): OriginLabels => ({
  label: originLabel(origin, shownLayer, language),
  limits: origin.kind === 'trained' ? labels[language].limits : '',
  unknown: unknownLabel(origin, language),
});
