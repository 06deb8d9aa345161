/** One training step with its learning-rate schedule, for the page and `npm run experiment:heads`. */
import type { Encoder } from './encoder.js';
import { maskedBatch } from './language/batch.js';
import type { Uniform } from './language/sentence.js';

/** By default, a step trains on this many sentences. */
export const BATCH_SIZE = 64;
const PEAK_LEARNING_RATE = 0.01;
/** Steps of linear warm-up: AdamW's running means are unreliable at first. */
const WARM_UP_STEPS = 100;
/** The learning rate at the end, as a share of the peak. */
const FINAL_SHARE = 0.02;

/** Position of a step in its training. */
export interface Schedule {
  /** Number of steps before this one. */
  readonly step: number;
  readonly lastStep: number;
  /** Steps of this run, for the warm-up after a model was loaded; `step` by default. */
  readonly stepsInRun?: number;
  /** Number of sentences; `BATCH_SIZE` by default. */
  readonly batchSize?: number;
}

/** Returns the learning rate: linear warm-up, then half a cosine down to `FINAL_SHARE`. */
function learningRateAt({ step, lastStep, stepsInRun = step }: Schedule): number {
  const cosine = (1 + Math.cos((Math.PI * Math.min(step, lastStep)) / lastStep)) / 2;
  return PEAK_LEARNING_RATE * Math.min((stepsInRun + 1) / WARM_UP_STEPS, cosine + FINAL_SHARE);
}

/**
 * Draws a masked batch and takes one AdamW step on it.
 *
 * @param uniform source of the random numbers
 * @returns the loss before the step, and the number of tokens without padding
 */
export function trainStep(encoder: Encoder, uniform: Uniform, schedule: Schedule) {
  const { tokens, targets, keyPaddingMask, shape } = maskedBatch(uniform, schedule.batchSize ?? BATCH_SIZE);
  const { loss } = encoder.trainStep(
    { data: tokens, shape },
    { data: targets, shape },
    { keyPaddingMask: { data: keyPaddingMask, shape }, learningRate: learningRateAt(schedule) },
  );
  return { loss, tokens: keyPaddingMask.reduce((sum, isReal) => sum + isReal, 0) };
}
