import { css, html, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import type { Palette } from '../base/palette.js';
import { reachable } from '../base/reachable.js';
import { formatWeight } from '../base/strings.js';
import { styled } from '../base/styled.js';
import { type HeadCell, headGrid, type HeadPlace } from '../model/head-grid.js';
import { paintRows } from '../sentence-view/painted.js';
import { ModelFigure } from './model-figure.js';
import { DIGITS, headName, type PatchStrings, tokenName } from './strings.js';

export const overviewStyles = css`
  .head-grid [role='gridcell'] {
    aspect-ratio: auto;
    background: none;
  }
  .head-grid canvas {
    background: var(--_ramp-0);
  }
  .head-grid .missing {
    display: block;
    aspect-ratio: 1;
    border: 1px dashed var(--_control-line);
  }
`;

export interface HeadOverview {
  readonly figure: ModelFigure;
  readonly query: number;
  /** The weight that gets the colour ramp's last colour; null for each map's own maximum. */
  readonly top: number | null;
  readonly chosen: HeadPlace;
  readonly shown: HeadPlace;
  readonly palette: Palette;
  readonly strings: PatchStrings;
  readonly point: (place: HeadPlace | null) => void;
  readonly choose: (place: HeadPlace) => void;
}

/** Maps of all heads of all layers, a row per layer. */
export function headOverview(overview: HeadOverview): TemplateResult {
  const { figure, query, strings, chosen, shown, point, choose } = overview;
  const { layers, heads, weights } = figure.attentions;
  const upTo = (length: number) => Array.from({ length }, (_, index) => index);
  const isWhole = upTo(layers).every((layer) => weights(layer));
  const label = strings.overview(layers, heads, tokenName(figure, query, strings));
  return html`
    <p class="title">
      <span class="name">${strings.overviewTitle}</span>
      <span class="muted">${isWhole ? strings.overviewHint : strings.oneLayer}</span>
    </p>
    <div class="sideways" ${reachable(label)}>
      ${headGrid({
        label,
        rows: upTo(layers).map((layer) => {
          const own = weights(layer) ? new ModelFigure(figure.attentions, layer) : null;
          const cells = upTo(heads).map((head) => cellOf(overview, own, { layer, head }));
          return { name: strings.layer(layer), cells };
        }),
        ...{ columns: heads, chosen, shown, choose },
        point: (place) => {
          if (place === null || weights(place.layer)) point(place);
        },
      })}
    </div>
  `;
}

function cellOf(
  { query, top, palette, strings }: HeadOverview,
  figure: ModelFigure | null,
  place: HeadPlace,
): HeadCell {
  const { layer, head } = place;
  if (!figure) {
    return { ...place, label: strings.layerHead(layer, head), content: html`<span class="missing"></span>` };
  }
  const most = figure.maximum(head, query);
  const { rows, columns } = figure;
  return {
    ...place,
    label: `${headName(figure, head, strings)}, ${strings.maximum} ${formatWeight(most, DIGITS)}`,
    content: html`<canvas
      part="miniature"
      ${styled({ 'aspect-ratio': `${columns} / ${rows}` })}
      ${ref((canvas) => {
        if (!(canvas instanceof HTMLCanvasElement)) return;
        const map = figure.map(head, query);
        const readRow = (row: number, values: Float64Array) => {
          values.set(map.subarray(row * columns, (row + 1) * columns));
        };
        paintRows(canvas, palette, { rows, columns }, readRow, (top ?? most) || 1);
      })}
    ></canvas>`,
  };
}
