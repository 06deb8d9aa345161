/** The experiment “how many heads?”: its runs and their statistics. */
import { perKind, RELATION_KINDS, type RelationKind } from './language/sentence.js';

type PerKind = Readonly<Record<RelationKind, number>>;

/** A trained model, and how many held-out hidden words of each kind it guesses right. */
export interface HeadRun {
  readonly heads: number;
  readonly seed: number;
  readonly right: PerKind;
}

/** `earlyLoss` is the mean over this many steps. */
export const EARLY_STEPS = 20;

/** Models that differ only in the number of heads and the seed. */
export interface HeadExperiment {
  readonly numLayers: number;
  readonly embedDim: number;
  readonly feedForwardDim: number;
  /** Number of parameters of each model, the same for every number of heads. */
  readonly parameters: number;
  readonly steps: number;
  readonly batchSize: number;
  /** Mean loss of the first steps of the first run; a test compares it, to find changes of the training. */
  readonly earlyLoss: number;
  /** Number of hidden words of each kind in the evaluation. */
  readonly questions: PerKind;
  /** Accuracy of the best guess without the words that determine the hidden one. */
  readonly chance: PerKind;
  readonly runs: readonly HeadRun[];
}

/** Mean and sample standard deviation (0 for a single value). */
export interface Spread {
  readonly mean: number;
  readonly deviation: number;
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

export function spreadOf(values: readonly number[]): Spread {
  const mean = meanOf(values);
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, deviation: values.length < 2 ? 0 : Math.sqrt(squares / (values.length - 1)) };
}

/** Returns the mean accuracy of the kinds, each with the same weight. */
export const overall = (accuracyOf: PerKind): number =>
  meanOf(RELATION_KINDS.map((kind) => accuracyOf[kind]));

export const accuracyOf = ({ right }: HeadRun, { questions }: HeadExperiment): PerKind =>
  perKind((kind) => right[kind] / questions[kind]);

/** The runs with one number of heads. */
export interface HeadCount extends Spread {
  readonly heads: number;
  /** The accuracy of each run, in the order of the seeds. */
  readonly accuracies: readonly number[];
  readonly byKind: Readonly<Record<RelationKind, Spread>>;
}

export function headCountsOf(experiment: HeadExperiment): readonly HeadCount[] {
  const { runs } = experiment;
  return [...new Set(runs.map(({ heads }) => heads))].map((heads) => {
    const own = runs.filter((run) => run.heads === heads).map((run) => accuracyOf(run, experiment));
    const accuracies = own.map(overall);
    const byKind = perKind((kind) => spreadOf(own.map((accuracy) => accuracy[kind])));
    return { heads, accuracies, byKind, ...spreadOf(accuracies) };
  });
}

/** What the measurement says about the best number of heads. */
export interface Finding {
  /** The number of heads with the highest mean. */
  readonly best: HeadCount;
  /** Numbers of heads whose range (mean ± standard deviation) overlaps that of the best. */
  readonly close: readonly number[];
  /** Numbers of heads whose range lies below that of the best. */
  readonly below: readonly number[];
}

export function findingOf(counts: readonly HeadCount[]): Finding {
  const best = counts.reduce((a, b) => (b.mean > a.mean ? b : a));
  const meetsBest = ({ mean, deviation }: HeadCount) => mean + deviation >= best.mean - best.deviation;
  const headsOf = (some: readonly HeadCount[]) => some.map(({ heads }) => heads);
  return {
    best,
    close: headsOf(counts.filter((count) => count !== best && meetsBest(count))),
    below: headsOf(counts.filter((count) => !meetsBest(count))),
  };
}
