import { css, html, nothing, svg, type TemplateResult } from 'lit';
import { axesOf, linearScale, lineChartStyles, linePath } from '../base/line-chart.js';
import { styled } from '../base/styled.js';

/** One line of a chart. */
export interface Series {
  /** Line style: the highlighted series, one of the others, or the level of chance. */
  readonly kind: 'main' | 'other' | 'chance';
  readonly points: readonly (readonly [step: number, value: number])[];
}

/** A line chart over the steps of training. */
export interface Chart {
  readonly title: string;
  readonly width: number;
  /** Alternative text: the chart in one sentence. */
  readonly alternative: string;
  readonly xTitle: string;
  readonly yTitle: string;
  /** Ends of the axes, which start at 0. */
  readonly xEnd: number;
  readonly yEnd: number;
  readonly yFormat: (value: number) => string;
  readonly series: readonly Series[];
  /** The step with a vertical line; null: none. */
  readonly marked: number | null;
  /** The step at which a model was loaded from a file: the lines have a gap before it. */
  readonly gapAt: number | null;
}

/** Size of the view box; the chart scales to its column. */
export const WIDE = 320;
export const NARROW = 250;
const HEIGHT = 190;
const MARGINS = { left: 36, right: 8, top: 22, bottom: 34 };

export const chartStyles = css`
  ${lineChartStyles}
  .chart {
    margin: 0;
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.2rem;
    align-content: start;
    min-width: 0;
  }
  .chart svg {
    width: 100%;
    max-width: calc(1.4 * var(--width));
    font-size: 11px;
  }
  .chart path {
    stroke-linecap: round;
  }
  .chart .other {
    stroke: var(--_muted);
    stroke-opacity: 0.6;
    stroke-width: 1;
  }
  .chart .main {
    stroke: var(--_arc);
    stroke-width: 2.25;
  }
  .chart .chance {
    stroke: var(--_query);
    stroke-width: 1.5;
    stroke-dasharray: 2 4;
  }
  .chart .marked {
    stroke: var(--_muted);
    stroke-dasharray: 3 3;
  }
  .chart circle {
    stroke: none;
    fill: var(--_arc);
  }
  .chart circle.other {
    fill: var(--_muted);
  }
  @media (forced-colors: active) {
    .chart .main {
      stroke: Highlight;
    }
    .chart :is(.other, .marked) {
      stroke: CanvasText;
    }
    .chart .chance {
      stroke: LinkText;
    }
    .chart circle {
      fill: Highlight;
    }
  }
`;

/** Rounds up to a number that suits the end of an axis. */
export function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const round = [1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((factor) => factor * power >= value) ?? 10;
  return round * power;
}

const ticksOf = (end: number): readonly number[] => [0, end / 2, end];

/** Values beyond the end of an axis are clamped to it. */
function scalesOf({ width, xEnd, yEnd }: Chart) {
  const { left, right, top, bottom } = MARGINS;
  const x = linearScale([0, xEnd], [left, width - right]);
  const y = linearScale([0, yEnd], [HEIGHT - bottom, top]);
  return {
    x: (step: number) => x(Math.min(step, xEnd)),
    y: (value: number) => y(Math.min(value, yEnd)),
  };
}

/** Whether a series starts anew at a point. The level of chance has no gaps. */
const startsAt = ({ gapAt }: Chart, { kind, points }: Series, index: number): boolean =>
  index === 0 || (kind !== 'chance' && points[index]?.[0] === gapAt);

function outline(chart: Chart, series: Series): string {
  const { x, y } = scalesOf(chart);
  return linePath(
    series.points.map(([step, value]) => [x(step), y(value)]),
    (index) => startsAt(chart, series, index),
  );
}

/** Draws the highlighted series last, over all others. */
const inDrawingOrder = (series: readonly Series[]): readonly Series[] => {
  const order = ['other', 'chance', 'main'];
  return series.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
};

interface Dot {
  readonly cx: number;
  readonly cy: number;
  readonly r: number;
  readonly kind: 'main' | 'other';
}

/** Points without a line on either side, and the highlighted series at the marked step. */
function dotsOf(chart: Chart): readonly Dot[] {
  const { x, y } = scalesOf(chart);
  return inDrawingOrder(chart.series).flatMap((series) => {
    const { kind, points } = series;
    if (kind === 'chance') return [];
    return points
      .filter(([step], index) => {
        const isLast = index === points.length - 1 || startsAt(chart, series, index + 1);
        return (startsAt(chart, series, index) && isLast) || (kind === 'main' && step === chart.marked);
      })
      .map(([step, value]) => ({ cx: x(step), cy: y(value), r: kind === 'main' ? 3.5 : 2, kind }));
  });
}

export function lineChart(chart: Chart): TemplateResult {
  const { width, marked, yFormat, xTitle, yTitle } = chart;
  const scales = scalesOf(chart);
  const axes = {
    ...{ width, height: HEIGHT, margins: MARGINS, fontSize: 11, xTitle, yTitle, ...scales },
    xTicks: ticksOf(chart.xEnd).map((value, index) => ({
      ...{ value, text: String(Math.round(value)) },
      ...(index === 2 && { anchor: 'end' as const }),
    })),
    yTicks: ticksOf(chart.yEnd).map((value) => ({ value, text: yFormat(value) })),
  };
  return html`
    <figure part="chart" class="chart" ${styled({ '--width': `${width}px` })}>
      <svg viewBox="0 0 ${width} ${HEIGHT}" role="img" aria-label="${chart.title}. ${chart.alternative}">
        ${axesOf(axes)}
        ${
          marked === null
            ? nothing
            : svg`<line class="marked" x1=${scales.x(marked)} x2=${scales.x(marked)} y1=${MARGINS.top - 6} y2=${HEIGHT - MARGINS.bottom} />`
        }
        ${inDrawingOrder(chart.series).map((one) => svg`<path class=${one.kind} d=${outline(chart, one)} />`)}
        ${dotsOf(chart).map(({ cx, cy, r, kind }) => svg`<circle class=${kind} cx=${cx} cy=${cy} r=${r} />`)}
      </svg>
    </figure>
  `;
}
