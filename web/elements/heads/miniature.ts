import type { Figure } from '../../sources/figure.js';
import { paintSquare } from '../sentence-view/painted.js';
import type { Palette } from '../base/palette.js';
import { isLong, scaleOf } from '../sentence-view/legend.js';

/** Number of shades. One path per shade needs far fewer elements than one rectangle per weight. */
export const SHADES = 24;

/** With more weights in all heads together, layout of the paths would block the page: use canvases. */
const MAX_PATH_WEIGHTS = 2 ** 17;

/** Whether the miniatures are canvases instead of SVG paths. */
export const isPainted = (figure: Figure): boolean =>
  isLong(figure) || figure.heads * figure.size ** 2 > MAX_PATH_WEIGHTS;

/** Path data of the cells of each shade; shade 0 is the background and left out. */
export function shadesOfHead(figure: Figure, head: number): Map<number, string> {
  const shades = new Map<number, string>();
  for (let query = 0; query < figure.size; query++) {
    for (let key = 0; key < figure.size; key++) {
      const shade = Math.round(figure.at(head, query, key) * SHADES);
      if (shade > 0) shades.set(shade, `${shades.get(shade) ?? ''}M${key} ${query}h1v1h-1z`);
    }
  }
  return shades;
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
