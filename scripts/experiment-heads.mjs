/**
 * How many heads? Trains the same model for the same number of steps with 1 … 32 heads, each with several seeds, and
 * writes what they have learned to web/training/head-counts.ts.
 *
 *   npm run experiment:heads                                    the published experiment
 *   npm run experiment:heads -- --steps 100 --seeds 1 --dry     a quick look; writes nothing
 */
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { ensureBuilt } from './lib/ensure-built.mjs';
import { forEachParallel } from './lib/parallel.mjs';
import { main, Problem } from './lib/problem.mjs';
import { inRepo } from './lib/repo.mjs';
import { resultOf } from './lib/result-of.mjs';
import { writeIfChanged } from './lib/write-if-changed.mjs';

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

/** Trains one model in a thread of its own. */
const train = (workerData) =>
  new Promise((resolve, reject) => {
    new Worker(new URL('lib/train-heads.mjs', import.meta.url), { workerData })
      .on('message', resolve)
      .on('error', reject)
      .on('exit', (code) => reject(new Problem(`A run of training ended with ${code} before its result.`)));
  });

/** Trains all models, and tells of each. */
async function experimentOf(steps, seeds) {
  const plans = seeds.flatMap((seed) => headCounts.map((heads) => ({ ...sizes, heads, seed, steps })));
  const results = [];
  await forEachParallel(plans, async (plan) => {
    const result = await train(plan);
    results.push(result);
    const right = Object.entries(result.run.right).map(([kind, count]) => `${kind} ${count}`);
    console.log(
      `${plan.heads} heads, seed ${plan.seed}: ${right.join(', ')}; ${result.seconds.toFixed(0)} s`,
    );
  });
  results.sort(({ run: a }, { run: b }) => a.heads - b.heads || a.seed - b.seed);
  const [{ parameters, earlyLoss }] = results;
  const { BATCH_SIZE: batchSize } = await import('../dist/training/lesson.js');
  const { examination, heldOutQuestions } = await import('../dist/training/examination.js');
  const { counts: questions, chance } = examination(heldOutQuestions(Infinity));
  return {
    ...sizes,
    parameters,
    steps,
    batchSize,
    earlyLoss,
    questions,
    chance: resultOf(chance()).accuracyOf,
    runs: results.map(({ run }) => run),
  };
}

async function write(experiment) {
  const { format, resolveConfig } = await import('prettier');
  const text =
    '/** What models with different numbers of heads have learned. Written by `npm run experiment:heads`. */\n' +
    "import type { HeadExperiment } from './head-runs.js';\n\n" +
    `export const HEAD_EXPERIMENT: HeadExperiment = ${JSON.stringify(experiment)};\n`;
  writeIfChanged(file, await format(text, { ...(await resolveConfig(file)), filepath: file }));
}

await main(async () => {
  const { values } = parseArgs({
    options: {
      steps: { type: 'string', default: '500' },
      seeds: { type: 'string', default: '3' },
      dry: { type: 'boolean', default: false },
    },
  });
  const steps = countOf('steps', values.steps);
  const seeds = Array.from({ length: countOf('seeds', values.seeds) }, (_, seed) => seed);
  await ensureBuilt();
  const { headCountsOf, overall } = await import('../dist/training/head-runs.js');

  const experiment = await experimentOf(steps, seeds);
  console.log('\nheads  right of held-out words, ± between seeds');
  for (const { heads, mean, deviation } of headCountsOf(experiment)) {
    console.log(`${String(heads).padStart(5)}  ${percent(mean)} ± ${percent(deviation)}`);
  }
  console.log(`without the words that give them away: ${percent(overall(experiment.chance))}`);
  if (!values.dry) await write(experiment);
});
