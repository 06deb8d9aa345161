/** The eight exercises of document 002 as questions, with the answers that its computed examples give. */
import { item } from '../../api/shape.js';
import type { Tensor } from '../../api/tensor.js';
import { vocabulary } from '../../documents/document-002-1.js';
import type { DocumentResult, Row } from '../../documents/types.js';
import type { Cell } from '../base/arrow-keys.js';

/** Dimensions, in the document's letters; hv is h·v. */
export const LETTERS = ['n', 'd', 'h', 'k', 'v', 'hv'] as const;
export type Letter = (typeof LETTERS)[number];

/** A matrix's number of rows and columns, as letters. */
export type Shape = readonly [rows: Letter, columns: Letter];

/** The matrices that the exercises ask for. */
export type Matrix =
  'q' | 'k' | 'v' | 'scores' | 'weights' | 'attention' | 'head' | 'concat' | 'wo' | 'x' | 'y';

const isLetter = (text: string | undefined): text is Letter =>
  (LETTERS as readonly (string | undefined)[]).includes(text);

/** `n.k` → ['n', 'k']; null for a dimension that the reader has not chosen. */
export function parseShape(text: string): readonly [Letter | null, Letter | null] {
  const [rows, columns] = text.split('.');
  return [isLetter(rows) ? rows : null, isLetter(columns) ? columns : null];
}

/** Parses a shape in the computed examples' form, 'n x (h v)'. */
export function shapeFromDocument(text: string): Shape {
  const [rows, columns] = parseShape(text.replaceAll(/[() ]/g, '').replace('x', '.'));
  if (!rows || !columns) throw new Error(`no shape in letters: ${text}`);
  return [rows, columns];
}

/** Writes a place in a matrix, in which −1 stands for a whole row or column: a row as `r4`, a column as `c1`, a cell as `4.1`. */
export const placeText = ({ row, column }: Cell): string =>
  column < 0 ? `r${row}` : row < 0 ? `c${column}` : `${row}.${column}`;

/** Values of the placeholders in a question's texts, by name. */
export type Facts = Readonly<Record<string, string | number>>;

/** A question answered by typing a number. */
export interface NumberPart {
  readonly id: string;
  readonly kind: 'number';
  readonly right: number;
  /** Accepted difference from `right`, for answers computed from rounded numbers. */
  readonly tolerance: number;
  /** Wrong numbers that result from a known mistake, whose name is `kind`. */
  readonly traps: readonly { readonly kind: string; readonly value: number }[];
  readonly facts: Facts;
}

/** A question about a matrix's shape, answered with a letter for its rows and one for its columns. */
export interface ShapePart {
  readonly id: string;
  readonly kind: 'shape';
  readonly matrix: Matrix;
  readonly right: Shape;
}

/** A question answered by choosing one of several options. */
export interface ChoicePart {
  readonly id: string;
  readonly kind: 'choice';
  readonly right: string;
  readonly options: readonly string[];
  /** true: options are shown in a drop-down list, because they are short names; false: as radio buttons. */
  readonly short: boolean;
  readonly facts: Facts;
}

/** A question answered by ordering steps. */
export interface OrderPart {
  readonly id: string;
  readonly kind: 'order';
  readonly right: readonly string[];
  readonly start: readonly string[];
}

/** A question answered by setting a one in each row of a matrix. */
export interface OneHotPart {
  readonly id: string;
  readonly kind: 'one-hot';
  readonly rows: number;
  /** Names of the columns. */
  readonly columns: readonly string[];
  /** Names of the rows. */
  readonly tokens: readonly string[];
  /** Column of the one in each row; null for a row of zeros. */
  readonly right: readonly (number | null)[];
}

/** A question answered by choosing a row, a column or a cell of a computed matrix. */
export interface PickPart {
  readonly id: string;
  readonly kind: 'pick';
  /** Row and column from 0; −1 for the header of a whole column or row. */
  readonly right: Cell;
  readonly tokens: readonly string[];
  readonly numbers: Grid;
}

export type Part = NumberPart | ShapePart | ChoicePart | OrderPart | OneHotPart | PickPart;

/** The rows of a computed matrix, or of one head's matrix in a computed tensor. */
export type Grid = readonly (readonly number[])[];

/** Name of a row or column: this text, or the label of the question with id `part`. */
export type Name = string | { readonly part: string };

