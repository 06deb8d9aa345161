/** Texts around the exercises (their own are in texts-en.ts and texts-ko.ts), and verdicts and answers as sentences. */
import type { Language } from '../base/language.js';
import { formatWeight } from '../base/strings.js';
import { orderOf, parseNumber, parseOnes, parsePlace, type Verdict } from './judge.js';
import {
  type ExerciseNumber,
  type Facts,
  type Letter,
  type Matrix,
  parseShape,
  type Part,
} from './questions.js';
import { type AllTexts, en as textsEn, type PartTexts } from './texts-en.js';
import { ko as textsKo } from './texts-ko.js';

/** How each matrix gets its shape from the shapes of its factors. */
const derivations: Readonly<Record<Matrix, string>> = {
  q: '(n × d)(d × k) → n × k',
  k: '(n × d)(d × k) → n × k',
  v: '(n × d)(d × v) → n × v',
  scores: '(n × k)(k × n) → n × n',
  weights: 'n × n → n × n',
  attention: '(n × n)(n × v) → n × v',
  head: '(n × n)(n × v) → n × v',
  concat: 'n × (v + … + v) = n × hv',
  wo: '(n × hv)(hv × d) → n × d',
  x: 'n × d',
  y: '(n × hv)(hv × d) → n × d',
};

const en = {
  number: (number: number) => `Exercise ${number}`,
  solved: 'solved',
  check: 'Check',
  hint: 'Hint',
  solution: 'Solution',
  tryIt: 'Try it in the figure',
  reset: 'Start over',
  wasReset: 'All answers are cleared.',

  rows: 'number of rows',
  columns: 'number of columns',
  choose: 'choose',
  row: (number: number) => `all of row ${number}`,
  column: (number: number) => `all of column ${number}`,
  cell: (row: number, column: number) => `row ${row}, column ${column}`,
  entry: (row: number, column: number, text: string) => `row ${row}, column ${column}: ${text}`,
  up: (step: string) => `Up: ${step}`,
  down: (step: string) => `Down: ${step}`,
  moved: (step: string, place: number) => `Number ${place}: ${step}`,

  result: (right: number, of: number) => (right === of ? 'All right.' : `${right} of ${of} are right.`),
  isRight: 'right',
  isWrong: 'think again',
  missing: {
    number: 'Still empty. Write a number; a wrong one does no harm.',
    choice: 'No answer is chosen yet.',
    order: 'The order is still as it was.',
    'one-hot': 'No entry is switched on yet.',
    pick: 'Nothing is chosen in the matrix yet.',
  },
  missingSides: {
    both: '{matrix}: choose its rows and columns.',
    rows: '{matrix}: choose its rows as well.',
    columns: '{matrix}: choose its columns as well.',
  },
  notNumber: '`{answer}` cannot be read as a number. Use digits only.',

  letters: {
    n: 'number of tokens',
    d: 'dimension of a token vector',
    h: 'number of heads',
    k: 'dimension of queries and keys',
    v: 'dimension of values',
    hv: 'dimension of the concatenated values',
  },
  lettersTitle: 'What the letters mean',
  shapeRight: 'Right: `{derivation}`',
  shapes: {
    input:
      '`{answer}` is the shape of the input `X`: before it is split into heads, or after they are joined again.',
    queryWeights: '`{answer}` is the shape of the projection matrices `W_i^Q` and `W_i^K` themselves.',
    valueWeights: '`{answer}` is the shape of the projection matrix `W_i^V` itself.',
    queries: '`{answer}` is the shape of queries `Q_i` and keys `K_i`.',
    keysTransposed: '`{answer}` is the shape of the transposed keys, `K^T`.',
    values: '`{answer}` is the shape of values `V_i`, and of the output of one head.',
    scores: '`{answer}` has a number for every pair of tokens: the shape of scores and weights.',
    allHeads: '`{answer}` is the shape of all heads concatenated.',
    outputWeights: '`{answer}` is the shape of the output matrix `W^O`.',
    transposed: 'Rows and columns are swapped: `{answer}` would be the transposed matrix.',
    headCount:
      '`h` counts heads. Every head has matrices of its own, so that number alone counts neither rows nor columns of one.',
    inner: '`{inner}` is the inner dimension: it pairs up in the product, is summed over and disappears.',
    rows: 'The columns are right. Rows `{rows}`: {rowsMeaning} – not what the rows of this matrix count.',
    columns:
      'The rows are right. Columns `{columns}`: {columnsMeaning} – not what the columns of this matrix count.',
    both: 'Rows `{rows}`: {rowsMeaning}; columns `{columns}`: {columnsMeaning} – neither is what this matrix counts.',
  },
  rules: {
    q: 'The rows of `X W_i^Q` come from `X` on the left, its columns from `W_i^Q` on the right.',
    k: 'The rows of `X W_i^K` come from `X` on the left, its columns from `W_i^K` on the right.',
    v: 'The rows of `X W_i^V` come from `X` on the left, its columns from `W_i^V` on the right.',
    scores: 'The rows of `Q` and the columns of `K^T` are left.',
    weights: 'Softmax and the division by `√k` change only numbers; the shape stays that of `Q K^T`.',
    attention: 'The rows of the weights and the columns of `V` are left.',
    head: 'One head has the rows of the weights and the columns of `V_i`.',
    concat: 'When concatenated, the rows stay, and the columns of all heads add up.',
    wo: 'Its rows must fit the columns of the concatenated heads on its left, its columns those of the result.',
    x: 'Every row is a token, every column one number of the token vectors.',
    y: 'Its rows come from the concatenated heads, its columns from `W^O`.',
  },

  answers: 'Answers',
  csv: { header: ['exercise', 'question', 'answer', 'verdict'], right: 'right', wrong: 'wrong' },
};

