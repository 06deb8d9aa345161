/**
 * How many heads? Trains the same model for the same number of steps with 1 … 32 heads, each with several seeds, and
 * writes their accuracy to web/training/head-counts.ts.
 *
 *   npm run experiment:heads                                    the published experiment
 *   npm run experiment:heads -- --steps 100 --seeds 1 --dry     a quick run; writes nothing
 */
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { untrainedEncoder } from '../dist/training/encoder-sizes.js';
import { evaluator, heldOutQuestions } from '../dist/training/evaluation.js';
import { EARLY_STEPS, headCountsOf, overall, spreadOf } from '../dist/training/head-runs.js';
import { loadTraining, mulberry32 } from '../dist/training/index.js';
import { BATCH_SIZE, trainStep } from '../dist/training/train-step.js';
import { writeFileSync } from 'node:fs';
import { forEachParallel, inRepo, main, Problem } from './bootstrap/basics.mjs';

const headCounts = [1, 2, 4, 8, 16, 32];
const sizes = { numLayers: 2, embedDim: 64, feedForwardDim: 128 };
const file = inRepo('web', 'training', 'head-counts.ts');

const percent = (share) => `${(100 * share).toFixed(1)} %`;

function countOf(name, text) {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1)
    throw new Problem(`--${name} must be a positive integer, got ${text}`);
  return count;
}

/** Runs a generator to its end. */
function resultOf(generator) {
  let next = generator.next();
  while (!next.done) next = generator.next();
  return next.value;
}

/** Trains one model and evaluates it on all held-out questions. */
async function train({ heads, steps, ...plan }) {
  const begin = performance.now();
  // The build is not relaxed SIMD, whose rounding depends on the processor.
  const { Encoder } = await loadTraining({ build: 'simd' });
  const encoder = untrainedEncoder(Encoder, { ...plan, numHeads: heads });
  const uniform = mulberry32(plan.seed);
  const losses = Array.from(
    { length: steps },
    (_, step) => trainStep(encoder, uniform, { step, lastStep: steps }).loss,
  );

  const { counts, evaluate } = evaluator(heldOutQuestions(Infinity));
  const { accuracyOf } = resultOf(evaluate(encoder, steps));
  const right = Object.fromEntries(
    Object.entries(accuracyOf).map(([kind, share]) => [kind, Math.round(share * counts[kind])]),
  );
  const result = {
    run: { heads, seed: plan.seed, right },
    parameters: encoder.parameterCount,
    earlyLoss: spreadOf(losses.slice(0, EARLY_STEPS)).mean,
    seconds: (performance.now() - begin) / 1000,
  };
  encoder.dispose();
  return result;
}

const trainInThread = (plan) =>
  new Promise((resolve, reject) => {
    new Worker(new URL(import.meta.url), { workerData: plan })
      .on('message', resolve)
      .on('error', reject)
      .on('exit', (code) => reject(new Problem(`A run of training ended with ${code} before its result.`)));
  });

/** Trains all models, and prints each result. */
async function experimentOf(steps, seeds) {
  const plans = seeds.flatMap((seed) => headCounts.map((heads) => ({ ...sizes, heads, seed, steps })));
  const results = [];
  await forEachParallel(plans, async (plan) => {
    const result = await trainInThread(plan);
    results.push(result);
    const right = Object.entries(result.run.right).map(([kind, count]) => `${kind} ${count}`);
    console.log(
      `${plan.heads} heads, seed ${plan.seed}: ${right.join(', ')}; ${result.seconds.toFixed(0)} s`,
    );
  });
  results.sort(({ run: a }, { run: b }) => a.heads - b.heads || a.seed - b.seed);
  const [{ parameters, earlyLoss }] = results;
  const { counts: questions, chance } = evaluator(heldOutQuestions(Infinity));
  return {
    ...sizes,
    parameters,
    steps,
    batchSize: BATCH_SIZE,
    earlyLoss,
    questions,
    chance: resultOf(chance()).accuracyOf,
    runs: results.map(({ run }) => run),
  };
}

async function write(experiment) {
  const { format, resolveConfig } = await import('prettier');
  const text =
    '/** Accuracy of models with different numbers of heads. Written by `npm run experiment:heads`. */\n' +
    "import type { HeadExperiment } from './head-runs.js';\n\n" +
    `export const HEAD_EXPERIMENT: HeadExperiment = ${JSON.stringify(experiment)};\n`;
  writeFileSync(file, await format(text, { ...(await resolveConfig(file)), filepath: file }));
}

async function experiment() {
  const { values } = parseArgs({
    options: {
      steps: { type: 'string', default: '500' },
      seeds: { type: 'string', default: '3' },
      dry: { type: 'boolean', default: false },
    },
  });
  const steps = countOf('steps', values.steps);
  const seeds = Array.from({ length: countOf('seeds', values.seeds) }, (_, seed) => seed);

  const found = await experimentOf(steps, seeds);
  console.log('\nheads  right of held-out words, ± between seeds');
  for (const { heads, mean, deviation } of headCountsOf(found)) {
    console.log(`${String(heads).padStart(5)}  ${percent(mean)} ± ${percent(deviation)}`);
  }
  console.log(`without the words that give them away: ${percent(overall(found.chance))}`);
  if (!values.dry) await write(found);
}

if (isMainThread) await main(experiment);
else parentPort.postMessage(await train(workerData));
