/** Reads the reader's answers: tells whether one is right and, if not, which mistake it shows. */
import type { Cell } from '../base/arrow-keys.js';
import {
  type Facts,
  type Letter,
  type Matrix,
  type NumberPart,
  type OneHotPart,
  type OrderPart,
  parseShape,
  type Part,
  type PickPart,
  type Shape,
  type ShapePart,
} from './questions.js';

/** The reader's answers by question id; unanswered questions are left out. */
export type Answers = Readonly<Record<string, string>>;

const SEPARATOR = '_';
const ASSIGN = '-';

/** `d-7_q-n.k` → { d: '7', q: 'n.k' }. Invalid entries are left out. */
export function parseAnswers(text: string | null): Answers {
  const pairs = (text ?? '').split(SEPARATOR).flatMap((part): [string, string][] => {
    const at = part.indexOf(ASSIGN);
    return at > 0 ? [[part.slice(0, at), decoded(part.slice(at + 1))]] : [];
  });
  return Object.fromEntries(pairs);
}

/** The inverse of `parseAnswers`; null without answers. Separators are characters that a URL need not escape. */
export function answersText(answers: Answers): string | null {
  const parts = Object.entries(answers)
    .filter(([, value]) => value !== '')
    .map(([id, value]) => id + ASSIGN + encodeURIComponent(value).replaceAll(SEPARATOR, '%5F'));
  return parts.length > 0 ? parts.join(SEPARATOR) : null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The inverse of `placeText`; null for invalid text. */
export function parsePlace(text: string): Cell | null {
  const [, row, column, cellRow, cellColumn] = /^(?:r(\d+)|c(\d+)|(\d+)\.(\d+))$/.exec(text) ?? [];
  if (row !== undefined) return { row: Number(row), column: -1 };
  if (column !== undefined) return { row: -1, column: Number(column) };
  return cellRow === undefined ? null : { row: Number(cellRow), column: Number(cellColumn) };
}

/** Columns of the ones in each row: `1.3..24` has ones in column 1 of row 0, 3 of row 1, 2 and 4 of row 3. */
export const parseOnes = (text: string, rows: number): readonly (readonly number[])[] => {
  const parts = text.split('.');
  return Array.from({ length: rows }, (_, row) =>
    Array.from(parts[row] ?? '', Number).filter((column) => Number.isInteger(column)),
  );
};

/** The inverse of `parseOnes`, for at most 10 columns; '' without ones. */
export const onesText = (ones: readonly (readonly number[])[]): string =>
  ones.every((row) => row.length === 0) ? '' : ones.map((row) => [...row].sort().join('')).join('.');

/** `kind` is `right`, `missing` or the name of a mistake, for which the texts have a sentence. */
export interface Verdict {
  readonly kind: string;
  readonly facts: Facts;
}

const verdict = (kind: string, facts: Facts = {}): Verdict => ({ kind, facts });

export function judge(part: Part, answer: string): Verdict {
  if (answer.trim() === '') return verdict('missing');
  switch (part.kind) {
    case 'number':
      return judgeNumber(part, answer);
    case 'shape':
      return judgeShape(part, answer);
    case 'choice':
      if (!part.options.includes(answer)) return verdict('missing');
      return verdict(answer === part.right ? 'right' : answer, part.facts);
    case 'order':
      return judgeOrder(part, answer);
    case 'one-hot':
      return judgeOneHot(part, answer);
    case 'pick':
      return judgePick(part, answer);
  }
}

/** Parses a number as people type it: with a decimal comma, a typographic minus or grouped digits. */
export function parseNumber(text: string): number {
  const plain = text.normalize('NFKC').replaceAll(/\s/g, '').replace('−', '-');
  const isGrouped = /^-?[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/.test(plain);
  const points = isGrouped ? plain.replaceAll(',', '') : plain.replace(',', '.');
  return points === '' ? NaN : Number(points);
}

function judgeNumber({ right, tolerance, traps, facts }: NumberPart, answer: string): Verdict {
  const given = parseNumber(answer);
  if (!Number.isFinite(given)) return verdict('notNumber', { answer });
  const is = (value: number) => Math.abs(given - value) <= tolerance + 1e-9;
  if (is(right)) return verdict('right', facts);
  const trap = traps.find(({ value }) => is(value));
  const more = {
    ...facts,
    answer: given,
    gap: Math.round(Math.abs(given - right) * 1000) / 1000,
    product: given * Number(facts.factor ?? 1),
  };
  return verdict(trap?.kind ?? (given < right ? 'below' : 'above'), more);
}

/** The dimension over which the matrix product with this result is summed. */
const inner: Partial<Record<Matrix, Letter>> = {
  q: 'd',
  k: 'd',
  v: 'd',
  scores: 'k',
  y: 'hv',
};

/** Mistakes by answered shape: the answer is the shape of another matrix of the document. */
const others = {
  'n.d': 'input',
  'd.k': 'queryWeights',
  'd.v': 'valueWeights',
  'n.k': 'queries',
  'k.n': 'keysTransposed',
  'n.v': 'values',
  'n.n': 'scores',
  'n.hv': 'allHeads',
  'hv.d': 'outputWeights',
} as const;

/** Name of the mistake that explains a wrong shape. */
type ShapeKind =
  (typeof others)[keyof typeof others] | 'transposed' | 'headCount' | 'inner' | 'rows' | 'columns' | 'both';

/** The most specific mistake that explains `answer`; null if it is right. */
function shapeMistake(matrix: Matrix, right: Shape, answer: Shape): ShapeKind | null {
  const [rows, columns] = answer;
  if (rows === right[0] && columns === right[1]) return null;
  if (rows === right[1] && columns === right[0]) return 'transposed';
  const name = `${rows}.${columns}`;
  if (Object.hasOwn(others, name)) return others[name as keyof typeof others];
  if (rows === 'h' || columns === 'h') return 'headCount';
  const lost = inner[matrix];
  if (lost !== undefined && (rows === lost || columns === lost)) return 'inner';
  if (columns === right[1]) return 'rows';
  return rows === right[0] ? 'columns' : 'both';
}

function judgeShape({ matrix, right }: ShapePart, answer: string): Verdict {
  const [rows, columns] = parseShape(answer);
  if (!rows || !columns) return verdict('missing', { side: rows ? 'columns' : columns ? 'rows' : 'both' });
  const facts = { answer: `${rows} × ${columns}`, rows, columns, inner: inner[matrix] ?? '' };
  return verdict(shapeMistake(matrix, right, [rows, columns]) ?? 'right', facts);
}

/** The steps in the reader's order; steps missing from the answer follow in their initial order. */
export function orderOf({ start }: OrderPart, answer: string): string[] {
  const given = answer
    .split('.')
    .filter((step, index, all) => start.includes(step) && all.indexOf(step) === index);
  return [...given, ...start.filter((step) => !given.includes(step))];
}

/** Judges an order of steps; a wrong one is explained by the first step that comes before its predecessor. */
function judgeOrder(part: OrderPart, answer: string): Verdict {
  const order = orderOf(part, answer);
  const early = order.find((step, index) => {
    const needed = part.right[part.right.indexOf(step) - 1];
    return needed !== undefined && !order.slice(0, index).includes(needed);
  });
  return verdict(early ?? 'right', early === undefined ? {} : { place: order.indexOf(early) + 1 });
}

function judgeOneHot({ rows, columns, right, tokens }: OneHotPart, answer: string): Verdict {
  const ones = parseOnes(answer, rows);
  if (ones.every((row) => row.length === 0)) return verdict('missing');
  const words = right.filter((column) => column !== null).length;
  if (ones.every((row, i) => (i < words ? row.length === 1 && row[0] === i : row.length === 0))) {
    return verdict('sentenceOrder');
  }
  for (const [i, row] of ones.entries()) {
    const facts = { row: i + 1, token: tokens[i] ?? '', columns: row.map((column) => column + 1).join(', ') };
    const wanted = right[i] ?? null;
    if (row.length > 1) return verdict('twoOnes', facts);
    const chosen = row[0];
    if (chosen === undefined) {
      if (wanted !== null) return verdict('noOne', facts);
    } else if (wanted === null) {
      return verdict('padding', { ...facts, chosen: columns[chosen] ?? '' });
    } else if (chosen !== wanted) {
      return verdict('wrongWord', { ...facts, chosen: columns[chosen] ?? '' });
    }
  }
  return verdict('right');
}

/** Which kind of place was chosen. */
const kindOf = ({ row, column }: Cell) => (column < 0 ? 'row' : row < 0 ? 'column' : 'cell');

function judgePick({ right, tokens }: PickPart, answer: string): Verdict {
  const place = parsePlace(answer);
  if (!place) return verdict('missing');
  const { row, column } = place;
  const facts = {
    row: Math.max(row, 0) + 1,
    column: Math.max(column, 0) + 1,
    rowToken: tokens[row] ?? '',
    columnToken: tokens[column] ?? '',
  };
  if (row === right.row && column === right.column) return verdict('right', facts);
  const kind = kindOf(place);
  if (kind !== kindOf(right)) return verdict(kind, facts);
  return verdict(kind === 'cell' && row === right.column && column === right.row ? 'turned' : 'other', facts);
}