export type ExerciseStrings = typeof en;

const ko: ExerciseStrings = {
  number: (number) => `연습 ${number}`,
  solved: '풀었어요',
  check: '확인하기',
  hint: '힌트',
  solution: '풀이',
  tryIt: '그림에서 해 보기',
  reset: '처음부터',
  wasReset: '답을 모두 지웠어요.',

  rows: '행의 수',
  columns: '열의 수',
  choose: '고르기',
  row: (number) => `${number}행 전체`,
  column: (number) => `${number}열 전체`,
  cell: (row, column) => `${row}행 ${column}열`,
  entry: (row, column, text) => `${row}행 ${column}열: ${text}`,
  up: (step) => `위로: ${step}`,
  down: (step) => `아래로: ${step}`,
  moved: (step, place) => `${place}번째: ${step}`,

  result: (right, of) => (right === of ? '모두 맞았어요.' : `${of}개 가운데 ${right}개 맞았어요.`),
  isRight: '맞음',
  isWrong: '다시 생각해 보세요',
  missing: {
    number: '아직 비어 있어요. 수를 하나 써 보세요. 틀려도 괜찮아요.',
    choice: '아직 답을 고르지 않았어요.',
    order: '아직 순서를 바꾸지 않았어요.',
    'one-hot': '아직 켠 칸이 없어요.',
    pick: '행렬에서 아직 고른 곳이 없어요.',
  },
  missingSides: {
    both: '{matrix}: 행과 열을 골라 보세요.',
    rows: '{matrix}: 행도 골라 보세요.',
    columns: '{matrix}: 열도 골라 보세요.',
  },
  notNumber: '`{answer}`: 수로 읽을 수 없어요. 숫자로만 써 보세요.',

  letters: {
    n: '토큰 수',
    d: '토큰 벡터의 차원',
    h: '헤드 수',
    k: '쿼리와 키의 차원',
    v: '값의 차원',
    hv: '이어 붙인 값의 차원',
  },
  lettersTitle: '글자의 뜻',
  shapeRight: '맞아요: `{derivation}`',
  shapes: {
    input: '`{answer}`: 입력 `X` 모양이에요. 헤드로 나누기 전이거나, 다시 합친 다음이에요.',
    queryWeights: '`{answer}`: 투영 행렬 `W_i^Q`, `W_i^K` 자체의 모양이에요.',
    valueWeights: '`{answer}`: 투영 행렬 `W_i^V` 자체의 모양이에요.',
    queries: '`{answer}`: 쿼리 `Q_i`, 키 `K_i` 모양이에요.',
    keysTransposed: '`{answer}`: 전치한 키 `K^T` 모양이에요.',
    values: '`{answer}`: 값 `V_i` 모양, 그리고 헤드 하나의 출력 모양이에요.',
    scores: '`{answer}`: 모든 토큰 쌍마다 수가 하나씩 있는 점수와 가중치의 모양이에요.',
    allHeads: '`{answer}`: 모든 헤드의 출력을 이어 붙인 모양이에요.',
    outputWeights: '`{answer}`: 출력 투영 행렬 `W^O` 모양이에요.',
    transposed: '행과 열이 바뀌었어요. `{answer}` 모양이라면 전치 행렬이에요.',
    headCount:
      '`h` 글자는 헤드의 수예요. 헤드마다 행렬이 따로 있어서, 그 수만으로 한 행렬의 행이나 열을 셀 수 없어요.',
    inner: '`{inner}`: 곱할 때 짝지어 더해져 사라지는 안쪽 차원이에요.',
    rows: '열은 맞아요. 행 `{rows}`: {rowsMeaning} – 이 행렬의 행이 세는 것은 달라요.',
    columns: '행은 맞아요. 열 `{columns}`: {columnsMeaning} – 이 행렬의 열이 세는 것은 달라요.',
    both: '행 `{rows}`: {rowsMeaning}, 열 `{columns}`: {columnsMeaning} – 둘 다 이 행렬이 세는 것과 달라요.',
  },
  rules: {
    q: '`X W_i^Q` 곱의 행은 왼쪽 `X` 행렬에서, 열은 오른쪽 `W_i^Q` 행렬에서 와요.',
    k: '`X W_i^K` 곱의 행은 왼쪽 `X` 행렬에서, 열은 오른쪽 `W_i^K` 행렬에서 와요.',
    v: '`X W_i^V` 곱의 행은 왼쪽 `X` 행렬에서, 열은 오른쪽 `W_i^V` 행렬에서 와요.',
    scores: '`Q` 행렬의 행과 `K^T` 행렬의 열이 남아요.',
    weights: '소프트맥스와 `√k` 나누기는 수만 바꿔요. 모양은 `Q K^T` 그대로예요.',
    attention: '가중치의 행과 `V` 행렬의 열이 남아요.',
    head: '헤드 하나는 가중치의 행과 `V_i` 행렬의 열을 가져요.',
    concat: '옆으로 이어 붙이면 행은 그대로이고, 한 헤드의 열이 헤드 수만큼 모여요.',
    wo: '행은 왼쪽에 놓인 이어 붙인 행렬의 열에, 열은 마지막 결과의 열에 맞아야 해요.',
    x: '행마다 토큰이 하나, 열마다 토큰 벡터의 수가 하나예요.',
    y: '행은 이어 붙인 행렬에서, 열은 `W^O` 행렬에서 와요.',
  },

  answers: '정답',
  csv: { header: ['연습', '질문', '답', '판정'], right: '맞음', wrong: '틀림' },
};

