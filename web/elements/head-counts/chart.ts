import { css, html, svg, type TemplateResult } from 'lit';
import { at, axesOf, linearScale, lineChartStyles, linePath } from '../base/line-chart.js';
import type { Curves, Point } from './curves.js';
import type { HeadCountStrings } from './strings.js';

/** The curves; each has its own colour, line and mark. */
export type CurveName = 'chance' | 'printed' | 'computed' | 'measured' | 'here';

export type AxisTitles = Pick<HeadCountStrings, 'xTitle' | 'yTitle'>;

/** One curve as path data. The measured one also has error bars and a ring per seed. */
interface CurvePaths {
  readonly name: CurveName;
  readonly line: string;
  readonly marks: string;
  readonly bars?: string;
  readonly rings?: string;
}

const HEIGHT = 380;
const MARGINS = { left: 36, right: 12, top: 28, bottom: 44 };
/** Gap between the ends of the x axis and the first and last head count. */
const INSET = 22;
/** Horizontal distance of the rings of two seeds. */
const SEED_GAP = 4;
const TICKS = [0, 0.25, 0.5, 0.75, 1];

/** Path data of a mark around a point. */
const MARKS = {
  triangle: (x: number, y: number) => `M${at(x, y - 9)}L${at(x + 8, y + 6)}L${at(x - 8, y + 6)}Z`,
  square: (x: number, y: number) => `M${at(x - 3, y - 3)}h6v6h-6Z`,
  diamond: (x: number, y: number) => `M${at(x, y - 7)}L${at(x + 7, y)}L${at(x, y + 7)}L${at(x - 7, y)}Z`,
  circle: (x: number, y: number, radius = 5) =>
    `M${at(x - radius, y)}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0Z`,
  bar: (x: number, top: number, bottom: number) =>
    `M${at(x - 5, top)}h10M${at(x, top)}L${at(x, bottom)}M${at(x - 5, bottom)}h10`,
};

const NONE = (): string => '';

const MARK_OF: Readonly<Record<CurveName, (x: number, y: number) => string>> = {
  chance: NONE,
  printed: MARKS.triangle,
  computed: MARKS.square,
  measured: MARKS.circle,
  here: MARKS.diamond,
};

/** The x axis is the logarithm of the head count. */
function scalesOf(width: number, heads: readonly number[]) {
  const { left, right, top, bottom } = MARGINS;
  const logScale = linearScale(
    [Math.log2(heads[0] ?? 1), Math.log2(heads.at(-1) ?? 2)],
    [left + INSET, width - right - INSET],
  );
  return {
    x: (count: number) => logScale(Math.log2(count)),
    y: linearScale([0, 1], [HEIGHT - bottom, top]),
  };
}

const headsOf = ({ measured }: Curves): readonly number[] => measured.map(({ heads }) => heads);

/** In drawing order: later curves cover earlier ones. */
function curvePathsOf(curves: Curves, width: number): readonly CurvePaths[] {
  const { x, y } = scalesOf(width, headsOf(curves));
  const pathsOf = (name: CurveName, points: readonly Point[]): CurvePaths => ({
    name,
    line: linePath(points.map(({ heads, value }) => [x(heads), y(value)])),
    marks: points.map(({ heads, value }) => MARK_OF[name](x(heads), y(value))).join(''),
  });
  const { measured } = curves;
  const middle = ((measured[0]?.accuracies.length ?? 1) - 1) / 2;
  return [
    { name: 'chance', line: `M${at(MARGINS.left, y(curves.chance))}H${width - MARGINS.right}`, marks: '' },
    // Both curves of the document nearly coincide: the hollow triangle leaves the square within it visible.
    pathsOf('computed', curves.computed),
    pathsOf('printed', curves.printed),
    {
      ...pathsOf(
        'measured',
        measured.map(({ heads, mean }) => ({ heads, value: mean })),
      ),
      bars: measured
        .map(({ heads, mean, deviation }) => MARKS.bar(x(heads), y(mean + deviation), y(mean - deviation)))
        .join(''),
      rings: measured
        .flatMap(({ heads, accuracies }) =>
          accuracies.map((value, i) => MARKS.circle(x(heads) + 10 + (i - middle) * SEED_GAP, y(value), 2.5)),
        )
        .join(''),
    },
    pathsOf('here', curves.here),
  ];
}

export const headCountChartStyles = css`
  ${lineChartStyles}
  .chart svg {
    font-size: 12px;
    max-width: 100%;
  }
  /* In the legend, too. */
  .curve path {
    fill: none;
    stroke-width: 1.5;
    stroke-linejoin: round;
  }
  .chance path {
    stroke: var(--_query);
    stroke-dasharray: 2 4;
  }
  .printed path {
    stroke: var(--_muted);
  }
  .printed .line {
    stroke-dasharray: 7 4;
  }
  .computed path {
    stroke: var(--_key);
  }
  .computed .marks {
    fill: var(--_key);
  }
  .measured path {
    stroke: var(--_arc);
  }
  .measured .line {
    stroke-width: 2.25;
  }
  .measured .marks {
    fill: var(--_arc);
  }
  .measured .rings {
    stroke-width: 1;
  }
  .here path {
    stroke: var(--_value);
  }
  .here .line {
    stroke-dasharray: 1 3;
  }
  .here .marks {
    fill: var(--_value);
  }
  @media (forced-colors: active) {
    :is(.printed, .computed) path {
      stroke: CanvasText;
    }
    .computed .marks {
      fill: CanvasText;
    }
    .chance path {
      stroke: LinkText;
    }
    :is(.measured, .here) path {
      stroke: Highlight;
    }
    :is(.measured, .here) .marks {
      fill: Highlight;
    }
  }
`;

const curve = ({ name, line, bars = '', rings = '', marks }: CurvePaths) => svg`
  <g class="curve ${name}">
    <path class="line" d=${line} />
    <path class="bars" d=${bars} />
    <path class="rings" d=${rings} />
    <path class="marks" d=${marks} />
  </g>`;

export function headCountChart(
  curves: Curves,
  width: number,
  { xTitle, yTitle }: AxisTitles,
  alternative: string,
): TemplateResult {
  const heads = headsOf(curves);
  const axes = {
    ...{ width, height: HEIGHT, margins: MARGINS, fontSize: 12, xTitle, yTitle },
    ...scalesOf(width, heads),
    xTicks: heads.map((value) => ({ value, text: String(value) })),
    yTicks: TICKS.map((value) => ({ value, text: String(value) })),
  };
  return html`
    <svg
      width=${width}
      height=${HEIGHT}
      viewBox="0 0 ${width} ${HEIGHT}"
      role="img"
      aria-label=${alternative}
    >
      ${axesOf(axes)} ${curvePathsOf(curves, width).map(curve)}
    </svg>
  `;
}

/** A curve's line and mark for the legend. */
export function keyOf(name: CurveName): TemplateResult {
  const mark = MARK_OF[name](17, 9);
  const bars = name === 'measured' ? MARKS.bar(17, 1, 17) : '';
  return html`<svg class="key" width="34" height="18" viewBox="0 0 34 18" aria-hidden="true">
    ${curve({ name, line: 'M1 9H33', bars, marks: mark })}
  </svg>`;
}
