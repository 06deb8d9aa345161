import type { HeadName } from '../../sources/figure.js';
import type { Language } from '../base/language.js';
import { formatWeight } from '../base/strings.js';

const koHeads = { single: '단일 헤드', mean: '평균', max: '최댓값', rollout: '롤아웃' };
/** A head of a model by layer and number, both from 1: `6·12`. */
const layerHead = (layer: number | null, head: number): string =>
  layer === null ? String(head + 1) : `${layer + 1}·${head + 1}`;

/** A head's name within an English sentence. */
export const inText = (head: string): string => head.charAt(0).toLowerCase() + head.slice(1);

const en = {
  head: (name: HeadName, layer: number | null) =>
    typeof name === 'number'
      ? `Head ${layerHead(layer, name)}`
      : layer === null
        ? enHeads[name]
        : `${enHeads[name]} of layer ${layer + 1}`,
  pair: (query: string, key: string, weight: string) => `“${query}” → “${key}” ${weight}`,
  maskedPair: (query: string, key: string) => `“${query}” → “${key}” masked`,

  place: (position: number) => `word ${position}`,
  unknownWord: 'not known to the model',

  matrix: (head: string) => `Attention weights of ${head.toLowerCase()}: rows are queries, columns are keys`,
  query: 'query',
  key: 'key',
  rowSums: (least: string, most: string) =>
    least === most
      ? Number(most) === 1
        ? 'Every row sums to 1.'
        : `Rows do not sum to 1: each sums to ${most}.`
      : `Not every row sums to 1: they sum to ${least}–${most}.`,

  legend: 'Weight',
  fixedScale: 'One fixed scale (0–1) for all heads.',

  describeHead: (head: string, query: string, key: string, weight: string) =>
    `${head}: the largest weight between different words is “${query}” → “${key}” ${weight}.`,
  describeHeadOfTwo: (head: string, query: string, key: string, weight: string) =>
    `${head}: the largest weight is “${query}” → “${key}” ${weight}.`,
  describeWord: (head: string, query: string, key: string, weight: string) =>
    `In ${inText(head)}, “${query}” looks most at “${key}” (${weight}).`,
  describeKey: (head: string, key: string, query: string, weight: string) =>
    `In ${inText(head)}, of all words “${query}” looks most at “${key}” (${weight}).`,
  describeKeyNone: (head: string, key: string) => `In ${inText(head)}, no word looks at “${key}”.`,
  describeSelf: (head: string, query: string, key: string, weight: string, self: string) =>
    `In ${inText(head)}, “${query}” looks most at itself (${self}). Of the other words, “${key}” is largest with ${weight}.`,
  describeAlone: (head: string, query: string, self: string) =>
    `In ${inText(head)}, “${query}” has only itself to look at (${self}).`,
  describeNone: (head: string, query: string) =>
    `In ${inText(head)}, “${query}” has no word to look at: its weights are all 0.`,
  computingSentence: (text: string) => `Computing “${text}”.`,
  oldSentence: 'The figure still shows the sentence before.',
  oldWeights: 'The figure still shows the weights before.',
  describePair: (head: string, query: string, key: string, weight: string, rank: number, of: number) =>
    `${head}: “${query}” → “${key}” ${weight}, number ${rank} of ${of}.`,
  dataTable: 'Show as a table of numbers',
  dataTableCaption: (head: string) => `All weights of ${head.toLowerCase()} (rows: queries, columns: keys)`,

  readoutHint: 'Point at a cell to read its two words and their weight here.',
  scaleUpTo: (limit: string) =>
    `One scale (0–${limit}) for all heads. Weights above ${limit} all have the last colour.`,
  difference: 'Difference of weights',
  differenceName: (head: string, other: string) => `${head} − ${other.toLowerCase()}`,
  matrixOfDifference: (head: string, other: string) =>
    `Difference of weights, ${head.toLowerCase()} − ${other.toLowerCase()}: rows are queries, columns are keys`,
  differenceOfPair: (query: string, key: string, larger: string, smaller: string, size: string) =>
    `“${query}” → “${key}”: ${larger.toLowerCase()} is ${size} above ${smaller.toLowerCase()}`,
  noDifferenceOfPair: (query: string, key: string) =>
    `“${query}” → “${key}”: difference ${formatWeight(0)}, both heads are equal`,
  largestDifference: (pair: string) => `The largest difference is ${pair}.`,
  differenceScale: (head: string, other: string) =>
    `Colours on the right: ${head.toLowerCase()} is larger; on the left, ${other.toLowerCase()}. Both are equal at the faintest.`,
  tableOfDifference: (name: string) => `${name}: all differences of weights (rows: queries, columns: keys)`,
  tableOfWord: (word: string) => `All weights from “${word}” (rows: keys)`,
};

// Korean: no particle follows a token but 의 and 에서, because the right one (은/는, 이/가, 을/를) depends on how it is read.
export type Strings = typeof en & {
  /** Of shares, titles of an explorer's ranking. */
  readonly ranking?: Readonly<Record<'ofQuery' | 'ofKey', (word: string) => string>>;
};

