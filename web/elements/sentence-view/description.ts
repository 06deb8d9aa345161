import type { Figure } from './figure.js';
import type { Place } from './selection.js';
import { formatWeight } from '../base/strings.js';
import type { Strings } from './strings.js';

/** The figure in one sentence: the pair's weight, the query's heaviest key, or the head's strongest pair. */
export function describe(figure: Figure, head: number, place: Place, strings: Strings): string {
  const name = figure.nameOf(head, strings);
  const { query, key } = place;
  if (query === null) {
    const [pair] = figure.strongestPairs(head);
    if (!pair) return '';
    return strings.describeHead(
      name,
      figure.quoted(pair.query),
      figure.quoted(pair.key),
      formatWeight(pair.weight),
    );
  }
  const ranking = figure.ranking(head, query);
  const word = figure.quoted(query);
  if (key !== null) {
    const rank = ranking.findIndex((entry) => entry.key === key) + 1;
    const weight = formatWeight(figure.at(head, query, key));
    return strings.describePair(name, word, figure.quoted(key), weight, rank, figure.size);
  }
  const best = ranking.find((entry) => entry.key !== query) ?? { key: query, weight: 1 };
  const self = formatWeight(figure.at(head, query, query));
  return strings.describeWord(name, word, figure.quoted(best.key), formatWeight(best.weight), self);
}
