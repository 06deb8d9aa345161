import type { Language } from '../base/language.js';

/** Joins numbers to a list such as "1, 2, 4". */
const list = (numbers: readonly number[]): string => numbers.join(', ');

const en = {
  number: (value: number) => value.toLocaleString('en-GB', { maximumFractionDigits: 0 }),
  title: 'By number of heads: the document’s two curves and the measured accuracy',
  xTitle: 'heads',
  yTitle: 'document’s “performance” · measured accuracy',

  printed: '“Performance” as document 001 prints it – nothing trained, no unit',
  computed: '“Performance” by the document’s formula – only arithmetic, nothing trained, no unit',
  measured: (models: number) =>
    `Measured accuracy – mean ± standard deviation of ${models} trained models; each small circle is one model`,
  chance: 'The best accuracy without seeing the word that decides the hidden one',
  here: (steps: string) =>
    `Accuracy of the models trained here, for ${steps} steps only – one each, so there are no error bars`,
  units:
    'The three curves do not measure the same thing. The document’s two are a “performance” without a unit; the measured one is the share of hidden words predicted right in sentences not used for training. Compare their shapes, not their heights.',
  documentMissing: 'The document’s two curves need the computing module.',

  from: (name: string, first: string, firstHeads: number, last: string, lastHeads: number) =>
    `${name}: ${first} with ${firstHeads} ${firstHeads === 1 ? 'head' : 'heads'}, ${last} with ${lastHeads}.`,
  shortName: {
    printed: 'Printed in the document',
    computed: 'The document’s formula',
    measured: 'Measured accuracy',
    here: 'Trained here for a short time',
  },
  chanceIs: (value: string) => `Without the words that decide the hidden ones: ${value}.`,

  best: (heads: number, mean: string, deviation: string) =>
    `The highest mean is that of ${heads} ${heads === 1 ? 'head' : 'heads'}: ${mean} ± ${deviation}.`,
  close: (heads: readonly number[], models: number) =>
    heads.length === 0
      ? 'No other number of heads has an overlapping range.'
      : `The ranges of ${list(heads)} heads (± one standard deviation) overlap with it: ${models} models each cannot tell which is better.`,
  below: (heads: readonly number[]) =>
    heads.length === 0
      ? ''
      : `The ${heads.length === 1 ? 'range' : 'ranges'} of ${list(heads)} ${heads.length === 1 ? 'lies' : 'lie'} below.`,
  limits:
    'This holds for models of this size, this language and this much training. Larger models or longer training may differ.',
  experiment: (layers: number, width: number, parameters: string, steps: string, batch: number) =>
    `The models have ${layers} layers, ${width} dimensions and ${parameters} parameters, whatever their number of heads: more heads have fewer dimensions each (${width} ÷ heads). Each took ${steps} steps of ${batch} sentences; models of the same seed saw the same sentences.`,
  questions: (models: number, words: string) =>
    `For each number of heads, ${models} models with different seeds predicted ${words} hidden words of sentences not used for training. The four kinds of words count equally.`,

  shortTitle: 'A short version here',
  shortIntro: (steps: string, models: number) =>
    `Trains ${models} models with different numbers of heads, one after the other, for ${steps} steps each, in this browser. Nothing is sent anywhere.`,
  start: 'Train a short version here',
  again: 'Train again',
  stop: 'Stop',
  progress: 'Progress of the short training',
  training: (heads: number) => `training the model with ${heads} ${heads === 1 ? 'head' : 'heads'}`,
  stepOf: (step: string, steps: string) => `step ${step} of ${steps}`,
  left: (seconds: number) => `about ${seconds} s left`,
  leftMinutes: (minutes: number) => `about ${minutes} min left`,
  shortLabel: (steps: string, measuredSteps: string) =>
    `The short version has ${steps} steps, one seed and fewer words to predict. Without error bars, differences between its points may be chance. The measured curve took ${measuredSteps} steps, so its height differs.`,
  onPage: 'No worker is available here, so training runs on this page in short turns.',
  silent: 'There has been no response for a while. Wait, or stop and start over.',
  failed: 'Training did not finish.',
  started: 'The short training has started.',
  stopped: 'The short training was stopped.',
  pointIs: (heads: number, value: string) => `${heads} ${heads === 1 ? 'head' : 'heads'}: accuracy ${value}.`,
  allDone: 'The short training is done.',

  table: 'Show as tables of numbers',
  countsCaption: 'By number of heads: the document’s “performance” (no unit) and measured accuracy (0–1)',
  kindsCaption: 'Measured accuracy by kind of word: mean and standard deviation',
  headsColumn: 'heads',
  printedColumn: 'document prints',
  computedColumn: 'its formula',
  meanColumn: 'measured: mean',
  deviationColumn: '± deviation',
  seedColumn: (seed: number) => `seed ${seed}`,
  hereColumn: 'here',
  chanceRow: 'without those words',
  kind: { neighbour: 'the next word', agreement: 'agreement', antecedent: 'a pronoun', rare: 'a rare name' },
};

export type HeadCountStrings = typeof en;

