import { css, html, type TemplateResult } from 'lit';
import { type Figure, heaviest, type HeadPlace, type Layers, type RankedPair } from '../../sources/figure.js';
import { barList } from '../base/bar-list.js';
import { isNowhere, type Place, type Selection } from '../sentence-view/selection.js';
import type { HeadsStrings } from './strings.js';

export const hardestStyles = css`
  [part='hardest'] {
    max-width: 30rem;
    margin: 0.75rem auto 0;
  }
  [part='hardest'] .bars {
    max-width: none;
  }
  [part='hardest'] button {
    font: inherit;
    color: inherit;
    background: none;
    border: 0;
    padding: 0.1rem 0.25rem;
    min-height: 24px;
    text-align: start;
    border-radius: 0.25rem;
    cursor: pointer;
  }
  [part='hardest'] button:hover {
    background: var(--_hover);
  }
`;

/** Heads in the list. */
const LINES = 5;

interface Line extends HeadPlace, RankedPair {}

/**
 * How hard a head looks from the chosen word, and at which one: the pair's weight, or the largest on another word. Of a key
 * that is chosen alone, how hard it is looked at.
 */
export function lookOf(
  figure: Figure,
  head: number,
  { query, key }: Place,
  wordsOnly = true,
): RankedPair | null {
  if ((query ?? 0) >= figure.size || (key ?? 0) >= figure.keys) return null;
  if (query === null) return key === null ? null : (figure.lookers(head, key)[0] ?? null);
  if (key !== null) return { query, key, weight: figure.at(head, query, key) };
  return heaviest(figure, head, query, wordsOnly);
}

/** The heads of all layers in which a word (or a pair) has the largest weights on another word, largest first. */
function hardestHeads(layers: Layers, place: Place): Line[] {
  const lines: Line[] = [];
  for (const figure of layers.all()) {
    const layer = figure.part?.layer ?? 0;
    for (const [head, name] of figure.headNames.entries()) {
      const look = typeof name === 'number' ? lookOf(figure, head, place) : null;
      if (look) lines.push({ layer, head, ...look });
    }
  }
  return lines.sort((a, b) => b.weight - a.weight).slice(0, LINES);
}

/** List of these heads as buttons that choose the head. */
export function hardestList(
  layers: Layers,
  selection: Selection,
  strings: HeadsStrings,
  choose: (layer: number, head: number) => void,
): TemplateResult {
  const { query, key } = selection.shown;
  if (isNowhere(selection.shown)) return html`<p class="brightness">${strings.chooseWord}</p>`;
  const any = layers.figure(selection.layer);
  const [word, keyWord] = [any.quoted(query ?? 0), any.quotedKey(key ?? 0)];
  const title =
    query === null
      ? strings.hardestAt(keyWord)
      : key === null
        ? strings.hardest(word)
        : strings.joining(word, keyWord);
  const other = ({ query: from, key: to }: RankedPair): string =>
    query === null ? ` ← ${any.quoted(from)}` : key === null ? ` → ${any.quotedKey(to)}` : '';
  const lines = hardestHeads(layers, { query, key }).map((line) => {
    const figure = layers.figure(line.layer);
    const label = html`<button type="button" @click=${() => choose(line.layer, line.head)}>
      ${figure.nameOf(line.head, strings)}${other(line)}
    </button>`;
    return { label, value: line.weight };
  });
  return barList(title, lines, { part: 'hardest' });
}
