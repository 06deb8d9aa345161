import type { Language } from '../base/language.js';
import type { Step } from './flow.js';

/** Formats a number with a typographic minus sign; −∞ is the value of masked scores. */
export function formatNumber(value: number, digits = 2): string {
  if (value === -Infinity) return '−∞';
  const text = value.toFixed(digits);
  return Number(text) === 0 ? (0).toFixed(digits) : text.replace('-', '−');
}

/** Formats a table's shape, such as `(10, 8)`. */
export const formatShape = (rows: number, columns: number): string => `(${rows}, ${columns})`;

/** Facts about the layer that the sentences about a step depend on. */
export interface StepContext {
  readonly width: number;
  readonly headDim: number;
  /** Whether the layer has no projections, so that Q = K = V = X. */
  readonly plain: boolean;
  readonly masked: boolean;
  /** Whether the layer is one of a pretrained model, whose mask cannot be chosen. */
  readonly pretrained: boolean;
}

const en = {
  flow: 'Steps from X to the output',
  name: {
    x: 'Word vectors',
    q: 'Queries',
    k: 'Keys',
    v: 'Values',
    scores: 'Scores',
    scaled: 'Scaled',
    masked: 'Masked',
    weights: 'Weights',
    context: 'Context',
    concat: 'Concatenate',
    output: 'Output',
  },
  describe(step: Step, { width, headDim, plain, masked, pretrained }: StepContext) {
    const projected = (matrix: string, purpose: string) =>
      plain
        ? 'This example has no projections: queries, keys and values are the word vectors themselves (Q = K = V = X).'
        : `Word vectors times ${matrix}: ${purpose}`;
    const sentences: Record<Step, string> = {
      x: `Each word is a vector of ${width} numbers; every head starts from the same X.`,
      q: projected('W_Q', 'each word’s query says what that word looks for.'),
      k: projected('W_K', 'each word’s key is what the queries are compared with.'),
      v: projected('W_V', 'each word’s value is what it adds to the contexts.'),
      scores: 'The dot product of the row’s query and the column’s key: large where both point the same way.',
      scaled: `Every score is divided by √${headDim}, because dot products grow with the number of dimensions and softmax would then pick a single word.`,
      masked: masked
        ? 'A masked score becomes −∞, so that softmax gives it a weight of 0.'
        : 'There is no mask now, so the scaled scores pass unchanged.' +
          (pretrained ? '' : ' Choose one under “Mask”.'),
      weights: 'Softmax turns each row into weights that sum to 1.',
      context: 'The values times their weights, summed: words with larger weights add more.',
      concat: 'The contexts of all heads side by side; the columns with bold names are the chosen head’s.',
      output: plain
        ? 'This example has no W_O either: the context is the output.'
        : 'The concatenated vector times W_O: only here are numbers of different heads mixed.',
    };
    return sentences[step];
  },
  heads: 'Head',
  words: 'Word',

  tooLong: (limit: number, count: number) =>
    `The steps can be shown for up to ${limit} words; this sentence has ${count}.`,
  weightsOnly: 'Weights alone do not tell how they were computed. Choose an example or a sentence.',

  /** `head` is null for steps without a head axis. */
  table: (step: string, head: string | null, shape: string) =>
    `${step} ${shape}${head === null ? '' : `, ${head.toLowerCase()}`}`,
  corner: (rows: 'query' | 'key' | 'word', columns: 'key' | 'dimension') => `${rows} ↓ ${columns} →`,
  pair: (query: string, key: string) => `“${query}” → “${key}”`,
  component: (word: string, dimension: number) => `“${word}”, dimension ${dimension}`,
  cell: (place: string, step: string, value: string) => `${place}, ${step.toLowerCase()} ${value}`,
  scale: 'The stronger the colour, the farther from 0.',
  weightScale: 'Colour is the weight, 0–1.',

  why: 'Why this number?',
  hint: 'Point at a cell to see its formula, click to hold it, press Esc to let go.',
  rounded: 'Numbers are shown to two decimals and computed with all of them.',
  more: (count: number) => `… ${count} more`,
  fewer: 'Show fewer',
  given: (place: string, value: string, same: boolean) =>
    `${place}, ${value}. This number is given${same ? '; a word has the same vector at every position.' : '.'}`,
  fromBelow: (place: string, value: string) =>
    `${place}, ${value}. This number enters the layer’s attention: it comes from the embeddings and the layers below.`,
  copied: (place: string, step: string, from: string, value: string) =>
    `${place}, ${step.toLowerCase()} ${value}. Taken over unchanged from ${from}.`,
  /** Says where a copied number comes from; `head` is null in a layer with a single head. */
  source: (step: string, head: number | null, dimension: number) =>
    `${step.toLowerCase()}${head === null ? '' : ` of head ${head}`}, dimension ${dimension}`,
  projected: (place: string, step: string, count: number, matrix: string, value: string, biased: boolean) =>
    `${place}, ${step.toLowerCase()} ${value}. The sum of ${count} products of input and ${matrix}` +
    (biased ? ', and the bias b.' : '.'),
  rotated: (place: string, step: string, position: number, value: string) =>
    `${place}, ${step.toLowerCase()} ${value}. Two numbers of the projection are rotated by an angle θ that grows with the word’s position, here ${position} (RoPE).`,
  layer: 'Layer',
  ownMask: 'The model’s own mask applies.',
  columns: 'Dimensions',
  columnsFrom: (first: number, last: number, of: number) => `${first}–${last} of ${of}`,
  earlier: 'Earlier dimensions',
  later: 'Later dimensions',
  score: (query: string, key: string, count: number, value: string) =>
    `Score “${query}” → “${key}” ${value}. Query times key, summed over ${count} dimensions.`,
  quotient: (query: string, key: string, score: string, headDim: number, value: string) =>
    `Scaled score “${query}” → “${key}” ${value}. The score ${score} divided by √${headDim}.`,
  passed: (query: string, key: string, value: string) =>
    `“${query}” → “${key}” ${value}. This key is not masked, so the score stays.`,
  blocked: (query: string, key: string) => `“${query}” → “${key}” −∞. This key is masked.`,
  softmax: (query: string, key: string, power: string, sum: string, value: string) =>
    `Weight “${query}” → “${key}” ${value}. This cell’s power ${power} divided by its row’s sum ${sum}.`,
  largest:
    'Each exponent has the row’s largest score subtracted: the same in every cell, so it changes no weight and only keeps the powers of e from overflowing.',
  allBlocked: (query: string) => `All of the row “${query}” is masked, so all of its weights are 0.`,
  context: (place: string, count: number, value: string) =>
    `${place}, context ${value}. The values of ${count} words times their weights, summed.`,
};

