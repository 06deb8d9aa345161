import type { RelationKind } from '../../training/language/sentence.js';
import { bestHead, type HeadPlace, type History, scoreOf } from './history.js';

/** While the model trains, another head is shown only if it scores this much more than the shown one. */
const CLEARLY = 0.05;

const FIRST: HeadPlace = { layer: 0, head: 0 };

/**
 * Chooses the head that scores highest for what determines the hidden word, over held-out sentences. While the model
 * trains it keeps the shown head until another one is clearly better; at rest it is exactly the best one.
 */
export class BestHead {
  #place = FIRST;
  #history: History | null = null;
  #kind: RelationKind | null = null;

  /** The chosen head; the first one where nothing is measured or no relation is known. */
  get place(): HeadPlace {
    return this.#place;
  }

  /** @param kind what determines the hidden word; null if no single word does */
  update(history: History | null, kind: RelationKind | null, isTraining: boolean): void {
    const isNew = history !== this.#history || kind !== this.#kind;
    this.#history = history;
    this.#kind = kind;
    if (isNew) this.#place = FIRST;
    const evaluation = history?.lastEvaluation;
    if (!history || !evaluation || kind === null) return;
    const best = bestHead(evaluation, kind, history.plan);
    const lead = scoreOf(evaluation, kind, best) - scoreOf(evaluation, kind, this.#place);
    if (lead > (isTraining && !isNew ? CLEARLY : 0)) this.#place = best;
  }
}
