/** The experiment “how many heads?”: what its runs are, and what follows from them. */
import { RELATION_KINDS, type RelationKind } from './language/sentence.js';

/** A number for each kind of hidden word. */
type PerKind = Readonly<Record<RelationKind, number>>;

/** A model that was trained with so many heads, and how many held-out hidden words it guesses right. */
export interface HeadRun {
  readonly heads: number;
  readonly seed: number;
  readonly right: PerKind;
}

/** How many steps `earlyLoss` is of. */
export const EARLY_STEPS = 20;

/** Models that differ in nothing but the number of heads and the seed. */
export interface HeadExperiment {
  readonly numLayers: number;
  readonly embedDim: number;
  readonly feedForwardDim: number;
  /** Parameters of each model: their number does not depend on that of the heads. */
  readonly parameters: number;
  /** Steps of training, with so many sentences each. */
  readonly steps: number;
  readonly batchSize: number;
  /** Mean loss of the first steps of the first run: another number says that models are taught otherwise by now. */
  readonly earlyLoss: number;
  /** Hidden words that each model is asked for. */
  readonly questions: PerKind;
  /** The share of them that is guessed right without the words that give them away. */
  readonly chance: PerKind;
  readonly runs: readonly HeadRun[];
}

/** Numbers of different runs: their mean, and the standard deviation of a sample, 0 for one alone. */
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

/** The accuracy over all kinds, each of which counts alike, however many words of it are asked for. */
export const overall = (accuracyOf: PerKind): number =>
  meanOf(RELATION_KINDS.map((kind) => accuracyOf[kind]));

/** Of each kind the share that a run has right. */
export const accuracyOf = ({ right }: HeadRun, { questions }: HeadExperiment): PerKind =>
  Object.fromEntries(RELATION_KINDS.map((kind) => [kind, right[kind] / questions[kind]])) as Record<
    RelationKind,
    number
  >;

/** What is known of one number of heads. */
export interface HeadCount extends Spread {
  readonly heads: number;
  /** Accuracy of each run, in the order of the seeds. */
  readonly accuracies: readonly number[];
  readonly byKind: Readonly<Record<RelationKind, Spread>>;
}

/** The runs by their number of heads. */
export function headCountsOf(experiment: HeadExperiment): readonly HeadCount[] {
  const { runs } = experiment;
  return [...new Set(runs.map(({ heads }) => heads))].map((heads) => {
    const own = runs.filter((run) => run.heads === heads).map((run) => accuracyOf(run, experiment));
    const accuracies = own.map(overall);
    const byKind = Object.fromEntries(
      RELATION_KINDS.map((kind) => [kind, spreadOf(own.map((accuracy) => accuracy[kind]))]),
    ) as Record<RelationKind, Spread>;
    return { heads, accuracies, byKind, ...spreadOf(accuracies) };
  });
}
