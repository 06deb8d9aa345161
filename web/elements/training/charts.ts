/** The curves of training (loss, accuracy and the role scores of every head), and their numbers as tables and CSV. */
import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import type { HeadPlace } from '../../sources/figure.js';
import { RELATION_KINDS, type RelationKind } from '../../training/language/sentence.js';
import type { CsvRow } from '../base/csv.js';
import { numberTable } from '../base/data-table.js';
import { formatWeight, percent } from '../base/strings.js';
import { styled } from '../base/styled.js';
import { bestHead, headsOf, type History, scoreOf } from './run.js';
import type { TrainingStrings } from './strings.js';

// Shared by all line charts: scales, axes with numbers, and lines through points.

/** Space between the plot and the edges of the SVG, in CSS pixels. */
interface Margins {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Size, scales (`x` and `y` map values to pixels), tick labels and titles of a chart's axes. */
interface Axes {
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
const linearScale =
  ([first, last]: readonly [number, number], [start, end]: readonly [number, number]) =>
  (value: number): number =>
    start + ((value - first) / (last - first || 1)) * (end - start);

/** Draws the titles, tick labels and grid lines of both axes; the grid line at 0 is the x axis. */
function axesOf({ width, height, margins, fontSize, x, y, ...axes }: Axes): SVGTemplateResult {
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
const at = (x: number, y: number): string => `${rounded(x)} ${rounded(y)}`;

/** SVG path of a line through points in pixels, with a gap before each point for which `startsAt` is true. */
const linePath = (
  points: readonly (readonly [x: number, y: number])[],
  startsAt: (index: number) => boolean = () => false,
): string =>
  points.map(([x, y], index) => `${index === 0 || startsAt(index) ? 'M' : 'L'}${at(x, y)}`).join('');

/** Data of the charts. */
export interface ChartSource {
  readonly history: History;
  /** End of the step axis. */
  readonly steps: number;
  readonly chosen: HeadPlace;
  /** The inspected step; null is the latest. */
  readonly at: number | null;
  readonly strings: TrainingStrings;
}

type Points = readonly (readonly [step: number, value: number])[];

/** One line of a chart: the highlighted one, one of the others, or the level of chance. */
interface Series {
  readonly kind: 'main' | 'other' | 'chance';
  readonly points: Points;
}

interface Chart {
  readonly title: string;
  /** Alternative text: the chart in one sentence. */
  readonly alternative: string;
  /** Size of the view box; the chart scales to its column. */
  readonly width: number;
  readonly yTitle: string;
  /** End of the vertical axis, which starts at 0. */
  readonly yEnd: number;
  readonly yFormat: (value: number) => string;
  /** From back to front. */
  readonly series: readonly Series[];
}

const [WIDE, NARROW, HEIGHT] = [320, 250, 190];
const MARGINS = { left: 36, right: 8, top: 22, bottom: 34 };

/** Rounds up to a number that suits the end of an axis. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const round = [1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((factor) => factor * power >= value) ?? 10;
  return round * power;
}

/** A line chart over the steps of training, with its title. Values beyond the end of an axis are clamped to it. */
function lineChart(chart: Chart, { history, steps, at, strings }: ChartSource): TemplateResult {
  const { title, width, yEnd, yFormat, yTitle } = chart;
  const { left, right, top, bottom } = MARGINS;
  const xEnd = Math.max(steps, history.step);
  const x = linearScale([0, xEnd], [left, width - right]);
  const y = linearScale([0, yEnd], [HEIGHT - bottom, top]);
  const pixels = ([step, value]: Points[number]) =>
    [x(Math.min(step, xEnd)), y(Math.min(value, yEnd))] as const;
  const axes = {
    ...{ width, height: HEIGHT, margins: MARGINS, fontSize: 11, x, y, xTitle: strings.stepAxis, yTitle },
    xTicks: [0, xEnd / 2, xEnd].map((value, index) => ({
      ...{ value, text: String(Math.round(value)) },
      ...(index === 2 && { anchor: 'end' as const }),
    })),
    yTicks: [0, yEnd / 2, yEnd].map((value) => ({ value, text: yFormat(value) })),
  };
  const line = ({ kind, points }: Series) => {
    // A model that was loaded from a file has no results between step 0 and that of the file.
    const gap = kind === 'chance' ? -1 : points.findIndex(([step]) => step === history.loadedAt);
    const pieces = gap > 0 ? [points.slice(0, gap), points.slice(gap)] : [points];
    const alone = pieces.filter(({ length }) => length === 1).flat();
    const marked = kind === 'main' ? points.filter(([step]) => step === at) : [];
    const dots = [...new Set([...alone, ...marked])].map(pixels);
    return svg`${pieces.map((piece) => svg`<path class=${kind} d=${linePath(piece.map(pixels))} />`)}
      ${dots.map(([cx, cy]) => svg`<circle class=${kind} cx=${cx} cy=${cy} r=${kind === 'main' ? 3.5 : 2} />`)}`;
  };
  return html`
    <p class="title">${title}</p>
    <figure part="chart" class="chart" ${styled({ '--width': `${width}px` })}>
      <svg viewBox="0 0 ${width} ${HEIGHT}" role="img" aria-label="${title}. ${chart.alternative}">
        ${axesOf(axes)}
        ${
          at === null
            ? nothing
            : svg`<line class="marked" x1=${x(at)} x2=${x(at)} y1=${top - 6} y2=${HEIGHT - bottom} />`
        }
        ${chart.series.map(line)}
      </svg>
    </figure>
  `;
}

const chanceLine = ({ history, steps }: ChartSource, value: number | undefined): readonly Series[] => {
  if (value === undefined) return [];
  const end = Math.max(steps, history.step);
  return [{ kind: 'chance', points: [0, end].map((step) => [step, value] as const) }];
};

/** Charts of loss and accuracy. */
export function learningCharts(source: ChartSource): TemplateResult {
  const { history, strings } = source;
  const { losses, evaluations, loadedAt } = history;
  const [firstLoss, lastLoss] = [losses[0], losses.at(-1)];
  const [first, last] = [evaluations[0], evaluations.at(-1)];
  const loss: Chart = {
    ...{ title: strings.loss, width: WIDE, yTitle: strings.lossAxis, yFormat: String },
    alternative:
      firstLoss && lastLoss
        ? strings.lossFell(firstLoss[1].toFixed(2), lastLoss[1].toFixed(2))
        : strings.noLossYet,
    yEnd: roundUp(Math.max(1, ...losses.map(([, value]) => value))),
    series: [{ kind: 'main', points: losses }],
  };
  const accuracy: Chart = {
    ...{ title: strings.accuracy, width: WIDE, yTitle: strings.accuracyAxis, yFormat: percent, yEnd: 1 },
    alternative:
      first && last ? strings.accuracyIs(percent(first.accuracy), percent(last.accuracy)) : strings.noLossYet,
    series: [
      ...chanceLine(source, history.chance?.accuracy),
      { kind: 'main', points: evaluations.map(({ step, accuracy: right }) => [step, right]) },
    ],
  };
  // A model loaded from a file has no loss until training continues.
  const charts = loadedAt === null || losses.length > 0 ? [loss, accuracy] : [accuracy];
  return html`
    <div class="charts">
      ${charts.map((chart) => html`<div class="chart-block">${lineChart(chart, source)}</div>`)}
    </div>
    ${history.chance ? html`<p class="quiet">${strings.dotted}</p>` : nothing}
  `;
}

/** A chart per role with the scores of all heads, and a button for the head that has the highest. */
export function roleCharts(source: ChartSource, choose: (place: HeadPlace) => void): TemplateResult {
  const { history, at, chosen, strings } = source;
  const { evaluations, chance, plan } = history;
  const evaluation = history.evaluationAt(at ?? history.step);
  const last = evaluations.at(-1);
  const isChosen = ({ layer, head }: HeadPlace) => layer === chosen.layer && head === chosen.head;
  const lineOf = (kind: RelationKind, place: HeadPlace, style: 'main' | 'other'): Series => ({
    kind: style,
    points: evaluations.map((one) => [one.step, scoreOf(one, kind, place)]),
  });
  const places = headsOf(plan).toSorted((a, b) => Number(isChosen(a)) - Number(isChosen(b)));
  const chartOf = (kind: RelationKind): Chart => ({
    ...{ title: strings.role[kind], width: NARROW, yTitle: strings.scoreAxis, yFormat: String, yEnd: 1 },
    alternative: last
      ? strings.roleAlternative(
          strings.head(chosen.layer, chosen.head),
          formatWeight(scoreOf(last, kind, chosen)),
          formatWeight(chance?.scores[kind] ?? 0),
        )
      : strings.noLossYet,
    series: [
      ...places.slice(0, -1).map((place) => lineOf(kind, place, 'other')),
      ...chanceLine(source, chance?.scores[kind]),
      ...places.slice(-1).map((place) => lineOf(kind, place, 'main')),
    ],
  });
  const highest = (kind: RelationKind) => {
    if (!evaluation) return nothing;
    const best = bestHead(evaluation, kind, plan);
    return html`<p class="quiet">
      ${strings.highest}
      <button type="button" class="link" @click=${() => choose(best)}>
        ${strings.head(best.layer, best.head)}
      </button>
      <span class="number">${formatWeight(scoreOf(evaluation, kind, best))}</span>
      ${
        chance
          ? html`<span class="nowrap"
              >(${strings.chance} <span class="number">${formatWeight(chance.scores[kind])}</span>)</span
            >`
          : nothing
      }
    </p>`;
  };
  return html`
    <p class="quiet">${strings.rolesHint}</p>
    <div class="charts four">
      ${RELATION_KINDS.map(
        (kind) => html`
          <div class="chart-block" data-role=${kind}>
            ${lineChart(chartOf(kind), source)} ${highest(kind)}
          </div>
        `,
      )}
    </div>
  `;
}

/** Tables of the charts' numbers, and of the role scores at the step `at`. */
export function trainingTables(history: History, at: number, strings: TrainingStrings): TemplateResult {
  const { evaluations, losses, chance, plan } = history;
  const evaluation = history.evaluationAt(at);
  /** The last reported mean loss up to a step; NaN before the first. */
  const lossAt = (step: number): number => losses.findLast(([one]) => one <= step)?.[1] ?? NaN;
  const ofKinds = (values: Readonly<Record<RelationKind, number>>) =>
    RELATION_KINDS.map((kind) => values[kind]);
  return html`
    ${numberTable({
      caption: strings.historyCaption,
      corner: strings.stepAxis,
      columns: [strings.lossAxis, strings.accuracyAxis, ...RELATION_KINDS.map((kind) => strings.kind[kind])],
      rows: [
        ...evaluations.map(({ step, accuracy, accuracyOf }) => ({
          name: strings.number(step),
          values: [lossAt(step), accuracy, ...ofKinds(accuracyOf)],
        })),
        ...(chance
          ? [{ name: strings.withoutKeys, values: [NaN, chance.accuracy, ...ofKinds(chance.accuracyOf)] }]
          : []),
      ],
      digits: 3,
    })}
    ${
      evaluation
        ? numberTable({
            caption: strings.scoresCaption(strings.atStep(strings.number(evaluation.step))),
            corner: strings.heads,
            columns: RELATION_KINDS.map((kind) => strings.role[kind]),
            rows: [
              ...headsOf(plan).map((place) => ({
                name: strings.head(place.layer, place.head),
                values: RELATION_KINDS.map((kind) => scoreOf(evaluation, kind, place)),
              })),
              ...(chance ? [{ name: strings.chance, values: ofKinds(chance.scores) }] : []),
            ],
            digits: 3,
          })
        : nothing
    }
  `;
}

/** All results of a run as CSV rows, one number per row. */
export const trainingRows = ({ losses, evaluations, plan }: History): readonly CsvRow[] => [
  ['step', 'quantity', 'relation', 'layer', 'head', 'value'],
  ...losses.map(([step, loss]): CsvRow => [step, 'loss', '', '', '', loss]),
  ...evaluations.flatMap((evaluation): CsvRow[] => {
    const { step, accuracy, accuracyOf } = evaluation;
    return [
      [step, 'accuracy', '', '', '', accuracy],
      ...RELATION_KINDS.map((kind): CsvRow => [step, 'accuracy', kind, '', '', accuracyOf[kind]]),
      ...RELATION_KINDS.flatMap((kind) =>
        headsOf(plan).map((place): CsvRow => {
          const { layer, head } = place;
          return [step, 'score', kind, layer, head, scoreOf(evaluation, kind, place)];
        }),
      ),
    ];
  }),
];
