/** Verdicts of the documents' tables, on rows that agree and rows that do not. */
import { compare } from '../node_modules/multihead-attention/dist/documents/rows.js';

const printed = [{ head: 1, query: 'the', key: 'was', weight: 0.51 }];
const computed = (change) => [{ head: 1, query: 'the', key: 'was', weight: 0.5145, ...change }];

test.each([
  ['the same words and a weight that rounds to the printed one', {}, true],
  ['a weight that rounds up to it', { weight: 0.5051 }, true],
  ['a weight that rounds to another', { weight: 0.5151 }, false],
  ['a word in place of the weight', { weight: '0.51' }, false],
  ['another key', { key: 'cat' }, false],
  ['another query', { query: 'a' }, false],
  ['another head', { head: 2 }, false],
  ['a column that is not printed', { rank: 3 }, true],
])('%s', (_, change, verdict) => {
  expect(compare(computed(change), printed, 2)).toEqual([verdict]);
});

test.each([
  ['0.12', 0.125],
  ['0.38', 0.375],
  ['0.62', 0.625],
  ['0.88', 0.875],
])('Python prints %s for the tie %d: the even digit', (text, weight) => {
  const prints = (printed) => compare([{ weight }], [{ weight: printed }], 2)[0];
  const neighbour = Number(text) + (Number(text) < weight ? 0.01 : -0.01);
  expect([prints(Number(text)), prints(neighbour)]).toEqual([true, false]);
});

test('a tie only in decimals is no tie: the float64 0.015 lies below 0.015', () => {
  expect(compare([{ weight: 0.015 }], [{ weight: 0.01 }], 2)).toEqual([true]);
});

test('a printed row that the code does not give at all is wrong', () => {
  expect(compare([], printed, 2)).toEqual([false]);
});

test.each([
  ['a large count', 29_503_488, 29_503_488, true],
  ['a count that is one off', 29_503_489, 29_503_488, false],
  ['millions, rounded', 21.67, 22, true],
  ['millions that round to another', 303.3, 307, false],
  ['an infinity', -Infinity, -Infinity, true],
  ['a zero for an infinity', 0, -Infinity, false],
  ['a truth', true, true, true],
  ['a falsehood for a truth', false, true, false],
  ['a truth for a number', true, 1, false],
])('a cell: %s', (_, came, said, verdict) => {
  expect(compare([{ cell: came }], [{ cell: said }], 0)).toEqual([verdict]);
});
