/** How a model is taught, the same wherever one is trained on the language. */
import type { Encoder, EncoderClass } from './encoder.js';
import { maskedBatch } from './language/batch.js';
import { MAX_LENGTH } from './language/corpus.js';
import type { Uniform } from './language/sentence.js';
import { VOCABULARY } from './language/vocabulary.js';
import type { Plan } from './protocol.js';

/** Sentences of a step, unless fewer are asked for. */
export const BATCH_SIZE = 64;
const LEARNING_RATE = 0.01;
/** The learning rate rises over these steps: the first gradients say little. */
const WARM_UP = 100;
/** What is left of the learning rate at the end. */
const FINAL_SHARE = 0.02;

/** Where in its training a model is, and how much it is shown at once. */
export interface Schedule {
  /** Steps before this one. */
  readonly step: number;
  /** Where training ends. */
  readonly goal: number;
  /** Steps of this run, where others came before it; `step` by default. */
  readonly taken?: number;
  /** Sentences of a step; `BATCH_SIZE` by default. */
  readonly batchSize?: number;
}

/** The learning rate of a step: up in a line, then down along half a cosine. */
function learningRateAt({ step, goal, taken = step }: Schedule): number {
  const cosine = (1 + Math.cos((Math.PI * Math.min(step, goal)) / goal)) / 2;
  return LEARNING_RATE * Math.min((taken + 1) / WARM_UP, cosine + FINAL_SHARE);
}

/** A model that has learned nothing. */
export const untrained = (
  Encoder: EncoderClass,
  { numLayers, numHeads, embedDim, feedForwardDim, seed }: Omit<Plan, 'steps'>,
): Encoder =>
  new Encoder({
    vocabSize: VOCABULARY.length,
    maxLength: MAX_LENGTH,
    ...{ numLayers, numHeads, embedDim, feedForwardDim, seed },
  });

/** What a step was like: the loss before it, and how many words the model was shown. */
export interface Lesson {
  readonly loss: number;
  readonly tokens: number;
}

/**
 * Draws sentences, hides words of them, and takes one step towards guessing those.
 *
 * @param uniform where chance comes from
 */
export function lesson(encoder: Encoder, uniform: Uniform, schedule: Schedule): Lesson {
  const { tokens, targets, keyPaddingMask, shape } = maskedBatch(uniform, schedule.batchSize ?? BATCH_SIZE);
  const { loss } = encoder.trainStep(
    { data: tokens, shape },
    { data: targets, shape },
    { keyPaddingMask: { data: keyPaddingMask, shape }, learningRate: learningRateAt(schedule) },
  );
  return { loss, tokens: keyPaddingMask.reduce((sum, isReal) => sum + isReal, 0) };
}
