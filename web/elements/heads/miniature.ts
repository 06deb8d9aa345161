import { css, html, nothing, svg, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import type { Figure } from '../../sources/figure.js';
import { squares } from '../base/squares.js';
import { styled } from '../base/styled.js';
import type { Place } from '../sentence-view/selection.js';
import { paintRows } from '../sentence-view/painted.js';
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
  isLong(figure) || figure.heads * figure.size * figure.keys > MAX_PATH_WEIGHTS;

/**
 * A head's weights as SVG, with the row of a word, the column of a key or the cell of a pair framed. Of two texts of different
 * lengths the cells are no squares.
 */
export function miniature(
  figure: Figure | undefined,
  head: number,
  { query, key }: Place,
  { className = '', opacity = 1 },
): TemplateResult {
  const { size = 1, keys = 1 } = figure ?? {};
  const weights = ({ x = 0, y = 0, width = keys, height = size }: Partial<Box>) =>
    Array.from(
      { length: width * height },
      (_, cell) => figure?.at(head, y + Math.floor(cell / width), x + (cell % width)) ?? 0,
    );
  const frame = (box: Box) => framed(box, weights(box));
  return html`
    <svg
      part="miniature"
      class=${className}
      aria-hidden="true"
      viewBox="0 0 ${keys} ${size}"
      preserveAspectRatio="none"
      shape-rendering="crispEdges"
      ${styled({ opacity })}
    >
      ${guard([figure], () => squares(weights({}), keys, SHADES))}
      ${figure && query !== null ? frame({ x: 0, y: query, width: keys, height: 1 }) : nothing}
      ${figure && query === null && key !== null ? frame({ x: key, y: 0, width: 1, height: size }) : nothing}
      ${
        query === null || key === null
          ? nothing
          : frame({ x: key, y: query, width: 1, height: 1, className: 'cell' })
      }
    </svg>
  `;
}

/** A part of a matrix. */
interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly className?: string;
}

/** Weights in a frame that covers none of them. */
const framed = ({ x, y, width, height, className = '' }: Box, weights: readonly number[]): TemplateResult =>
  svg`<g class="framed" transform="translate(${x} ${y})">
      <rect class="frame ${className}" width=${width} height=${height} />
      <rect width=${width} height=${height} />
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
  const { size, keys } = figure;
  const [rows, columns] = [Math.min(size, MAX_SIDE), Math.min(keys, MAX_SIDE)];
  const scale = scaleOf(figure);
  const largest = new Float32Array(rows * columns);
  const columnOf = Uint16Array.from({ length: keys }, (_, key) => Math.floor((key * columns) / keys));
  const weights = new Float64Array(keys);
  for (let query = 0; query < size; query++) {
    figure.readRow(head, query, weights);
    const row = Math.floor((query * rows) / size) * columns;
    for (let key = 0; key < keys; key++) {
      const pixel = row + (columnOf[key] ?? 0);
      const weight = weights[key] ?? 0;
      if (weight > (largest[pixel] ?? 0)) largest[pixel] = weight;
    }
  }
  const readRow = (row: number, values: Float64Array) => {
    values.set(largest.subarray(row * columns, (row + 1) * columns));
  };
  paintRows(canvas, palette, { rows, columns }, readRow, scale);
}
