import { Tensor } from '../api/tensor.js';
import { tokenize } from '../sources/random-words.js';
import { sentences } from './sentences.js';
import type { Example, Row } from './types.js';

export const sentence = sentences['002-5'];
/** The fixed number of tokens in a sequence. */
export const LENGTH = 8;
export const EMPTY = '∅';

/** The vocabulary of exercise 1, in the order of the columns of X. */
export const vocabulary = ['all', 'attention', 'cat', 'is', 'need', 'transformer', 'you'];

/** The sentence's five words, padded to eight tokens. */
export const words = tokenize(sentence);
export const tokens = [...words, ...Array<string>(LENGTH - words.length).fill(EMPTY)];

/** Returns X, one-hot: (8,7) with zero rows for the padding, or (8,8) where ∅ is a token of its own. */
export function inputMatrix(emptyToken: boolean): Tensor {
  const known = emptyToken ? [...vocabulary, EMPTY] : vocabulary;
  const rows = tokens.flatMap((token) => known.map((word) => Number(word === token)));
  return new Tensor(Float32Array.from(rows), [LENGTH, known.length]);
}

/** Returns, for each row of X, the column (from 1) of its one, 0 where there is none. */
function ones({ data, shape }: Tensor): number[] {
  const [rows, columns] = shape as [number, number];
  return Array.from({ length: rows }, (_, i) => data.subarray(i * columns, (i + 1) * columns).indexOf(1) + 1);
}

const printed: Row[] = [{ padding: 'zero rows', n: 8, d: 7, emptyRows: 3 }];

export const document002Exercise1: Example = {
  info: {
    id: '002-1',
    source: '002_a83900d374b1ea09.txt, lines 61-100',
    title: { ko: '연습 1: 입력 행렬 X', en: 'Exercise 1: the input matrix X' },
  },
  run() {
    const x = inputMatrix(false);
    const withEmptyToken = inputMatrix(true);
    const [columns, columnsWithEmptyToken] = [x, withEmptyToken].map(ones) as [number[], number[]];
    const sizes = (padding: string, { shape }: Tensor, column: readonly number[]): Row => ({
      padding,
      n: shape[0] ?? 0,
      d: shape[1] ?? 0,
      emptyRows: column.filter((one) => one === 0).length,
    });
    const computed = [
      sizes('zero rows', x, columns),
      sizes(EMPTY, withEmptyToken, columnsWithEmptyToken),
      ...tokens.map((token, i) => ({
        row: i + 1,
        token,
        column: columns[i] ?? 0,
        columnWithEmptyToken: columnsWithEmptyToken[i] ?? 0,
      })),
    ];
    return {
      tokens,
      tensors: { x, withEmptyToken },
      computed,
      printed,
      note: {
        ko:
          '난수도 학습도 없이 X를 문장에서 바로 얻어요. 문서의 답처럼 d = 7이고 아래 세 행은 모두 0이에요. ' +
          '문서의 행렬은 그림이라 남아 있지 않아요. ∅를 토큰으로 넣는 다른 방법에서는 d = 8이고 모두 0인 행이 없어요.',
        en:
          "Nothing is random or trained: X follows from the sentence. As in the document's answer d = 7 and the last three " +
          'rows are all 0; its matrix was a picture and is lost. With ∅ as a token of its own d = 8 and no row is all 0.',
      },
    };
  },
};
