/** One run of the experiment, in a thread of its own: trains a model and asks it all held-out hidden words. */
import { parentPort, workerData } from 'node:worker_threads';
import { examination, heldOutQuestions } from '../../dist/training/examination.js';
import { EARLY_STEPS, spreadOf } from '../../dist/training/head-runs.js';
import { loadTraining } from '../../dist/training/index.js';
import { mulberry32 } from '../../dist/training/language/index.js';
import { lesson, untrained } from '../../dist/training/lesson.js';
import { resultOf } from './result-of.mjs';

const { heads, steps, ...plan } = workerData;
const begin = performance.now();
// The same instructions everywhere: relaxed SIMD rounds as the processor does.
const { Encoder } = await loadTraining({ build: 'simd' });
const encoder = untrained(Encoder, { ...plan, numHeads: heads });
const uniform = mulberry32(plan.seed);
const losses = Array.from(
  { length: steps },
  (_, step) => lesson(encoder, uniform, { step, goal: steps }).loss,
);

const { counts, of } = examination(heldOutQuestions(Infinity));
const { accuracyOf } = resultOf(of(encoder, steps));
const right = Object.fromEntries(
  Object.entries(accuracyOf).map(([kind, share]) => [kind, Math.round(share * counts[kind])]),
);
parentPort.postMessage({
  run: { heads, seed: plan.seed, right },
  parameters: encoder.parameterCount,
  earlyLoss: spreadOf(losses.slice(0, EARLY_STEPS)).mean,
  seconds: (performance.now() - begin) / 1000,
});
encoder.dispose();
