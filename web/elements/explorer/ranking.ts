import { nothing, type TemplateResult } from 'lit';
import type { Figure } from '../../sources/figure.js';
import { type Bar, barList } from '../base/bar-list.js';
import { languageOfText } from '../base/language.js';
import { scaleOf } from '../sentence-view/legend.js';
import type { Place } from '../sentence-view/selection.js';
import type { ExplorerStrings } from './strings.js';

/** Number of words in the ranking of a query; one more line has the sum of the other keys' weights. */
const LINES = 5;

/**
 * Shows the query's keys by weight, a key's queries where it is chosen alone, or else the head's strongest pairs, as bars on
 * the legend's scale; nothing where all weights are 0.
 */
export function ranking(
  figure: Figure,
  head: number,
  { query, key }: Place,
  strings: ExplorerStrings['ranking'],
): TemplateResult | typeof nothing {
  const scale = scaleOf(figure);
  const bar = (label: string, value: number): Bar => ({
    ...{ label, lang: languageOfText(label), value, share: value / scale },
  });
  if (query === null && key === null) {
    const pairs = figure.strongestPairs(head);
    const bars = pairs.map(({ query, key, weight }) =>
      bar(`${figure.quoted(query)} → ${figure.quotedKey(key)}`, weight),
    );
    return barList(strings.pairs, bars, { part: 'ranking' });
  }
  const isOfKey = query === null;
  const all = isOfKey ? figure.lookers(head, key ?? 0) : figure.ranking(head, query);
  if (all[0]?.weight === 0) return nothing;
  // If one word remains, it is shown itself instead of a sum.
  const shown = all.length === LINES + 1 ? all : all.slice(0, LINES);
  const rest = all.slice(shown.length);
  const bars = shown.map((pair) =>
    bar(isOfKey ? figure.quoted(pair.query) : figure.quotedKey(pair.key), pair.weight),
  );
  // The weights of several words on one are of different rows: their sum means nothing.
  if (rest.length > 0 && !isOfKey) {
    const value = rest.reduce((sum, { weight }) => sum + weight, 0);
    bars.push({ label: strings.others(rest.length), value, share: value / scale, className: 'rest' });
  }
  const title = isOfKey ? strings.ofKey(figure.quotedKey(key ?? 0)) : strings.ofQuery(figure.quoted(query));
  return barList(title, bars, { part: 'ranking' });
}