/** A number with 로 or 으로, as its last digit is read: 영, 삼 and 육 end in a consonant other than ㄹ. */
export const by = (number: string): string => `${number}${/[036]$/.test(number) ? '으로' : '로'}`;

const ko: Strings = {
  head: (name, layer) =>
    typeof name === 'number'
      ? `헤드 ${layerHead(layer, name)}`
      : layer === null
        ? koHeads[name]
        : `${layer + 1}층의 ${koHeads[name]}`,
  pair: (query, key, weight) => `‘${query}’ → ‘${key}’ ${weight}`,
  maskedPair: (query, key) => `‘${query}’ → ‘${key}’ 가려짐`,

  place: (position) => `${position}번째 단어`,
  unknownWord: '모델이 모르는 단어',

  matrix: (head) => `${head}의 어텐션 가중치: 행은 쿼리, 열은 키`,
  query: '쿼리',
  key: '키',
  rowSums: (least, most) =>
    least === most
      ? Number(most) === 1
        ? '각 행의 합은 1이에요.'
        : `행의 합이 1이 아니에요(합: ${most}).`
      : `합이 1이 아닌 행이 있어요(합: ${least}–${most}).`,

  legend: '가중치',
  fixedScale: '모든 헤드에 같은 눈금(0–1)을 써요.',

  describeHead: (head, query, key, weight) =>
    `${head}에서 가장 큰 가중치: ‘${query}’ → ‘${key}’ ${weight} (자기 자신 제외).`,
  describeHeadOfTwo: (head, query, key, weight) =>
    `${head}에서 가장 큰 가중치: ‘${query}’ → ‘${key}’ ${weight}.`,
  describeWord: (head, query, key, weight) =>
    `${head}의 ‘${query}’에서는 ‘${key}’의 가중치가 ${by(weight)} 가장 커요.`,
  describeKey: (head, key, query, weight) =>
    `${head}에서 ‘${key}’ 단어를 가장 많이 보는 단어: ‘${query}’ ${weight}.`,
  describeKeyNone: (head, key) => `${head}에는 ‘${key}’ 단어를 보는 단어가 없어요.`,
  describeSelf: (head, query, key, weight, self) =>
    `${head}의 ‘${query}’에서는 자기 자신의 가중치가 ${by(self)} 가장 커요. 다른 단어 가운데는 ‘${key}’의 가중치가 ${by(weight)} 가장 커요.`,
  describeAlone: (head, query, self) => `${head}의 ‘${query}’에서는 자기 자신만 볼 수 있어요(${self}).`,
  describeNone: (head, query) => `${head}의 ‘${query}’에서는 볼 단어가 하나도 없어서 가중치가 모두 0이에요.`,
  computingSentence: (text) => `‘${text}’ 문장을 계산하고 있어요.`,
  oldSentence: '이 그림은 아직 이전 문장이에요.',
  oldWeights: '이 그림은 아직 이전 가중치예요.',
  describePair: (head, query, key, weight, rank, of) =>
    `${head}: ‘${query}’ → ‘${key}’ ${weight}, ${of}개 가운데 ${rank}번째.`,
  dataTable: '숫자 표로 보기',
  dataTableCaption: (head) => `${head}의 모든 가중치 (행: 쿼리, 열: 키)`,

  readoutHint: '칸을 가리키면 두 단어와 가중치를 여기에 보여 줘요.',
  scaleUpTo: (limit) =>
    `모든 헤드에 같은 눈금(0–${limit})을 써요. ${limit}보다 큰 가중치는 모두 마지막 색이에요.`,
  difference: '가중치의 차이',
  differenceName: (head, other) => `${head} − ${other}`,
  matrixOfDifference: (head, other) => `가중치의 차이, ${head} − ${other}: 행은 쿼리, 열은 키`,
  differenceOfPair: (query, key, larger, smaller, size) =>
    `‘${query}’ → ‘${key}’: ${larger} 쪽이 ${smaller}보다 ${size} 더 커요`,
  noDifferenceOfPair: (query, key) => `‘${query}’ → ‘${key}’: 차이 ${formatWeight(0)}, 두 헤드가 같아요`,
  largestDifference: (pair) => `가장 큰 차이는 ${pair}.`,
  differenceScale: (head, other) =>
    `오른쪽 색은 ${head} 쪽이, 왼쪽 색은 ${other} 쪽이 더 큰 곳이에요. 가장 옅은 색에서는 두 헤드가 같아요.`,
  tableOfDifference: (name) => `${name}: 모든 가중치의 차이 (행: 쿼리, 열: 키)`,
  tableOfWord: (word) => `‘${word}’에서 나가는 모든 가중치 (행: 키)`,
};

const enHeads = { single: 'Single head', mean: 'Mean', max: 'Maximum', rollout: 'Rollout' };

export const stringsFor = (language: Language): Strings => ({ en, ko })[language];
