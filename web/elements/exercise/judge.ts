/** Tells whether an answer is right and, if not, which mistake it shows. */
import type { Facts, NumberPart, OneHotPart, OrderPart, Part, PickPart, ShapePart } from './questions.js';
import { parseOnes, parsePlace, type Place } from './place.js';
import { innerOf, parseShape, shapeMistake } from './shapes.js';

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

function judgeShape({ matrix, right }: ShapePart, answer: string): Verdict {
  const [rows, columns] = parseShape(answer);
  if (!rows || !columns) return verdict('missing', { side: rows ? 'columns' : columns ? 'rows' : 'both' });
  const facts = { answer: `${rows} × ${columns}`, rows, columns, inner: innerOf(matrix) ?? '' };
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

const samePlace = (a: Place, b: Place): boolean => a.row === b.row && a.column === b.column;

function judgePick({ right, tokens }: PickPart, answer: string): Verdict {
  const place = parsePlace(answer);
  if (!place) return verdict('missing');
  const token = (index: number | null) => (index === null ? '' : (tokens[index] ?? ''));
  const facts = {
    row: (place.row ?? 0) + 1,
    column: (place.column ?? 0) + 1,
    rowToken: token(place.row),
    columnToken: token(place.column),
  };
  if (samePlace(place, right)) return verdict('right', facts);
  const kind = place.column === null ? 'row' : place.row === null ? 'column' : 'cell';
  const wanted = right.column === null ? 'row' : right.row === null ? 'column' : 'cell';
  if (kind !== wanted) return verdict(kind, facts);
  const turned = kind === 'cell' && samePlace({ row: place.column, column: place.row }, right);
  return verdict(turned ? 'turned' : 'other', facts);
}
