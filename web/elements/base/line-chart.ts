/** Shared by all line charts: scales, axes with numbers, and lines through points. */
import { css, svg, type SVGTemplateResult } from 'lit';

export const lineChartStyles = css`
  .chart svg {
    display: block;
    overflow: visible;
    print-color-adjust: exact;
  }
  .chart text {
    fill: var(--_muted);
  }
  .chart .axis {
    stroke: var(--_control-line);
  }
  .chart .tick {
    stroke: var(--_line);
  }
  .chart path {
    fill: none;
    stroke-linejoin: round;
  }
  @media (forced-colors: active) {
    .chart text {
      fill: CanvasText;
    }
    .chart :is(.axis, .tick) {
      stroke: CanvasText;
    }
  }
`;

/** Space between the plot and the edges of the SVG, in CSS pixels. */
export interface Margins {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Size, scales (`x` and `y` map values to pixels), tick labels and titles of a chart's axes. */
export interface Axes {
  readonly width: number;
  readonly height: number;
  readonly margins: Margins;
  readonly fontSize: number;
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
  readonly xTicks: readonly { readonly value: number; readonly text: string; readonly anchor?: 'end' }[];
  readonly yTicks: readonly { readonly value: number; readonly text: string }[];
  readonly xTitle: string;
  readonly yTitle: string;
}

/** Returns a function that maps the first interval linearly to the second. */
export const linearScale =
  ([first, last]: readonly [number, number], [start, end]: readonly [number, number]) =>
  (value: number): number =>
    start + ((value - first) / (last - first || 1)) * (end - start);

/** Draws the titles, tick labels and grid lines of both axes; the grid line at 0 is the x axis. */
export function axesOf({ width, height, margins, fontSize, x, y, ...axes }: Axes): SVGTemplateResult {
  const { left, right, bottom } = margins;
  return svg`
    <text x="0" y=${fontSize}>${axes.yTitle}</text>
    ${axes.yTicks.map(
      ({ value, text }) => svg`
        <line class=${value === 0 ? 'axis' : 'tick'} x1=${left} x2=${width - right} y1=${y(value)} y2=${y(value)} />
        <text x=${left - 6} y=${y(value) + 4} text-anchor="end">${text}</text>`,
    )}
    ${axes.xTicks.map(
      ({ value, text, anchor = 'middle' }) =>
        svg`<text x=${x(value)} y=${height - bottom + fontSize + 4} text-anchor=${anchor}>${text}</text>`,
    )}
    <text x=${width - right} y=${height - fontSize / 2} text-anchor="end">${axes.xTitle}</text>`;
}

const rounded = (value: number): number => Math.round(value * 10) / 10;

/** A point in SVG path syntax, rounded to 0.1. */
export const at = (x: number, y: number): string => `${rounded(x)} ${rounded(y)}`;

/** SVG path of a line through points in pixels, with a gap before each point for which `startsAt` is true. */
export const linePath = (
  points: readonly (readonly [x: number, y: number])[],
  startsAt: (index: number) => boolean = () => false,
): string =>
  points.map(([x, y], index) => `${index === 0 || startsAt(index) ? 'M' : 'L'}${at(x, y)}`).join('');
