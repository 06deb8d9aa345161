import { css, html, type TemplateResult } from 'lit';
import type { Palette } from '../base/palette.js';

/** Steps of one side of the colour ramp: as many as a byte of a pixel. */
const STEPS = 255;

/** The colours of 0, 1/255 … 1 (or −1) as RGBA pixels. */
type Side = Uint32Array;

const sides = new WeakMap<Palette, Map<1 | -1, Side>>();

function sideOf(palette: Palette, sign: 1 | -1): Side {
  const known = sides.get(palette) ?? new Map<1 | -1, Side>();
  const side = known.get(sign) ?? computeSide(palette, sign);
  sides.set(palette, known.set(sign, side));
  return side;
}

function computeSide(palette: Palette, sign: 1 | -1): Side {
  const colours = palette.ramps(Array.from({ length: STEPS + 1 }, (_, step) => (sign * step) / STEPS));
  const pixels = new Uint32Array(STEPS + 1);
  const bytes = new Uint8ClampedArray(pixels.buffer);
  for (const [step, { hex, opacity }] of colours.entries()) {
    const colour = parseInt(hex.slice(1), 16);
    bytes.set([colour >> 16, (colour >> 8) & 255, colour & 255, Math.round(255 * opacity)], 4 * step);
  }
  return pixels;
}

/** Paints rows with one pixel per value: `readRow` writes a row; the value `scale` has the ramp's last colour. */
export function paintRows(
  canvas: HTMLCanvasElement,
  palette: Palette,
  { rows, columns }: { rows: number; columns: number },
  readRow: (row: number, values: Float64Array) => void,
  scale: number,
  signed = false,
): void {
  canvas.width = columns;
  canvas.height = rows;
  const context = canvas.getContext('2d');
  if (!context) return;
  const image = context.createImageData(columns, rows);
  const pixels = new Uint32Array(image.data.buffer);
  const plus = sideOf(palette, 1);
  const minus = signed ? sideOf(palette, -1) : plus;
  const values = new Float64Array(columns);
  for (let row = 0; row < rows; row++) {
    readRow(row, values);
    for (let column = 0; column < columns; column++) {
      const share = (values[column] ?? 0) / scale;
      const step = Math.round(Math.min(1, Math.abs(share)) * STEPS);
      pixels[row * columns + column] = (share < 0 ? minus : plus)[step] ?? 0;
    }
  }
  context.putImageData(image, 0, 0);
}

export const colourProbeStyles = css`
  .colours {
    position: absolute;
    visibility: hidden;
    forced-color-adjust: none;
    background: color-mix(
      in srgb,
      color-mix(in srgb, var(--_ramp-0), var(--_ramp-40) 40%),
      color-mix(in srgb, var(--_ramp-100), color-mix(in srgb, var(--_minus-40), var(--_minus-100)) 30%)
    );
    /* No event tells that a page's colours have changed; the end of this invisible transition does. */
    transition: background-color 0s 1ms !important;
  }
`;

/** Calls back when the ramp's colours change, by the system's theme or the page's style. */
export const colourProbe = (changed: () => void): TemplateResult =>
  html`<span class="colours" aria-hidden="true" @transitionend=${changed}></span>`;
