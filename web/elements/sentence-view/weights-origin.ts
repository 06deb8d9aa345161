import { isolated, type Language } from '../base/language.js';
import { ablatedHeads } from '../../sources/ablated.js';
import type { AttentionGroup } from '../../sources/figure.js';
import type { Origin, PretrainedFacts } from '../../sources/source.js';

/** Family of the models that `mha-training` trains. Their language is known: its sentences are generated. */
const SMALL = 'torch_encoder';

const labels = {
  ko: {
    model: ({ name }: PretrainedFacts, layer: number, layers: number) =>
      `사전 학습된 모델 ${isolated(name)} – ${layers}개 층 가운데 ${layer + 1}번째`,
    trainedOn: ', 규칙으로 만든 영어·한국어 문장의 가린 단어를 예측하도록 학습',
    firstValues: ({ name }: PretrainedFacts, layer: number, layers: number) =>
      `학습 전의 ${isolated(name)} – ${layers}개 층 가운데 ${layer + 1}번째, 무작위 초깃값이라 학습된 패턴이 아님`,
    without: (heads: readonly string[]) => `, 헤드 ${heads.join(', ')} 제외`,
    group: { encoder: ', 인코더', decoder: ', 디코더', cross: ', 교차 어텐션' },
    random: '학습하지 않은 무작위 가중치예요',
    limits:
      '이 모델은 그런 문장의 단어와 패턴만 알아요. ‘the cat sat on the mat because it was tired’에서 ‘it’이 cat인지 mat인지 꾸준히 가려내는 헤드는 없어요.',
    outside: (count: number) => `모델의 어휘에 없는 글자가 있어서, 토큰 ${count}개는 뜻을 모른 채 읽어요.`,
  },
  en: {
    model: ({ name }: PretrainedFacts, layer: number, layers: number) =>
      `${isolated(name)}, a pretrained model – layer ${layer + 1} of ${layers}`,
    trainedOn: ', trained to predict hidden words of generated English and Korean sentences',
    firstValues: ({ name }: PretrainedFacts, layer: number, layers: number) =>
      `${isolated(name)} before training – layer ${layer + 1} of ${layers}, random initial values, not a learned pattern`,
    without: (heads: readonly string[]) =>
      `, without ${heads.length === 1 ? 'head' : 'heads'} ${heads.join(', ')}`,
    group: { encoder: ', encoder', decoder: ', decoder', cross: ', cross-attention' },
    random: 'Random weights – not a learned pattern',
    outside: (count: number) =>
      `Some of the text is outside the model’s vocabulary: ${count} ${count === 1 ? 'token stands' : 'tokens stand'} for text that it cannot read.`,
    limits:
      'It knows only the words and patterns of such sentences. None of its heads reliably tells whether “it” is the cat or the mat in “the cat sat on the mat because it was tired”.',
  },
};

/** What readers are told of the weights' origin, in sentences. */
export interface OriginLabels {
  readonly label: string;
  /** What the small trained model cannot do; '' for other weights. */
  readonly limits: string;
  /** Tokens that the model does not know; '' if there are none. */
  readonly unknown: string;
}

/** Which of a model's heads are shown. */
interface ShownPart {
  /** From 0. */
  readonly layer: number;
  readonly layers: number;
  /** Of an encoder–decoder; null for other models. */
  readonly group: AttentionGroup | null;
}

export function originLabels(
  origin: Origin,
  { layer, layers, group }: ShownPart,
  language: Language,
): OriginLabels {
  const texts = labels[language];
  if (origin.kind === 'random') return { label: texts.random, limits: '', unknown: '' };
  const { model, unknown } = origin;
  const heads = ablatedHeads(origin.ablated).map((place) => `${place.layer + 1}·${place.head + 1}`);
  const isSmall = model.family === SMALL && !model.untrained;
  const label = (model.untrained ? texts.firstValues : texts.model)(model, layer, layers);
  return {
    label:
      label +
      (group ? texts.group[group] : '') +
      (isSmall ? texts.trainedOn : '') +
      (heads.length > 0 ? texts.without(heads) : ''),
    limits: isSmall ? texts.limits : '',
    unknown: unknown > 0 ? texts.outside(unknown) : '',
  };
}
