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
    overflow: visible;
    forced-color-adjust: none;
    print-color-adjust: exact;
  }
  [part='miniature'] path {
    fill: var(--_color);
  }
  /* Half of the stroke is outside; the weights are drawn over the other half. Rounded to pixels, they would leave gaps in it. */
  [part='miniature'] .framed {
    shape-rendering: geometricPrecision;
  }
  [part='miniature'] rect {
    fill: var(--_ramp-0);
  }
  [part='miniature'] .frame {
    stroke: var(--_query);
    stroke-width: 2.5px;
    vector-effect: non-scaling-stroke;
  }
  [part='miniature'] .frame.cell {
    stroke: var(--_key);
    stroke-width: 4px;
  }
  .strength {
    display: block;
    width: 100%;
    max-width: var(--mha-miniature-size, 6.25rem);
    height: 4px;
    margin-top: 2px;
    background: linear-gradient(to right, var(--_arc) calc(100% * var(--look)), var(--_line) 0);
    forced-color-adjust: none;
    print-color-adjust: exact;
  }
`;

/** A bar below a miniature, as long as the weight; without one it only takes the place. */
export const lookBar = (weight: number | null): TemplateResult =>
  html`<i
    class="strength"
    aria-hidden="true"
    ${styled({ '--look': Math.min(1, weight ?? 0), visibility: weight === null ? 'hidden' : null })}
  ></i>`;

/** With more weights in all heads together, layout of the paths would block the page: use canvases. */
const MAX_PATH_WEIGHTS = 2 ** 17;

/** Whether the miniatures are canvases instead of SVG paths. */
export const isPainted = (figure: Figure): boolean =>
  isLong(figure) || figure.heads * figure.size ** 2 > MAX_PATH_WEIGHTS;

/** A head's weights as SVG, with the row of a word and the cell of a pair framed. */
export function miniature(
  figure: Figure | undefined,
  head: number,
  { query, key }: Place,
  { className = '', opacity = 1 },
): TemplateResult {
  const size = figure?.size ?? 1;
  const at = (row: number, column: number) => figure?.at(head, row, column) ?? 0;
  const weights = () =>
    Array.from({ length: size ** 2 }, (_, cell) => at(Math.floor(cell / size), cell % size));
  const row = (index: number) => Array.from({ length: size }, (_, column) => at(index, column));
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
      ${figure && query !== null ? framed({ x: 0, y: query, width: size }, row(query)) : nothing}
      ${
        query === null || key === null
          ? nothing
          : framed({ x: key, y: query, width: 1, className: 'cell' }, [at(query, key)])
      }
    </svg>
  `;
}

/** Weights of a row or a cell in a frame that covers none of them. */
const framed = (
  { x, y, width, className = '' }: { x: number; y: number; width: number; className?: string },
  weights: readonly number[],
): TemplateResult =>
  svg`<g class="framed" transform="translate(${x} ${y})">
      <rect class="frame ${className}" width=${width} height="1" />
      <rect width=${width} height="1" />
      ${squares(weights, width, SHADES)}
    </g>`;

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