export const textsFor = (language: Language): AllTexts => ({ en: textsEn, ko: textsKo })[language];

export const exerciseStrings = (language: Language): ExerciseStrings => ({ en, ko })[language];

/** Replaces names in braces by the facts of these names. */
export const fill = (text: string, facts: Facts): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(facts[name] ?? whole).replace(/^-/, '−'));

/** Formats a number with a typographic minus sign, which is as wide as a plus. */
export const shownNumber = (value: number, digits = 2): string =>
  formatWeight(value, digits).replace('-', '−');

/** Replaces formula markup by Unicode characters (Wᵢ^Q, QKᵀ), for labels and exported pictures. */
export const plainText = (text: string): string =>
  text
    .replaceAll('`', '')
    .replaceAll('_i', 'ᵢ')
    .replaceAll('^T', 'ᵀ')
    .replaceAll(/_(\d)/g, (_, digit) => String.fromCodePoint(0x2080 + Number(digit)));

export function textsOf(exercise: ExerciseNumber, part: Part, language: Language): PartTexts {
  const texts = textsFor(language)[exercise].parts[part.id];
  if (!texts) throw new Error(`no texts for ${exercise} ${part.id}`);
  return texts;
}

/** Writes feedback on an answer, in one or two sentences. */
export function messageOf(
  exercise: ExerciseNumber,
  part: Part,
  { kind, facts }: Verdict,
  language: Language,
): string {
  const strings = exerciseStrings(language);
  const { prompt, says } = textsOf(exercise, part, language);
  if (kind === 'missing') {
    if (part.kind !== 'shape') return says.missing ?? strings.missing[part.kind];
    const side = (facts.side ?? 'both') as keyof typeof strings.missingSides;
    return fill(strings.missingSides[side], { matrix: /`[^`]+`/.exec(prompt)?.[0] ?? '' });
  }
  if (kind === 'notNumber') return fill(strings.notNumber, facts);
  if (part.kind !== 'shape') return fill(says[kind] ?? '', facts);
  const { matrix } = part;
  if (kind === 'right') return fill(strings.shapeRight, { derivation: derivations[matrix] });
  const mistake = strings.shapes[kind as keyof typeof strings.shapes];
  const meanings = {
    rowsMeaning: strings.letters[facts.rows as Letter],
    columnsMeaning: strings.letters[facts.columns as Letter],
  };
  return `${fill(mistake, { ...facts, ...meanings })} ${strings.rules[matrix]}`;
}

/** Writes an answer as text; '' without an answer. */
export function answerText(exercise: ExerciseNumber, part: Part, answer: string, language: Language): string {
  if (answer === '') return '';
  const strings = exerciseStrings(language);
  const option = (id: string) => textsOf(exercise, part, language).options?.[id] ?? id;
  switch (part.kind) {
    case 'number': {
      const number = parseNumber(answer);
      return Number.isFinite(number) ? String(Math.round(number * 1000) / 1000).replace('-', '−') : answer;
    }
    case 'shape':
      return parseShape(answer)
        .map((letter) => letter ?? '?')
        .join(' × ');
    case 'choice':
      return option(answer);
    case 'order':
      return orderOf(part, answer)
        .map((step, index) => `${index + 1}. ${option(step)}`)
        .join(' → ');
    case 'one-hot':
      return parseOnes(answer, part.rows)
        .map(
          (columns, row) => `${row + 1}: ${columns.map((column) => part.columns[column]).join(' + ') || '0'}`,
        )
        .join(', ');
    case 'pick': {
      const place = parsePlace(answer);
      if (!place) return '';
      const { row, column } = place;
      if (column < 0) return strings.row(row + 1);
      return row < 0 ? strings.column(column + 1) : strings.cell(row + 1, column + 1);
    }
  }
}
