/** CSS colours converted to sRGB, for canvases and exported pictures. */
import type { ReactiveElement } from 'lit';

export interface Srgb {
  /** `#rrggbb` */
  readonly hex: string;
  /** 0 … 1 */
  readonly opacity: number;
}

/** The colours of weights, from the element's current style. */
export interface Palette {
  /** Colours of weights in 0 … 1 or differences in −1 … 1. */
  ramps(weights: readonly number[]): Srgb[];
}

let pixels: CanvasRenderingContext2D | null | undefined;
/** Width of the canvas that converts colours. */
const ROW = 1024;

/** Converts computed colours by drawing one pixel each; a single getImageData() is faster than one per colour. */
export function toSrgb(colours: readonly string[]): Srgb[] {
  pixels ??= document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  if (!pixels) return colours.map(() => ({ hex: '#808080', opacity: 1 }));
  const [width, height] = [Math.min(ROW, colours.length) || 1, Math.ceil(colours.length / ROW) || 1];
  // Setting the size also clears the canvas.
  Object.assign(pixels.canvas, { width, height });
  for (const [place, colour] of colours.entries()) {
    pixels.fillStyle = colour;
    pixels.fillRect(place % ROW, Math.floor(place / ROW), 1, 1);
  }
  const { data } = pixels.getImageData(0, 0, width, height);
  return colours.map((_, place) => {
    const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(4 * place, 4 * place + 4);
    const code = (red << 16) | (green << 8) | blue;
    return { hex: `#${code.toString(16).padStart(6, '0')}`, opacity: alpha / 255 };
  });
}

/** Computed values of CSS colours in a shadow tree; `prepare` sets class and custom properties of a probe. */
export function computedColours(
  root: ParentNode & Node,
  colours: readonly string[],
  prepare?: (probe: HTMLElement, index: number) => void,
): string[] {
  const probes = colours.map((colour, index) => {
    const probe = document.createElement('span');
    prepare?.(probe, index);
    probe.style.backgroundColor = colour;
    return probe;
  });
  root.append(...probes);
  const found = probes.map((probe) => getComputedStyle(probe).backgroundColor);
  for (const probe of probes) probe.remove();
  return found;
}

export function paletteOf(element: ReactiveElement): Palette {
  return {
    ramps(weights) {
      const colours = weights.map(() => 'var(--_color)');
      const computed = computedColours(element.renderRoot, colours, (probe, index) => {
        const weight = weights[index] ?? 0;
        probe.className = weight < 0 ? 'ramp minus' : 'ramp';
        probe.style.setProperty('--w', String(Math.abs(weight)));
      });
      return toSrgb(computed);
    },
  };
}
