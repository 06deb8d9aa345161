import type { Example } from './types.js';

/** Each row has the number of heads, the document's "noise", and the score that it prints. */
const table = [
  [1, 0.0, 0.74],
  [2, 0.01, 0.8],
  [4, 0.015, 0.847],
  [8, 0.02, 0.888],
  [16, 0.018, 0.895],
  [32, 0.005, 0.885],
] as const;

export const document001E: Example = {
  info: {
    id: '001-e',
    source: '001_7657d39e3eb5ff13.txt, lines 287-314',
    title: { ko: '헤드 수에 따른 "성능"', en: '“Performance” by head count' },
  },
  run() {
    const computed = table.map(([heads, noise]) => ({
      heads,
      score: 0.74 + 0.18 * (1 - Math.exp(-heads / 6)) + noise,
    }));
    const printed = table.map(([heads, , score]) => ({ heads, score }));
    return {
      computed,
      printed,
      digits: 3,
      note: {
        ko:
          '실험이 아니라 식의 계산이에요. 포화 곡선에 직접 적은 "noise"를 더한 값이고, 학습도 측정도 난수도 없어요. ' +
          '그 식의 값도 문서에 실린 여섯 줄과 하나도 같지 않아요.',
        en:
          'This is arithmetic, not an experiment: a saturating curve plus hand-written "noise". Nothing is trained, measured ' +
          'or random. Even so, none of the six printed lines is what its formula gives.',
      },
    };
  },
};
