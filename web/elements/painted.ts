import { css, html, type TemplateResult } from 'lit';
import type { Palette } from './palette.js';

/** Colours of one side of the ramp: a pixel's byte has no more. */
const STEPS = 255;

const tables = new Map<string, Uint32Array>();

/** The ramp's colours for 0, 1/255 … 1 (of `sign`), as the pixels of an image. */
function rampTable(palette: Palette, sign: 1 | -1): Uint32Array {
  const name = [0, 0.4, 1].map((weight) => palette.ramp(sign * weight)).join(' ');
  const table = tables.get(name) ?? new Uint32Array(STEPS + 1);
  if (!tables.has(name)) {
    const bytes = new Uint8ClampedArray(table.buffer);
    for (let step = 0; step <= STEPS; step++) {
      const colour = parseInt(palette.ramp((sign * step) / STEPS).slice(1), 16);
      bytes.set([colour >> 16, (colour >> 8) & 255, colour & 255, 255], 4 * step);
    }
    tables.set(name, table);
  }
  return table;
}

/** The ramp for many cells: a share −1 … 1 of it as a colour, rounded as the pixels of `paintSquare` are. */
export function shadesOf(palette: Palette): (share: number) => string {
  const colours = new Map<number, string>();
  return (share) => {
    const step = Math.round(Math.max(-1, Math.min(1, share)) * STEPS);
    const colour = colours.get(step) ?? palette.ramp(step / STEPS);
    colours.set(step, colour);
    return colour;
  };
}

/** Paints a square with one pixel per value: `value` gives a share of the ramp, −1 … 1. */
export function paintSquare(
  canvas: HTMLCanvasElement,
  palette: Palette,
  size: number,
  value: (row: number, column: number) => number,
  signed = false,
): void {
  canvas.width = size;
  canvas.height = size;
  const context = canvas.getContext('2d');
  if (!context) return;
  const image = context.createImageData(size, size);
  const pixels = new Uint32Array(image.data.buffer);
  const plus = rampTable(palette, 1);
  const minus = signed ? rampTable(palette, -1) : plus;
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const share = value(row, column);
      const step = Math.round(Math.min(1, Math.abs(share)) * STEPS);
      pixels[row * size + column] = (share < 0 ? minus : plus)[step] ?? 0;
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
    /* Takes no time, but one that waits tells when it is over: a page's colours change without an event. */
    transition: background-color 0s 1ms !important;
  }
`;

/** Calls back when the colours of the ramp change: with the system's theme, or by the page's own style. */
export const colourProbe = (changed: () => void): TemplateResult =>
  html`<span class="colours" aria-hidden="true" @transitionend=${changed}></span>`;
