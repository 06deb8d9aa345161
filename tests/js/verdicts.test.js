/** No printed row of document 001 agrees with its code; here the comparison also meets rows that do. */
import { compare } from '../node_modules/multihead-attention/dist/documents/rows.js';

const printed = [{ head: 1, query: 'the', key: 'was', weight: 0.51 }];
const computed = (change) => [{ head: 1, query: 'the', key: 'was', weight: 0.5145, ...change }];

test.each([
  ['the same words and a weight that rounds to the printed one', {}, true],
  ['a weight that rounds up to it', { weight: 0.5051 }, true],
  ['a weight that rounds to another', { weight: 0.5151 }, false],
  ['another key', { key: 'cat' }, false],
  ['another query', { query: 'a' }, false],
  ['another head', { head: 2 }, false],
])('%s', (_, change, verdict) => {
  expect(compare(computed(change), printed, 2)).toEqual([verdict]);
});

test('a printed row that the code does not give at all is wrong', () => {
  expect(compare([], printed, 2)).toEqual([false]);
});
