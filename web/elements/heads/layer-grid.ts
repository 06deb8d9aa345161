import { css, html, type TemplateResult } from 'lit';
import { type HeadCell, headGrid } from '../model/head-grid.js';
import { formatWeight } from '../base/strings.js';
import type { Figure, HeadPlace, Layers } from '../../sources/figure.js';
import type { Selection } from '../sentence-view/selection.js';
import type { HeadsStrings } from './strings.js';
import { lookOf } from './hardest-heads.js';
import { lookBar } from './miniature.js';

export const layerGridStyles = css`
  .head-grid .painting {
    max-width: none;
  }
  /* Of many heads, only the chosen one's row stands out. */
  .head-grid [aria-selected='false']:not(:hover, :focus-visible) .frame:not(.cell) {
    stroke-width: 1px;
    stroke-opacity: 0.6;
  }
`;

/** A head with its score where heads are sorted by one. */
export interface ScoredHead extends HeadPlace {
  readonly score: number | null;
}

export interface LayerGrid {
  readonly layers: Layers;
  /** All heads in the order in which they are shown. */
  readonly places: readonly ScoredHead[];
  readonly isSorted: boolean;
  readonly selection: Selection;
  readonly strings: HeadsStrings;
  readonly columns: number;
  /** Draws a head's miniature. */
  readonly miniature: (figure: Figure, head: number) => TemplateResult;
  readonly choose: (place: HeadPlace) => void;
}

/** Miniatures of all heads of all layers: a row per layer, or rows of heads in the order of a score. */
export function layerGrid(grid: LayerGrid): TemplateResult {
  const { layers, places, isSorted, selection, strings, columns, choose } = grid;
  const perRow = layers.figure(selection.layer).heads;
  const { layer, head, shownLayer, shownHead } = selection;
  return headGrid({
    label: strings.allHeads(layers.count, perRow),
    rows: Array.from({ length: Math.ceil(places.length / perRow) }, (_, row) => {
      const own = places.slice(row * perRow, (row + 1) * perRow);
      const name = isSorted ? null : strings.layer((own[0]?.layer ?? 0) + 1);
      return { name, cells: own.map((place) => cellOf(grid, place)) };
    }),
    ...{ columns, chosen: { layer, head }, shown: { layer: shownLayer, head: shownHead }, choose },
    point: (place) => {
      selection.previewHead(place?.head ?? null, place?.layer);
    },
  });
}

function cellOf({ layers, selection, strings, isSorted, miniature }: LayerGrid, place: ScoredHead): HeadCell {
  const { layer, head, score } = place;
  const figure = layers.figure(layer);
  const look = lookOf(figure, head, selection.shown);
  const label = [
    figure.nameOf(head, strings),
    look
      ? strings.pair(figure.quoted(look.query), figure.quotedKey(look.key), formatWeight(look.weight))
      : '',
    score === null ? '' : formatWeight(score),
  ];
  const caption = isSorted
    ? html`<span>${layer + 1}·${head + 1}</span>
        <data class="number" value=${score ?? NaN}>${score === null ? '…' : formatWeight(score)}</data>`
    : '';
  return {
    ...{ layer, head, label: label.filter(Boolean).join(', ') },
    content: html`${miniature(figure, head)}${lookBar(look?.weight ?? null)}${caption}`,
  };
}
