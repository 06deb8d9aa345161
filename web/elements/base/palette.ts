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
  /** The same for many of them: the page sets its styles once, not once per colour. */
  ramps(weights: readonly number[]): string[];
  /** Of the text on it. */
  onRamp(weight: number): string;
}

let pixels: CanvasRenderingContext2D | null | undefined;

/** Any colours that CSS computes, each drawn over `paper`. */
function toHex(colours: readonly string[], paper: string): string[] {
  pixels ??= document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  if (!pixels) return colours.map(() => '#808080');
  pixels.canvas.width = colours.length;
  for (const [place, colour] of colours.entries()) {
    for (const layer of ['#ffffff', paper, colour]) {
      pixels.fillStyle = layer;
      pixels.fillRect(place, 0, 1, 1);
    }
  }
  const { data } = pixels.getImageData(0, 0, colours.length, 1);
  return colours.map((_, place) => {
    const channels = [...data.subarray(4 * place, 4 * place + 3)];
    return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
  });
}

const PAPER = 'var(--mha-paper, Canvas)';
const LOW = 'light-dark(black, white)';
const HIGH = 'light-dark(white, black)';

/** What the element's colours are now: its theme, the host page's custom properties, light or dark. */
export function paletteOf(element: ReactiveElement): Palette {
  const computed = (colours: readonly string[], weights?: readonly number[]): string[] => {
    const probes = colours.map((colour, index) => {
      const probe = document.createElement('span');
      const weight = weights?.[index];
      if (weight !== undefined) {
        probe.className = weight < 0 ? 'ramp minus' : 'ramp';
        probe.style.setProperty('--w', String(Math.abs(weight)));
      }
      probe.style.backgroundColor = colour;
      return probe;
    });
    element.renderRoot.append(...probes);
    const found = probes.map((probe) => getComputedStyle(probe).backgroundColor);
    for (const probe of probes) probe.remove();
    return found;
  };
  const names = ['muted', 'line', 'query', 'key', 'value', 'arc'] as const;
  const axes = ['b', 'h', 'l', 's', 'd'] as const;
  const properties = [...names, ...axes.map((axis) => `axis-${axis}`)].map((name) => `var(--_${name})`);
  const [paper = '', ...others] = computed([PAPER, LOW, HIGH, ...properties]);
  const [opaque = '', ink = '', low = '', high = '', ...named] = toHex(
    [paper, getComputedStyle(element).color, ...others],
    paper,
  );
  const ramps = (weights: readonly number[]) =>
    toHex(
      computed(
        weights.map(() => 'var(--_color)'),
        weights,
      ),
      paper,
    );
  return {
    paper: opaque,
    ink,
    ...(Object.fromEntries(names.map((name, index) => [name, named[index]])) as Record<
      (typeof names)[number],
      string
    >),
    axes: Object.fromEntries(
      axes.map((axis, index) => [axis, named[names.length + index]]),
    ) as Palette['axes'],
    ramp: (weight) => ramps([weight])[0] ?? '',
    ramps,
    onRamp: (weight) => (isHigh(Math.abs(weight)) ? high : low),
  };
}
