import { css, html, type TemplateResult } from 'lit';
import type { Figure, HeadPlace, Layers, RankedKey } from '../../sources/figure.js';
import { barList } from '../sentence-view/ranking.js';
import type { Place, Selection } from '../sentence-view/selection.js';
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

interface Line extends HeadPlace, RankedKey {}

/** How hard a head looks from the chosen word, and at which one: the pair's weight, or the largest on another word. */
export function lookOf(figure: Figure, head: number, { query, key }: Place): RankedKey | null {
  if (query === null || Math.max(query, key ?? 0) >= figure.size) return null;
  return key === null ? figure.heaviest(head, query, true) : { key, weight: figure.at(head, query, key) };
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
  if (query === null) return html`<p class="brightness">${strings.chooseWord}</p>`;
  const any = layers.figure(selection.layer);
  const word = any.quoted(query);
  const title = key === null ? strings.hardest(word) : strings.joining(word, any.quoted(key));
  const lines = hardestHeads(layers, { query, key }).map((line) => {
    const figure = layers.figure(line.layer);
    const label = html`<button type="button" @click=${() => choose(line.layer, line.head)}>
      ${figure.nameOf(line.head, strings)}${key === null ? ` → ${figure.quoted(line.key)}` : ''}
    </button>`;
    return { label, value: line.weight };
  });
  return barList(title, lines, { part: 'hardest' });
}
