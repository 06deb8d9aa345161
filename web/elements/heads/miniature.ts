import { css, html, nothing, svg, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import type { Figure } from '../../sources/figure.js';
import { squares } from '../base/squares.js';
import { styled } from '../base/styled.js';
import type { Place } from '../sentence-view/selection.js';
import { paintSquare } from '../sentence-view/painted.js';
import type { Palette } from '../base/palette.js';
import { isLong, scaleOf } from '../sentence-view/legend.js';

const SHADES = 24;

export const miniatureStyles = css`
  [part='miniature'] {
    display: block;
    position: relative;
    width: 100%;
    aspect-ratio: 1;
    background: var(--_ramp-0);
    border-radius: 0.2rem;
    overflow: hidden;
    transition: opacity 0.16s;
    forced-color-adjust: none;
    print-color-adjust: exact;
  }
  [part='miniature'] path {
    fill: var(--_color);
  }
  [part='miniature'] rect {
    fill: none;
    stroke: var(--_query);
    stroke-width: 1.5px;
    vector-effect: non-scaling-stroke;
  }
  [part='miniature'] .cell {
    stroke: var(--_key);
    stroke-width: 2px;
  }
`;

/** With more weights in all heads together, layout of the paths would block the page: use canvases. */
const MAX_PATH_WEIGHTS = 2 ** 17;

/** Whether the miniatures are canvases instead of SVG paths. */
export const isPainted = (figure: Figure): boolean =>
  isLong(figure) || figure.heads * figure.size ** 2 > MAX_PATH_WEIGHTS;

/** A head's weights as SVG, with the row of a word and the cell of a pair outlined. */
export function miniature(
  figure: Figure | undefined,
  head: number,
  { query, key }: Place,
  { className = '', opacity = 1 },
): TemplateResult {
  const size = figure?.size ?? 1;
  const weights = () =>
    Array.from(
      { length: size ** 2 },
      (_, cell) => figure?.at(head, Math.floor(cell / size), cell % size) ?? 0,
    );
  return html`
    <svg
      part="miniature"
      class=${className}
      aria-hidden="true"
      viewBox="0 0 ${size} ${size}"
      shape-rendering="crispEdges"
      ${styled({ opacity })}
    >
      ${guard([figure], () => squares(weights(), size, SHADES))}
      ${figure && query !== null ? svg`<rect x="0" y=${query} width=${size} height="1" />` : nothing}
      ${
        query === null || key === null
          ? nothing
          : svg`<rect class="cell" x=${key} y=${query} width="1" height="1" />`
      }
    </svg>
  `;
}

/** Largest side of the canvas, in its pixels. */
const MAX_SIDE = 256;

/** Paints a head on a canvas. Where several weights share a pixel, it has the colour of the largest. */
export function paintMiniature(
  canvas: HTMLCanvasElement,
  figure: Figure,
  head: number,
  palette: Palette,
): void {
  const { size } = figure;
  const side = Math.min(size, MAX_SIDE);
  const scale = scaleOf(figure);
  const largest = new Float32Array(side * side);
  const pixelOf = Uint16Array.from({ length: size }, (_, index) => Math.floor((index * side) / size));
  const weights = new Float64Array(size);
  for (let query = 0; query < size; query++) {
    figure.readRow(head, query, weights);
    const row = (pixelOf[query] ?? 0) * side;
    for (let key = 0; key < size; key++) {
      const pixel = row + (pixelOf[key] ?? 0);
      const weight = weights[key] ?? 0;
      if (weight > (largest[pixel] ?? 0)) largest[pixel] = weight;
    }
  }
  const readRow = (row: number, values: Float64Array) => {
    values.set(largest.subarray(row * side, (row + 1) * side));
  };
  paintSquare(canvas, palette, side, readRow, scale);
}
