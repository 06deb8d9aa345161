import type { RelationKind } from '../../training/language/sentence.js';
import type { Chance, Evaluation, Plan } from '../../training/protocol.js';

/** Collects the results of a training run. */
export class History {
  parameterCount = 0;
  chance: Chance | null = null;
  readonly evaluations: Evaluation[] = [];
  /** Per report: its step, and the mean loss of the steps since the report before. */
  readonly losses: (readonly [step: number, loss: number])[] = [];
  step: number;
  tokens: number;
  /** Training speed in steps per second; 0 if unknown. */
  pace = 0;
  /** Steps at which a copy of the model was kept, so that its weights can still be inspected. */
  kept: readonly number[] = [];

  /** @param loadedAt step of the model that was loaded from a file; null if training started in the page */
  constructor(
    readonly plan: Plan,
    readonly loadedAt: number | null,
    tokens = 0,
  ) {
    this.step = loadedAt ?? 0;
    this.tokens = tokens;
  }

  get lastEvaluation(): Evaluation | undefined {
    return this.evaluations.at(-1);
  }

  /** The evaluation at a step, else the last one before it. */
  evaluationAt(step: number): Evaluation | undefined {
    return this.evaluations.findLast((evaluation) => evaluation.step <= step) ?? this.evaluations[0];
  }
}

/** A head of the model; layer and head are counted from 0. */
export interface HeadPlace {
  readonly layer: number;
  readonly head: number;
}

/** All heads of a model, layer by layer. */
export const headsOf = ({ numLayers, numHeads }: Plan): readonly HeadPlace[] =>
  Array.from({ length: numLayers * numHeads }, (_, index) => ({
    layer: Math.floor(index / numHeads),
    head: index % numHeads,
  }));

export const scoreOf = (evaluation: Evaluation, kind: RelationKind, { layer, head }: HeadPlace): number =>
  evaluation.scores[kind][layer]?.[head] ?? 0;

/** The head with the highest score for a role. */
export function bestHead(evaluation: Evaluation, kind: RelationKind, plan: Plan): HeadPlace {
  return headsOf(plan).reduce((best, place) =>
    scoreOf(evaluation, kind, place) > scoreOf(evaluation, kind, best) ? place : best,
  );
}