/** A table below a hint or a solution. */
export interface Table {
  readonly digits: 0 | 2;
  readonly columns: readonly Name[];
  readonly rows: readonly { readonly name: Name; readonly cells: readonly (string | number)[] }[];
}

export interface Question {
  readonly number: ExerciseNumber;
  readonly parts: readonly Part[];
  /** Values of the placeholders in the exercise's texts, by name. */
  readonly facts: Facts;
  /** A matrix shown above the question with id `above`. */
  readonly shown: { readonly above: string; readonly grid: Grid } | null;
  readonly hint: Table | null;
  readonly solution: Table | null;
}

export const NUMBERS = [1, 2, 3, 4, 5, 6, 7, 8] as const;
export type ExerciseNumber = (typeof NUMBERS)[number];

/** Name of the computed example whose dimensions n, d, hv, k and v all differ. */
const INSTANCE = 'h2_k4_v3';

const tensorOf = ({ tensors }: DocumentResult, step: string): Tensor => {
  const found = tensors[`${INSTANCE}.${step}`];
  if (!(found?.data instanceof Float32Array)) throw new Error(`no tensor ${INSTANCE}.${step}`);
  return found as Tensor;
};

/** Converts a matrix, or one head of a tensor (H,rows,columns), to an array of rows. */
function rowsOf({ data, shape }: Tensor, head = 0): number[][] {
  const [rows, columns] = shape.slice(-2) as [number, number];
  const start = head * rows * columns;
  return Array.from({ length: rows }, (_, row) => [
    ...data.subarray(start + row * columns, start + (row + 1) * columns),
  ]);
}

const rowWith = (rows: readonly Row[], wanted: Row): Row => {
  const found = rows.find((row) => Object.entries(wanted).every(([name, value]) => row[name] === value));
  if (!found) throw new Error(`no computed row with ${JSON.stringify(wanted)}`);
  return found;
};

/** Parses a cell with sizes: '8 x 6' → [8, 6]. */
const sizesOf = (row: Row, column: string): [number, number] =>
  String(row[column]).split(' x ').map(Number) as [number, number];

const number = (
  id: string,
  right: number,
  traps: Readonly<Record<string, number | readonly number[]>>,
  facts: Facts = {},
  tolerance = 0,
): NumberPart => ({
  kind: 'number',
  ...{ id, right, tolerance, facts },
  traps: Object.entries(traps).flatMap(([kind, values]) => [values].flat().map((value) => ({ kind, value }))),
});

const choice = (id: string, right: string, options: readonly string[], facts: Facts = {}): ChoicePart => ({
  kind: 'choice',
  ...{ id, right, options, facts, short: false },
});

/** A question per matrix; `names` are its columns in the computed table, whose first row has the shapes in letters. */
const shapes = ({ computed }: DocumentResult, names: Partial<Record<Matrix, string>>): ShapePart[] =>
  Object.entries(names).map(([matrix, column]) => ({
    kind: 'shape',
    id: matrix,
    matrix: matrix as Matrix,
    right: shapeFromDocument(String(item(computed, 0)[column])),
  }));

/** The columns of the computed tables that have a layer's dimensions. */
const DIMENSIONS = ['n', 'd', 'h', 'k', 'v'] as const;

