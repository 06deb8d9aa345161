import type { HeadRoles } from '../../index.js';
import type { HeadName } from '../../sources/figure.js';
import type { Language } from '../base/language.js';
import { formatWeight } from '../base/strings.js';

const koHeads = { single: '단일 헤드', mean: '평균', max: '최댓값' };
/** A head of a model by layer and number, both from 1: `6·12`. */
const layerHead = (layer: number | null, head: number): string =>
  layer === null ? String(head + 1) : `${layer + 1}·${head + 1}`;

/** A head's name within an English sentence. */
const inText = (head: string): string => head.charAt(0).toLowerCase() + head.slice(1);

const en = {
  head: (name: HeadName, layer: number | null) =>
    typeof name === 'number'
      ? `Head ${layerHead(layer, name)}`
      : layer === null
        ? enHeads[name]
        : `${enHeads[name]} of layer ${layer + 1}`,
  pair: (query: string, key: string, weight: string) => `“${query}” → “${key}” ${weight}`,
  maskedPair: (query: string, key: string) => `“${query}” → “${key}” masked`,

  words: 'Words of the sentence',
  place: (position: number) => `word ${position}`,
  unknownWord: 'not known to the model',
  looksMostAt: (key: string, weight: string) => `looks most at “${key}” ${weight}`,
  directions: 'Arcs up or to the right lead to later words, down or to the left to earlier ones.',
  directionInRow: 'Arcs above lead to later words, arcs below to earlier ones.',
  directionInColumn: 'Arcs on the right lead to later words, arcs on the left to earlier ones.',

  heads: 'Choose a head',
  maximum: (weight: string) => `max ${weight}`,
  layer: (layer: number) => `L ${layer}`,
  allHeads: (layers: number, heads: number) => `All heads: ${layers} layers (rows) of ${heads} heads`,
  chooseWord: 'Choose a word of the sentence to list its strongest heads here.',
  hardest: (word: string) => `Heads with the largest weight from “${word}” to another word`,
  joining: (query: string, key: string) => `Strongest heads for “${query}” → “${key}”`,
  role: {
    previousToken: 'previous word',
    nextToken: 'next word',
    self: 'itself',
    firstToken: 'first word',
    sameWord: 'same word',
    punctuation: 'punctuation',
    rareWord: 'rare word',
    neighbourhood: 'near (±2)',
    entropy: 'spread',
  },
  order: 'Order',
  byLayer: 'by layer',
  oneLayer: 'The text is too long to show all layers at once: only the chosen layer is.',
  bars: 'The bar below a head is the chosen word’s largest weight in it, from 0 to 1.',

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

  strongestPairs: 'Strongest links',
  wordRanking: (word: string) => `“${word}” looks most at`,
  others: (count: number) => `${count} others`,
  describeHead: (head: string, query: string, key: string, weight: string) =>
    `${head}: the largest weight is “${query}” → “${key}” ${weight}, without self-attention.`,
  describeWord: (head: string, query: string, key: string, weight: string) =>
    `In ${inText(head)}, “${query}” looks most at “${key}” (${weight}).`,
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
  hint: 'Point at a word or a cell to preview, click to hold it, press Esc to let go.',

  mask: 'Mask',
  masks: {
    none: 'none',
    causal: 'causal (earlier words only)',
    padding: 'padding (hide the end)',
    window: 'window (nearby words only)',
    trap: 'the trap of document 000',
  },
  maskCount: { padding: 'Words hidden at the end', window: 'Words seen to either side' },
  trap: 'In document 000’s causal_mask, 0 means “may look”. The class in the same document masks where mask == 0. Used together as printed, every word sees only later words, and the last word sees nothing: NaN in PyTorch 1.13, zeros here.',

  dataTable: 'Show as a table of numbers',
  dataTableCaption: (head: string) => `All weights of ${head.toLowerCase()} (rows: queries, columns: keys)`,

  empty: 'Choose a sentence or write your own.',

  directionInText:
    'Point at a word or click it: the more it looks at another word, the stronger that one is painted.',
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
export type Strings = typeof en;

/** A number with 로 or 으로, as its last digit is read: 영, 삼 and 육 end in a consonant other than ㄹ. */
const by = (number: string): string => `${number}${/[036]$/.test(number) ? '으로' : '로'}`;

const ko: Strings = {
  head: (name, layer) =>
    typeof name === 'number'
      ? `헤드 ${layerHead(layer, name)}`
      : layer === null
        ? koHeads[name]
        : `${layer + 1}층의 ${koHeads[name]}`,
  pair: (query, key, weight) => `‘${query}’ → ‘${key}’ ${weight}`,
  maskedPair: (query, key) => `‘${query}’ → ‘${key}’ 가려짐`,

  words: '문장의 단어',
  place: (position) => `${position}번째 단어`,
  unknownWord: '모델이 모르는 단어',
  looksMostAt: (key, weight) => `가장 많이 보는 단어 ‘${key}’ ${weight}`,
  directions: '위쪽·오른쪽 호는 뒤에 나오는 단어를, 아래쪽·왼쪽 호는 앞에 나온 단어를 봐요.',
  directionInRow: '위쪽 호는 뒤에 나오는 단어를, 아래쪽 호는 앞에 나온 단어를 봐요.',
  directionInColumn: '오른쪽 호는 뒤에 나오는 단어를, 왼쪽 호는 앞에 나온 단어를 봐요.',

  heads: '헤드 고르기',
  maximum: (weight) => `최대 ${weight}`,
  layer: (layer) => `${layer}층`,
  allHeads: (layers, heads) => `모든 헤드: 층 ${layers}개(행) × 헤드 ${heads}개`,
  chooseWord: '문장의 단어를 고르면 그 단어에서 가중치가 가장 큰 헤드가 여기에 나와요.',
  hardest: (word) => `‘${word}’에서 다른 단어로 가는 가중치가 가장 큰 헤드`,
  joining: (query, key) => `‘${query}’ → ‘${key}’ 연결이 강한 헤드`,
  role: {
    previousToken: '바로 앞',
    nextToken: '바로 뒤',
    self: '자기 자신',
    firstToken: '첫 단어',
    sameWord: '같은 단어',
    punctuation: '문장 부호',
    rareWord: '드문 단어',
    neighbourhood: '가까이(±2)',
    entropy: '퍼진 정도',
  },
  order: '순서',
  byLayer: '층 순서대로',
  oneLayer: '글이 길어서 모든 층을 한꺼번에 그리지 않고 고른 층만 보여 줘요.',
  bars: '헤드 아래 막대는 고른 단어의 가장 큰 가중치예요. 가득 차면 1이에요.',

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

  strongestPairs: '가장 강한 연결',
  wordRanking: (word) => `‘${word}’ → 가장 많이 보는 단어`,
  others: (count) => `나머지 ${count}개`,
  describeHead: (head, query, key, weight) =>
    `${head}에서 가장 큰 가중치: ‘${query}’ → ‘${key}’ ${weight} (자기 자신 제외).`,
  describeWord: (head, query, key, weight) =>
    `${head}의 ‘${query}’에서는 ‘${key}’의 가중치가 ${by(weight)} 가장 커요.`,
  describeSelf: (head, query, key, weight, self) =>
    `${head}의 ‘${query}’에서는 자기 자신의 가중치가 ${by(self)} 가장 커요. 다른 단어 가운데는 ‘${key}’의 가중치가 ${by(weight)} 가장 커요.`,
  describeAlone: (head, query, self) => `${head}의 ‘${query}’에서는 자기 자신만 볼 수 있어요(${self}).`,
  describeNone: (head, query) => `${head}의 ‘${query}’에서는 볼 단어가 하나도 없어서 가중치가 모두 0이에요.`,
  computingSentence: (text) => `‘${text}’ 문장을 계산하고 있어요.`,
  oldSentence: '이 그림은 아직 이전 문장이에요.',
  oldWeights: '이 그림은 아직 이전 가중치예요.',
  describePair: (head, query, key, weight, rank, of) =>
    `${head}: ‘${query}’ → ‘${key}’ ${weight}, ${of}개 가운데 ${rank}번째.`,
  hint: '단어나 칸을 가리키면 미리 보여 주고, 누르면 고정해요. Esc를 누르면 풀려요.',

  mask: '마스크',
  masks: {
    none: '없음',
    causal: '인과(이전 단어만)',
    padding: '패딩(끝 단어 가리기)',
    window: '윈도(가까운 단어만)',
    trap: '문서 000의 함정',
  },
  maskCount: { padding: '끝에서 가릴 단어 수', window: '양쪽으로 볼 단어 수' },
  trap: '문서 000의 causal_mask에서는 0이 ‘봐도 된다’라는 뜻이에요. 그런데 같은 문서의 클래스는 mask == 0인 곳을 가려요. 둘을 그대로 함께 쓰면 모든 단어가 뒤 단어만 보고, 마지막 단어는 볼 단어가 없어요. 그 행은 PyTorch 1.13에서 NaN, 여기서는 0이에요.',

  dataTable: '숫자 표로 보기',
  dataTableCaption: (head) => `${head}의 모든 가중치 (행: 쿼리, 열: 키)`,

  empty: '문장을 고르거나 직접 써 보세요.',

  directionInText: '단어를 가리키거나 누르면, 그 단어가 많이 보는 단어일수록 진하게 칠해요.',
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

const enHeads = { single: 'Single head', mean: 'Mean', max: 'Maximum' };

export const stringsFor = (language: Language): Strings => ({ en, ko })[language];

/** The role scores, in the order in which they are shown. */
export const ROLES: readonly (keyof HeadRoles)[] = [
  'previousToken',
  'nextToken',
  'self',
  'firstToken',
  'sameWord',
  'punctuation',
  'rareWord',
  'neighbourhood',
  'entropy',
];
