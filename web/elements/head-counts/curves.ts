import {
  accuracyOf,
  type HeadCount,
  headCountsOf,
  type HeadExperiment,
  overall,
} from '../../training/head-runs.js';
import type { DocumentResult, Row } from '../../index.js';

/** A number for a number of heads, from 0 to 1. */
export interface Point {
  readonly heads: number;
  readonly value: number;
}

/** Everything that the figure shows. */
export interface Curves {
  /** Document 001's “performance”, as it prints it and as its formula gives it; empty while nothing is computed. */
  readonly printed: readonly Point[];
  readonly computed: readonly Point[];
  readonly measured: readonly HeadCount[];
  /** Accuracy without the words that give the hidden ones away. */
  readonly chance: number;
  /** What the reader has trained. */
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

/** The value for a number of heads; NaN where there is none. */
export const valueAt = (points: readonly Point[], heads: number): number =>
  points.find((point) => point.heads === heads)?.value ?? NaN;

/** Seeds of an experiment, and the accuracy of each with so many heads. */
export const seedsOf = ({ runs }: HeadExperiment): readonly number[] => [
  ...new Set(runs.map(({ seed }) => seed)),
];

export function accuracyWith(experiment: HeadExperiment, heads: number, seed: number): number {
  const run = experiment.runs.find((one) => one.heads === heads && one.seed === seed);
  return run ? overall(accuracyOf(run, experiment)) : NaN;
}
