import type { TrainedFacts } from '../training/model-facts.js';
import { isolated, type Language } from './language.js';

/** Where the weights of a sentence may come from: random numbers, somebody's hand, or training. */
export const WEIGHTS = ['random', 'constructed', 'trained'] as const;

export type WeightsName = (typeof WEIGHTS)[number];

export const isWeightsName = (name: string): name is WeightsName =>
  (WEIGHTS as readonly string[]).includes(name);

/** Where the weights that are drawn really come from. */
export type Origin =
  | { readonly kind: 'random' | 'constructed' }
  | {
      readonly kind: 'trained';
      readonly facts: TrainedFacts;
      readonly layer: number;
      /** Words that the model does not know. */
      readonly unknown: readonly string[];
    };

const number = (value: number, language: Language): string => value.toLocaleString(language);
const percent = (share: number): string => `${Math.round(100 * share)}%`;

const trained = {
  ko: ({ numLayers, steps, accuracy }: TrainedFacts, layer: number): string =>
    `학습된 가중치 – ${numLayers}개 층 가운데 ${layer + 1}번째, 규칙으로 만든 영어·한국어 문장의 가린 단어 맞히기를 ` +
    `${number(steps, 'ko')}스텝 학습` +
    (accuracy === null ? '' : `, 학습에 쓰지 않은 문장에서 정확도 ${percent(accuracy)}`),
  en: ({ numLayers, steps, accuracy }: TrainedFacts, layer: number): string =>
    `Trained weights – layer ${layer + 1} of ${numLayers}, learned in ${number(steps, 'en')} steps of guessing hidden ` +
    'words of generated English and Korean sentences' +
    (accuracy === null ? '' : `, ${percent(accuracy)} right on sentences that it was not trained on`),
};

const labels = {
  ko: {
    random: '무작위 가중치 – 학습된 패턴이 아님',
    constructed: '손으로 만든 가중치 – 배운 것이 아님',
    unknown: (words: string) => `모델이 모르는 단어: ${words}. 모두 같은 [UNK]로 읽어요.`,
  },
  en: {
    random: 'Random weights – not a learned pattern',
    constructed: 'Weights made by hand – nothing learned',
    unknown: (words: string) =>
      `Words that the model does not know: ${words}. It reads all of them as the same [UNK].`,
  },
};

/** Says where weights come from; a model that has not made a step is random still. */
export function originLabel(origin: Origin, language: Language): string {
  if (origin.kind !== 'trained') return labels[language][origin.kind];
  const { facts, layer } = origin;
  return facts.steps === 0 ? labels[language].random : trained[language](facts, layer);
}

/** Says which words a model does not know; nothing where it knows all. */
export function unknownLabel(origin: Origin, language: Language): string {
  if (origin.kind !== 'trained' || origin.unknown.length === 0) return '';
  const quoted = origin.unknown.map((word) =>
    language === 'ko' ? `‘${isolated(word)}’` : `“${isolated(word)}”`,
  );
  return labels[language].unknown(quoted.join(', '));
}
