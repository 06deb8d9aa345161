import {
  accuracyOf,
  type HeadCount,
  headCountsOf,
  type HeadExperiment,
  overall,
} from '../../training/head-runs.js';
import type { DocumentResult, Row } from '../../index.js';

/** A point of a curve: an accuracy or “performance” from 0 to 1 by number of heads. */
export interface Point {
  readonly heads: number;
  readonly value: number;
}

/** All curves of the chart. */
export interface Curves {
  /** Document 001's “performance”, as printed and by its formula; empty until the module is loaded. */
  readonly printed: readonly Point[];
  readonly computed: readonly Point[];
  readonly measured: readonly HeadCount[];
  /** Accuracy of guessing without the words that determine the hidden ones; drawn as a line. */
  readonly chance: number;
  /** Accuracy of models trained in the page by the short run. */
  readonly here: readonly Point[];
}

const pointsOf = (rows: readonly Row[] = []): readonly Point[] =>
  rows.map(({ heads, score }) => ({ heads: Number(heads), value: Number(score) }));

export const curvesOf = (
  experiment: HeadExperiment,
  document: DocumentResult | null,
  here: readonly Point[],
): Curves => ({
  printed: pointsOf(document?.printed),
  computed: pointsOf(document?.computed),
  measured: headCountsOf(experiment),
  chance: overall(experiment.chance),
  here,
});

/** The curve's value at a number of heads; NaN without a point there. */
export const valueAt = (points: readonly Point[], heads: number): number =>
  points.find((point) => point.heads === heads)?.value ?? NaN;

export const seedsOf = ({ runs }: HeadExperiment): readonly number[] => [
  ...new Set(runs.map(({ seed }) => seed)),
];

export function accuracyWith(experiment: HeadExperiment, heads: number, seed: number): number {
  const run = experiment.runs.find((one) => one.heads === heads && one.seed === seed);
  return run ? overall(accuracyOf(run, experiment)) : NaN;
}
