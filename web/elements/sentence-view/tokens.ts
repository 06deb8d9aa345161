/** Sub-word tokens as words, and figures without special tokens. */
import { Figure } from './figure.js';

/** A word's tokens as one text. `##` marks tokens that continue a word. */
const wordOf = (tokens: readonly string[]): string =>
  tokens.map((token) => token.replace(/^##/, '')).join('');

/**
 * Joins sub-word tokens into words: weights to a word's tokens are summed, those from them are averaged, so that rows
 * still sum to 1. Special tokens stay as they are.
 *
 * @see Clark et al. 2019, "What Does BERT Look At?", section 4.1
 */
export function joinWords(figure: Figure): Figure {
  const words = figure.part?.words;
  if (!words) return figure;
  const groups: { first: number; count: number; word: number }[] = [];
  const groupOf = new Uint32Array(figure.size);
  for (let token = 0; token < figure.size; token++) {
    const word = words[token] ?? -1;
    const last = groups.at(-1);
    if (last && word >= 0 && last.word === word) last.count++;
    else groups.push({ first: token, count: 1, word });
    groupOf[token] = groups.length - 1;
  }
  const size = groups.length;
  if (size === figure.size) return figure;
  const joined = new Float64Array(figure.heads * size * size);
  const row = new Float64Array(figure.size);
  for (let head = 0; head < figure.heads; head++) {
    for (let query = 0; query < figure.size; query++) {
      const group = groupOf[query] ?? 0;
      const start = (head * size + group) * size;
      const count = groups[group]?.count ?? 1;
      figure.readRow(head, query, row);
      for (let key = 0; key < figure.size; key++) {
        const place = start + (groupOf[key] ?? 0);
        joined[place] = (joined[place] ?? 0) + (row[key] ?? 0) / count;
      }
    }
  }
  const tokens = groups.map(({ first, count }) => wordOf(figure.tokens.slice(first, first + count)));
  const part = { layer: figure.part.layer, words: groups.map(({ word }) => word) };
  return new Figure(tokens, figure.headNames, Float32Array.from(joined), figure.partial, null, part);
}

/** Leaves out the rows and columns of special tokens. */
export function withoutSpecial(figure: Figure): Figure {
  const kept = figure.tokens.flatMap((_, index) => (figure.isSpecial(index) ? [] : [index]));
  const size = kept.length;
  if (size === figure.size || size === 0 || !figure.part) return figure;
  const values = new Float32Array(figure.heads * size * size);
  let place = 0;
  for (let head = 0; head < figure.heads; head++) {
    for (const query of kept) {
      for (const key of kept) values[place++] = figure.at(head, query, key);
    }
  }
  const { layer, words } = figure.part;
  const part = { layer, words: kept.map((index) => words?.[index] ?? -1) };
  const tokens = kept.map((index) => figure.token(index));
  return new Figure(tokens, figure.headNames, values, figure.partial, null, part);
}
