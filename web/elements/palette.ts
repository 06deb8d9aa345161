import type { ReactiveElement } from 'lit';
import { isHigh } from './theme.js';

/** The element's colours as sRGB hex, for where CSS does not reach: canvas and exported pictures. */
export interface Palette {
  readonly paper: string;
  readonly ink: string;
  readonly muted: string;
  readonly line: string;
  readonly query: string;
  readonly key: string;
  readonly value: string;
  readonly arc: string;
  /** One colour per axis: batch, heads, queries, keys, components. */
  readonly axes: Readonly<Record<'b' | 'h' | 'l' | 's' | 'd', string>>;
  /** The colour of a weight 0 … 1; of a difference −1 … 1. */
  ramp(weight: number): string;
  /** Of the text on it. */
  onRamp(weight: number): string;
}

let pixel: CanvasRenderingContext2D | null | undefined;

/** Any colour that CSS computes, drawn over `paper`. */
function toHex(colour: string, paper: string): string {
  pixel ??= document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  if (!pixel) return '#808080';
  for (const layer of [paper, colour]) {
    pixel.fillStyle = layer;
    pixel.fillRect(0, 0, 1, 1);
  }
  const [red = 0, green = 0, blue = 0] = pixel.getImageData(0, 0, 1, 1).data;
  return `#${[red, green, blue].map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

/** What the element's colours are now: its theme, the host page's custom properties, light or dark. */
export function paletteOf(element: ReactiveElement): Palette {
  const computed = (colour: string, className = '', weight?: number): string => {
    const probe = document.createElement('span');
    probe.className = className;
    if (weight !== undefined) probe.style.setProperty('--w', String(Math.abs(weight)));
    probe.style.backgroundColor = colour;
    element.renderRoot.append(probe);
    const { backgroundColor } = getComputedStyle(probe);
    probe.remove();
    return backgroundColor;
  };
  const paper = toHex(computed('var(--mha-paper, Canvas)'), '#ffffff');
  const named = (name: string) => toHex(computed(`var(--_${name})`), paper);
  return {
    paper,
    ink: toHex(getComputedStyle(element).color, paper),
    muted: named('muted'),
    line: named('line'),
    query: named('query'),
    key: named('key'),
    value: named('value'),
    arc: named('arc'),
    axes: {
      b: named('axis-b'),
      h: named('axis-h'),
      l: named('axis-l'),
      s: named('axis-s'),
      d: named('axis-d'),
    },
    ramp: (weight) => toHex(computed('var(--_color)', weight < 0 ? 'ramp minus' : 'ramp', weight), paper),
    onRamp: (weight) =>
      toHex(
        computed(isHigh(Math.abs(weight)) ? 'light-dark(white, black)' : 'light-dark(black, white)'),
        paper,
      ),
  };
}