/** A table of the same matrices' shapes in numbers, with a row per computed layer. */
function shapeTable({ computed }: DocumentResult, names: Partial<Record<Matrix, string>>): Table {
  return {
    digits: 0,
    columns: [...DIMENSIONS, ...Object.keys(names).map((part) => ({ part }))],
    rows: computed.slice(1).map((row, index) => ({
      name: String(index + 1),
      cells: [
        ...DIMENSIONS.map((letter) => Number(row[letter])),
        ...Object.values(names).map((column) => String(row[column]).replace('x', '×')),
      ],
    })),
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

type Builder = (result: DocumentResult) => Pick<Question, 'parts'> & Partial<Question>;

const inputMatrix: Builder = (result) => {
  const { computed, tokens = [] } = result;
  const { n, d } = rowWith(computed, { padding: 'zero rows' });
  const other = rowWith(computed, { padding: '∅' });
  const columns = tokens.map((_, i) => Number(rowWith(computed, { row: i + 1 }).column));
  const words = columns.filter((column) => column > 0).length;
  const [length, width] = [Number(n), Number(d)];
  const traps = { length, words, entries: length * width, document: 1000 };
  return {
    parts: [
      number('d', width, traps),
      {
        kind: 'one-hot',
        ...{ id: 'x', rows: length, columns: vocabulary, tokens },
        right: columns.map((column) => (column > 0 ? column - 1 : null)),
      },
    ],
    facts: { n: length, otherD: Number(other.d) },
    solution: {
      digits: 0,
      columns: [...vocabulary],
      rows: (result.tensors.x ? rowsOf(result.tensors.x) : []).map((cells, i) => ({
        name: `${i + 1} ${tokens[i] ?? ''}`,
        cells,
      })),
    },
  };
};

const queryKeyValue: Builder = (result) => {
  const names = { q: 'Q_i', k: 'K_i', v: 'V_i' };
  const { d, h, k } = rowWith(result.computed, { d: 512, h: 8 });
  const [width, heads] = [Number(d), Number(h)];
  const traps = { whole: width, heads, times: width * heads, minus: width - heads, inverse: heads / width };
  const facts = { d: width, h: heads, factor: heads };
  return {
    parts: [...shapes(result, names), number('size', Number(k), traps, facts)],
    facts,
    solution: shapeTable(result, names),
  };
};

const attention: Builder = (result) => {
  const names = {
    scores: 'Q K^T',
    weights: 'softmax(QK^T/sqrt(k))',
    attention: 'Attention(Q,K,V)',
  };
  const column = names.weights;
  const cells = [256, 512].map((n) => sizesOf(rowWith(result.computed, { n }), column));
  const [small, large] = cells as [[number, number], [number, number]];
  const ratio = (large[0] * large[1]) / (small[0] * small[1]);
  const facts = { small: small.join(' × '), large: large.join(' × '), ratio };
  const options = ['rows', 'same', 'four', 'width'];
  return {
    parts: [...shapes(result, names), choice('growth', ratio === 4 ? 'four' : 'rows', options, facts)],
    facts,
    solution: shapeTable(result, names),
  };
};

/** Option names of exercise 4, by the names in the computed example. */
const terms = {
  '(scaled) attention scores': 'scores',
  'attention weights': 'weights',
  '(scaled) dot-product attention': 'attention',
} as const;

const names: Builder = (result) => {
  const steps = {
    scaled: 'QK^T/sqrt(k)',
    weights: 'softmax(QK^T/sqrt(k))',
    context: 'softmax(QK^T/sqrt(k)) V',
  };
  const options = ['attention', 'scores', 'weights'];
  const lines = Object.entries(steps).map(([step, formula]) => {
    const { name } = rowWith(result.computed, { instance: INSTANCE, formula });
    const first = item(rowsOf(tensorOf(result, step)), 0);
    return { step, right: terms[name as keyof typeof terms], first };
  });
  // A row of scores or weights has a number per token (n), a row of the context one per value dimension (v).
  const [n = 0, , v = 0] = lines.map(({ first }) => first.length);
  return {
    parts: lines.flatMap(({ step, right, first }): Part[] => {
      const facts = { n, v, sum: sum(first).toFixed(2), count: first.length };
      return ['Name', 'Meaning'].map((what) => ({
        ...choice(step + what, right, options, facts),
        short: true,
      }));
    }),
    hint: {
      digits: 2,
      columns: [...Array.from({ length: 8 }, (_, i) => String(i + 1)), 'Σ'],
      rows: lines.map(({ step, first }) => ({
        name: { part: `${step}Name` },
        cells: [...first, ...Array<string>(8 - first.length).fill(''), sum(first)],
      })),
    },
  };
};

/** Indices of tokens that exercise 5 asks about, from 0. */
const IS = 1;
const NEED = 4;

const reading: Builder = (result) => {
  const { tokens = [], computed } = result;
  const [q = [], scores = [], weights = []] = ['q', 'scores', 'weights'].map((step) =>
    rowsOf(tensorOf(result, step)),
  );
  const { rowSum, massOnPadding } = rowWith(computed, { instance: INSTANCE, head: 1 });
  const pick = (id: string, numbers: Grid, row: number, column: number): PickPart => ({
    kind: 'pick',
    ...{ id, numbers, tokens, right: { row, column } },
  });
  const columns = item(weights, 0).map((_, column) => sum(weights.map((row) => item(row, column))));
  const sums = { all: sum(weights.flat()), percent: 100, zero: 0, column: columns };
  return {
    parts: [
      pick('row', q, NEED, -1),
      pick('column', q, -1, 1),
      pick('cell', scores, IS, NEED),
      number('sum', Number(rowSum), sums, {}, 0.02),
      choice('read', 'share', ['column', 'share', 'raw', 'vector']),
    ],
    shown: { above: 'sum', grid: weights },
    facts: { padding: (100 * Number(massOnPadding)).toFixed(0) },
  };
};

const multiHead: Builder = (result) => {
  const names = {
    head: 'head_i',
    concat: 'Concat(head_1..head_h)',
    wo: 'W_O',
    y: 'Y=MultiHead(X)',
  };
  const row = rowWith(result.computed, { h: 2, k: 4, v: 3 });
  const [n = 0, d = 0, h = 0, k = 0, v = 0] = DIMENSIONS.map((letter) => Number(row[letter]));
  const [rows, columns] = sizesOf(row, names.wo);
  const traps = {
    square: d * d,
    oneHead: v * d,
    withK: h * k * d,
    sum: rows + columns,
    concat: n * rows,
    rowsOnly: rows,
  };
  const facts = { n, d, h, k, v, rows, columns };
  return {
    parts: [...shapes(result, names), number('entries', rows * columns, traps, facts)],
    facts,
    solution: shapeTable(result, names),
  };
};

const inputAndOutput: Builder = (result) => {
  const names = { x: 'X', y: 'Y=MultiHead(X)' };
  const row = rowWith(result.computed, { h: 2, k: 4, v: 3 });
  const [rows, columns] = sizesOf(row, names.y);
  const traps = { words: 5, translated: 6, padding: 3, width: columns, entries: rows * columns };
  return {
    parts: [
      ...shapes(result, names),
      number('rows', rows, traps),
      choice('read', 'sequence', ['summary', 'weights', 'sequence', 'next']),
    ],
    facts: { n: rows, d: columns },
    solution: shapeTable(result, names),
  };
};

/** The steps of a layer in the right order, and in the order that exercise 8 shows first. */
const STEPS = ['project', 'scores', 'softmax', 'values', 'concat', 'output'] as const;
const START = ['concat', 'softmax', 'project', 'output', 'values', 'scores'] as const;

/** Row and column, from 0, of the output number that exercise 8 asks for. */
const TOKEN = 0;
const COMPONENT = 3;

const whereHeadsMeet: Builder = (result) => {
  const perHead = tensorOf(result, 'perHead');
  const [first, second] = [0, 1].map((head) => perHead.at(head, TOKEN, COMPONENT)) as [number, number];
  const output = tensorOf(result, 'output').at(TOKEN, COMPONENT);
  const traps = {
    mean: (first + second) / 2,
    product: first * second,
    difference: first - second,
    firstOnly: first,
    secondOnly: second,
  };
  const facts = { first: first.toFixed(3), second: second.toFixed(3), output: output.toFixed(3) };
  const sums = result.computed.every(({ sumIsOutput }) => sumIsOutput === true);
  const difference = Math.max(...result.computed.map((row) => Number(row.difference)));
  return {
    parts: [
      choice('why', 'relations', ['cheaper', 'relations', 'wider', 'average']),
      { kind: 'order', id: 'order', right: STEPS, start: START },
      choice('meet', sums ? 'output' : 'concat', START),
      number('sum', output, traps, facts, 0.006),
    ],
    facts: { ...facts, difference: difference.toExponential(0) },
  };
};

const builders: Readonly<Record<ExerciseNumber, Builder>> = {
  1: inputMatrix,
  2: queryKeyValue,
  3: attention,
  4: names,
  5: reading,
  6: multiHead,
  7: inputAndOutput,
  8: whereHeadsMeet,
};

/**
 * Builds the questions of an exercise with their right answers.
 *
 * @param run computes the documents' example with this id
 */
export function questionOf(exercise: ExerciseNumber, run: (id: string) => DocumentResult): Question {
  const result = run(`002-${exercise}`);
  return {
    number: exercise,
    facts: {},
    shown: null,
    hint: null,
    solution: null,
    ...builders[exercise](result),
  };
}

/** The right answer, in the form in which the reader's answer is stored. */
export function rightAnswer(part: Part): string {
  switch (part.kind) {
    case 'number':
      return String(part.right);
    case 'shape':
    case 'order':
      return part.right.join('.');
    case 'choice':
      return part.right;
    case 'one-hot':
      return part.right.map((column) => column ?? '').join('.');
    case 'pick':
      return placeText(part.right);
  }
}