// Korean: no particle follows a token, a number or a formula, because the right one depends on how it is read.
export type StepStrings = typeof en;

const ko: StepStrings = {
  flow: 'X부터 출력까지의 단계',
  name: {
    x: '단어 벡터',
    q: '쿼리',
    k: '키',
    v: '값',
    scores: '점수',
    scaled: '스케일링',
    masked: '마스크',
    weights: '가중치',
    context: '문맥 벡터',
    concat: '이어 붙이기',
    output: '출력',
  },
  describe(step: Step, { width, headDim, plain, masked, pretrained }: StepContext) {
    const projected = (matrix: string, purpose: string) =>
      plain
        ? '이 예제에는 투영이 없어요. 쿼리, 키, 값 모두 단어 벡터 그대로예요(Q = K = V = X).'
        : `단어 벡터에 ${matrix} 행렬을 곱해, ${purpose}`;
    const sentences: Record<Step, string> = {
      x: `단어마다 숫자 ${width}개로 된 벡터예요. 모든 헤드가 같은 X에서 출발해요.`,
      q: projected('W_Q', '그 단어가 무엇을 찾는지 나타내는 쿼리를 만들어요.'),
      k: projected('W_K', '다른 단어의 쿼리와 비교할 키를 만들어요.'),
      v: projected('W_V', '문맥 벡터에 전달할 값을 만들어요.'),
      scores: '행의 쿼리와 열의 키를 내적해요. 두 벡터의 방향이 비슷하고 길수록 점수가 커요.',
      scaled: `모든 점수를 √${headDim}의 값으로 나눠요. 차원이 클수록 내적도 커져서, 그대로 두면 소프트맥스가 한 단어에 쏠리기 때문이에요.`,
      masked: masked
        ? '가려진 점수를 −∞ 값으로 바꿔요. 그러면 소프트맥스를 적용한 가중치가 0이 돼요.'
        : '지금은 마스크가 없어서, 스케일링한 점수 그대로예요.' +
          (pretrained ? '' : ' ‘마스크’에서 하나를 골라 보세요.'),
      weights: '행마다 소프트맥스를 적용해 합이 1인 가중치로 바꿔요.',
      context: '값 벡터에 가중치를 곱해 더해요. 가중치가 큰 단어의 값이 더 많이 들어와요.',
      concat: '모든 헤드의 문맥 벡터를 옆으로 이어 붙여요. 이름이 굵은 열이 지금 고른 헤드의 것이에요.',
      output: plain
        ? '이 예제에는 W_O 행렬도 없어요. 문맥 벡터가 그대로 출력이 돼요.'
        : '이어 붙인 벡터에 W_O 행렬을 곱해요. 서로 다른 헤드의 숫자가 여기서만 섞여요.',
    };
    return sentences[step];
  },
  heads: '헤드',
  words: '단어',

  tooLong: (limit, count) => `계산 과정은 단어 ${limit}개까지 보여 줄 수 있어요. 지금은 ${count}개예요.`,
  weightsOnly: '가중치만으로는 계산 과정을 알 수 없어요. 예제나 문장을 골라 주세요.',

  table: (step, head, shape) => `${head === null ? '' : `${head}, `}${step} ${shape}`,
  corner(rows, columns) {
    const names = { query: '쿼리', key: '키', word: '단어', dimension: '차원' };
    return `${names[rows]} ↓ ${names[columns]} →`;
  },
  pair: (query, key) => `‘${query}’ → ‘${key}’`,
  component: (word, dimension) => `‘${word}’의 차원 ${dimension}`,
  cell: (place, step, value) => `${place}, ${step} ${value}`,
  scale: '색이 진할수록 절댓값이 커요.',
  weightScale: '색은 가중치 0–1이에요.',

  why: '왜 이 숫자인가요?',
  hint: '칸을 가리키면 그 숫자의 식이 나와요. 누르면 고정하고, Esc를 누르면 풀려요.',
  rounded: '숫자는 소수 둘째 자리까지 보여 주고, 계산은 모든 자리로 해요.',
  more: (count) => `… ${count}개 더`,
  fewer: '줄여 보기',
  given: (place, value, same) =>
    `${place}, ${value}. 처음에 주어진 값이에요.${same ? ' 같은 단어는 어디에 있든 같은 벡터를 가져요.' : ''}`,
  fromBelow: (place, value) =>
    `${place}, ${value}. 층의 어텐션에 들어오는 값이에요. 임베딩과 아래층에서 계산했어요.`,
  copied: (place, step, from, value) => `${place}, ${step} ${value}. 그대로 옮겨 온 값이에요: ${from}.`,
  source: (step, head, dimension) => `${head === null ? '' : `헤드 ${head}의 `}${step}, 차원 ${dimension}`,
  projected: (place, step, count, matrix, value, biased) =>
    `${place}, ${step} ${value}. 입력과 ${matrix} 행렬을 ${count}번 곱해 모두 더했어요.` +
    (biased ? ' 거기에 편향 b도 더했어요.' : ''),
  rotated: (place, step, position, value) =>
    `${place}, ${step} ${value}. 투영한 두 수를 단어의 위치(여기서는 ${position})에 비례하는 각 θ만큼 회전한 값이에요(RoPE).`,
  layer: '층',
  ownMask: '모델의 마스크를 그대로 써요.',
  columns: '차원',
  columnsFrom: (first, last, of) => `${of}개 중 ${first}–${last}`,
  earlier: '앞 차원',
  later: '뒤 차원',
  score: (query, key, count, value) =>
    `점수 ‘${query}’ → ‘${key}’ ${value}. 쿼리와 키를 차원 ${count}개에서 곱해 모두 더했어요.`,
  quotient: (query, key, score, headDim, value) =>
    `스케일링한 점수 ‘${query}’ → ‘${key}’ ${value}. 점수 ${score} 나누기 √${headDim}.`,
  passed: (query, key, value) => `‘${query}’ → ‘${key}’ ${value}. 가려지지 않은 키라서 점수가 그대로예요.`,
  blocked: (query, key) => `‘${query}’ → ‘${key}’ −∞. 마스크로 가려진 키예요.`,
  softmax: (query, key, power, sum, value) =>
    `가중치 ‘${query}’ → ‘${key}’ ${value}. 이 칸의 거듭제곱(${power})을 그 행의 합(${sum})으로 나눈 값이에요.`,
  largest:
    '지수에서 그 행의 가장 큰 점수를 빼요. 모든 칸에서 똑같이 빼므로 가중치는 달라지지 않고, e의 거듭제곱이 오버플로하지 않게 해요.',
  allBlocked: (query) => `‘${query}’ 행은 모두 가려져서, 가중치가 모두 0이에요.`,
  context: (place, count, value) =>
    `${place}, 문맥 벡터 ${value}. 단어 ${count}개의 값에 가중치를 곱해 모두 더했어요.`,
};

export const stepStringsFor = (language: Language): StepStrings => ({ en, ko })[language];