const ko: HeadCountStrings = {
  number: (value) => value.toLocaleString('ko-KR', { maximumFractionDigits: 0 }),
  title: '헤드 수에 따른 값: 문서의 두 곡선과 측정한 정확도',
  xTitle: '헤드 수',
  yTitle: '문서의 ‘성능’ · 측정한 정확도',

  printed: '문서 001에 실린 ‘성능’ – 학습하지 않음, 단위 없음',
  computed: '문서의 식으로 계산한 ‘성능’ – 학습하지 않음, 단위 없음',
  measured: (models) =>
    `측정한 정확도 – 학습한 모델 ${models}개의 평균 ± 표준편차. 작은 동그라미 하나가 모델 하나`,
  chance: '가린 단어를 결정하는 단어를 보지 않고 얻을 수 있는 최고 정확도',
  here: (steps) => `여기서 ${steps}스텝만 학습한 모델의 정확도 – 하나씩이라 오차 막대가 없음`,
  units:
    '세 곡선은 같은 양이 아니에요. 문서의 두 곡선은 단위 없는 ‘성능’이고, 측정한 정확도는 학습에 쓰지 않은 문장의 가린 단어를 맞힌 비율이에요. 높이가 아니라 모양만 비교하세요.',
  documentMissing: '문서의 두 곡선은 계산 모듈이 있어야 그릴 수 있어요.',

  from: (name, first, firstHeads, last, lastHeads) =>
    `${name}: 헤드 ${firstHeads}개 ${first}, ${lastHeads}개 ${last}.`,
  shortName: {
    printed: '문서에 실린 값',
    computed: '문서의 식',
    measured: '측정한 정확도',
    here: '여기서 짧게 학습한 값',
  },
  chanceIs: (value) => `가린 단어를 결정하는 단어를 보지 않으면 ${value}.`,

  best: (heads, mean, deviation) => `평균이 가장 높은 것은 헤드 ${heads}개예요: ${mean} ± ${deviation}.`,
  close: (heads, models) =>
    heads.length === 0
      ? '표준편차의 범위가 겹치는 다른 헤드 수는 없어요.'
      : `헤드 ${list(heads)}개는 표준편차의 범위가 이것과 겹쳐요. 모델 ${models}개씩으로는 어느 쪽이 나은지 말할 수 없어요.`,
  below: (heads) => (heads.length === 0 ? '' : `헤드 ${list(heads)}개는 그 범위보다 낮아요.`),
  limits:
    '이 크기의 모델, 이 언어, 이만큼의 학습에서 나온 결과예요. 더 큰 모델이나 더 긴 학습에서는 다를 수 있어요.',
  experiment: (layers, width, parameters, steps, batch) =>
    `모델은 ${layers}층, ${width}차원이고 파라미터는 헤드 수와 상관없이 ${parameters}개예요. 헤드가 많을수록 헤드 하나의 차원이 작아질 뿐이에요(${width} ÷ 헤드 수). 문장 ${batch}개씩 ${steps}스텝 학습했고, 시드가 같은 모델은 같은 문장을 학습했어요.`,
  questions: (models, words) =>
    `헤드 수마다 시드가 다른 모델 ${models}개로 학습에 쓰지 않은 문장의 가린 단어 ${words}개를 예측했어요. 네 종류의 단어를 같은 비중으로 평균했어요.`,

  shortTitle: '여기서 짧게 해 보기',
  shortIntro: (steps, models) =>
    `헤드 수가 다른 모델 ${models}개를 차례로 ${steps}스텝씩 이 브라우저에서 학습시켜요. 아무것도 밖으로 보내지 않아요.`,
  start: '여기서 짧게 학습하기',
  again: '다시 학습하기',
  stop: '중지',
  progress: '짧은 학습의 진행률',
  training: (heads) => `헤드 ${heads}개 모델을 학습하고 있어요`,
  stepOf: (step, steps) => `${step} / ${steps}스텝`,
  left: (seconds) => `약 ${seconds}초 남음`,
  leftMinutes: (minutes) => `약 ${minutes}분 남음`,
  shortLabel: (steps, measuredSteps) =>
    `짧은 학습은 ${steps}스텝, 시드 하나이고 예측하는 단어도 더 적어요. 오차 막대가 없으니 점들의 차이는 우연일 수 있어요. 측정한 곡선은 ${measuredSteps}스텝이라 높이가 달라요.`,
  onPage: '여기서는 워커를 쓸 수 없어서 이 페이지 안에서 조금씩 나누어 학습해요.',
  silent: '한동안 응답이 없어요. 기다리거나, 중지하고 다시 시작할 수 있어요.',
  failed: '학습을 끝내지 못했어요.',
  started: '짧은 학습을 시작했어요.',
  stopped: '짧은 학습을 중지했어요.',
  pointIs: (heads, value) => `헤드 ${heads}개: 정확도 ${value}.`,
  allDone: '짧은 학습이 끝났어요.',

  table: '숫자 표로 보기',
  countsCaption: '헤드 수마다: 문서의 ‘성능’(단위 없음)과 측정한 정확도(0–1)',
  kindsCaption: '단어의 종류마다 측정한 정확도: 평균과 표준편차',
  headsColumn: '헤드 수',
  printedColumn: '문서에 실린 값',
  computedColumn: '문서의 식',
  meanColumn: '측정: 평균',
  deviationColumn: '± 표준편차',
  seedColumn: (seed) => `시드 ${seed}`,
  hereColumn: '여기서',
  chanceRow: '결정하는 단어 없이',
  kind: { neighbour: '바로 옆 단어', agreement: '호응', antecedent: '대명사', rare: '드문 이름' },
};

export const headCountStringsFor = (language: Language): HeadCountStrings => ({ en, ko })[language];
