/**
 * Trains the package's small model: `npm run train`, about a minute. Writes its folder `data/sentences`, with what was measured
 * (`measures.json`) and its card (`README.md`). The same build gives the same files on any machine, except
 * for the duration.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { load } from '../dist/index.js';
import * as language from '../dist/training/index.js';
import { modelFiles } from '../dist/training/model-file.js';
import { modelCard } from './model-card.mjs';
import { bestHeads, measureModel } from './model-measures.mjs';
import { inRepo, main } from './bootstrap/basics.mjs';

/** Options with which the model is trained. */
const RECIPE = {
  encoder: { embedDim: 64, numHeads: 16, numLayers: 2, feedForwardDim: 128, seed: 1 },
  /** Seed of the sentences and their masking. */
  seed: 1,
  steps: 2000,
  batchSize: 64,
  masking: { share: 0.2, relationShare: 1, hidden: 0.5, replaced: 0.4 },
  learningRate: 0.01,
  warmUpSteps: 100,
  finalShare: 0.02,
  optimizer: { weightDecay: 0.01, maxGradNorm: 1 },
};

/** Returns the learning rate: linear warm-up, then half a cosine down to `finalShare`. */
function learningRateAt(step, { learningRate, warmUpSteps, steps, finalShare }) {
  const warm = (step + 1) / warmUpSteps;
  const cosine = (1 + Math.cos((Math.PI * step) / steps)) / 2;
  return learningRate * Math.min(warm, cosine + finalShare);
}

/** Each point of the loss curve is the mean over this many steps. */
const STEPS_PER_POINT = 100;

const round = (x) => Number(x.toFixed(4));

/** Rounds all numbers of a nested object. */
const rounded = (value) => {
  if (typeof value === 'number') return round(value);
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, x]) => [key, rounded(x)]));
};

/** Trains in place; returns the points of the loss curve. */
function train(encoder, { maskedBatch, mulberry32 }) {
  const uniform = mulberry32(RECIPE.seed);
  const curve = [];
  let [loss, correct, count] = [0, 0, 0];
  for (let step = 0; step < RECIPE.steps; ++step) {
    const { tokens, targets, keyPaddingMask, shape } = maskedBatch(uniform, RECIPE.batchSize, RECIPE.masking);
    const result = encoder.trainStep(
      { data: tokens, shape },
      { data: targets, shape },
      {
        keyPaddingMask: { data: keyPaddingMask, shape },
        learningRate: learningRateAt(step, RECIPE),
        ...RECIPE.optimizer,
      },
    );
    loss += result.loss / STEPS_PER_POINT;
    correct += result.correct;
    count += result.count;
    if ((step + 1) % STEPS_PER_POINT === 0) {
      curve.push({ step: step + 1, loss: round(loss), accuracy: round(correct / count) });
      process.stdout.write(
        `step ${step + 1}: loss ${loss.toFixed(3)}, ${(correct / count).toFixed(3)} found\n`,
      );
      [loss, correct, count] = [0, 0, 0];
    }
  }
  return curve;
}

/** Returns the accuracy of the best guess without the keys, by kind and language. */
function chances({ chanceLevels, heldOut, RELATION_KINDS }) {
  const [all, en, ko] = [
    chanceLevels(heldOut()),
    ...['en', 'ko'].map((lang) => chanceLevels(heldOut().filter((sentence) => sentence.lang === lang))),
  ];
  return Object.fromEntries(
    RELATION_KINDS.map((kind) => [kind, { all: all[kind], en: en[kind], ko: ko[kind] }]),
  );
}

await main(async () => {
  const { metrics } = await load();
  const training = await language.loadTraining({ build: 'simd' });
  const encoder = new training.Encoder({
    vocabSize: language.VOCABULARY.length,
    maxLength: language.MAX_LENGTH,
    ...RECIPE.encoder,
  });
  const initial = measureModel(encoder, metrics, language);
  // CPU time: other programs on the machine do not lengthen it.
  const start = process.cpuUsage();
  const curve = train(encoder, language);
  const { user, system } = process.cpuUsage(start);
  const seconds = Math.round((user + system) / 1e6);
  const trained = measureModel(encoder, metrics, language);
  const numbers = rounded({
    build: training.build,
    recipe: RECIPE,
    parameterCount: encoder.parameterCount,
    sentences: language.heldOut().length,
    seconds,
    curve,
    chance: chances(language),
    trained: { ...trained, best: bestHeads(trained.heads) },
    initial: { ...initial, best: bestHeads(initial.heads) },
    maxLength: language.MAX_LENGTH,
    vocabulary: language.VOCABULARY,
  });
  // The recipe is unrounded, because rounding could turn a small learning rate into 0.
  const file = { ...numbers, recipe: RECIPE };
  const folder = {
    ...modelFiles({
      plan: { ...RECIPE.encoder, steps: RECIPE.steps },
      step: RECIPE.steps,
      tokens: 0,
      parameters: encoder.stateDict(),
      optimizer: null,
    }),
    'measures.json': `${JSON.stringify(file, null, 1)}\n`,
    'README.md': modelCard(file),
  };
  mkdirSync(inRepo('data', 'sentences'), { recursive: true });
  for (const [name, content] of Object.entries(folder)) {
    writeFileSync(inRepo('data', 'sentences', name), content);
  }
  encoder.dispose();
});
