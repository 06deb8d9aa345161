import type { RelationKind } from '../../training/language/sentence.js';
import { formatWeight } from '../base/strings.js';
import { type Chart, NARROW, roundUp, type Series, WIDE } from './chart.js';
import { headsOf, type HeadPlace, type History, scoreOf } from './history.js';
import type { TrainingStrings } from './strings.js';

export const percent = (share: number): string => `${Math.round(100 * share)}%`;

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

type Points = Series['points'];

const pointsOf = (history: History, value: (index: number) => number): Points =>
  history.evaluations.map(({ step }, index) => [step, value(index)] as const);

const chanceLine = (steps: number, value: number | undefined): readonly Series[] =>
  value === undefined
    ? []
    : [
        {
          kind: 'chance',
          points: [
            [0, value],
            [steps, value],
          ],
        },
      ];

const common = ({ history, steps, at, strings }: ChartSource) => ({
  xTitle: strings.stepAxis,
  xEnd: Math.max(steps, history.step),
  marked: at,
  gapAt: history.loadedAt,
});

export function lossChart(source: ChartSource): Chart {
  const { history, strings } = source;
  const { losses } = history;
  const [first, last] = [losses[0], losses.at(-1)];
  return {
    ...common(source),
    title: strings.loss,
    width: WIDE,
    alternative:
      first && last ? strings.lossFell(first[1].toFixed(2), last[1].toFixed(2)) : strings.noLossYet,
    yTitle: strings.lossAxis,
    yEnd: roundUp(Math.max(1, ...losses.map(([, loss]) => loss))),
    yFormat: (value) => String(value),
    series: [{ kind: 'main', points: losses }],
  };
}

export function accuracyChart(source: ChartSource): Chart {
  const { history, strings, steps } = source;
  const { evaluations } = history;
  const [first, last] = [evaluations[0], evaluations.at(-1)];
  return {
    ...common(source),
    title: strings.accuracy,
    width: WIDE,
    alternative:
      first && last ? strings.accuracyIs(percent(first.accuracy), percent(last.accuracy)) : strings.noLossYet,
    yTitle: strings.accuracyAxis,
    yEnd: 1,
    yFormat: percent,
    series: [
      ...chanceLine(Math.max(steps, history.step), history.chance?.accuracy),
      { kind: 'main', points: pointsOf(history, (index) => evaluations[index]?.accuracy ?? 0) },
    ],
  };
}

/** Scores of all heads in one role. */
export function roleChart(source: ChartSource, kind: RelationKind): Chart {
  const { history, strings, chosen, steps } = source;
  const { evaluations } = history;
  const line = (place: HeadPlace) =>
    pointsOf(history, (index) => {
      const evaluation = evaluations[index];
      return evaluation ? scoreOf(evaluation, kind, place) : 0;
    });
  const isChosen = ({ layer, head }: HeadPlace) => layer === chosen.layer && head === chosen.head;
  const places = headsOf(history.plan);
  const last = evaluations.at(-1);
  const chance = history.chance?.scores[kind];
  return {
    ...common(source),
    title: strings.role[kind],
    width: NARROW,
    alternative: last
      ? strings.roleAlternative(
          strings.head(chosen.layer, chosen.head),
          formatWeight(scoreOf(last, kind, chosen)),
          formatWeight(chance ?? 0),
        )
      : strings.noLossYet,
    yTitle: strings.scoreAxis,
    yEnd: 1,
    yFormat: (value) => String(value),
    series: [
      ...chanceLine(Math.max(steps, history.step), chance),
      ...places.map((place) => ({
        kind: isChosen(place) ? ('main' as const) : ('other' as const),
        points: line(place),
      })),
    ],
  };
}
