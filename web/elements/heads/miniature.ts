import type { Figure } from '../sentence-view/figure.js';
import { paintSquare } from '../sentence-view/painted.js';
import type { Palette } from '../base/palette.js';
import { isLong, scaleOf } from '../sentence-view/scale.js';

/** Shades of a miniature: one path per shade stays crisp and light where a rectangle per weight would not. */
export const SHADES = 24;

/** So many weights of all heads together are drawn as outlines; more would stop the page while it lays them out. */
const MOST_OUTLINED = 2 ** 17;

/** Whether the heads of a figure are painted. */
export const isPainted = (figure: Figure): boolean =>
  isLong(figure) || figure.heads * figure.size ** 2 > MOST_OUTLINED;

/** By shade, the outline of all cells that have it; those that would have the ground's colour are left out. */
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

/** Side of a painted miniature, in pixels of its picture. */
const MOST_PIXELS = 256;

/** The miniature of a long text or of one of many heads. Where several weights share a pixel it has the colour of the largest: what stands out stays. */
export function paintMiniature(
  canvas: HTMLCanvasElement,
  figure: Figure,
  head: number,
  palette: Palette,
): void {
  const { size } = figure;
  const side = Math.min(size, MOST_PIXELS);
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
