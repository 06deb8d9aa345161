/** “How many heads?”: the committed measurement, its statistics, and that it can be repeated. */
import { documents } from 'multihead-attention/documents';
import { loadTraining, mulberry32, RELATION_KINDS } from 'multihead-attention/training';
import { inPackage } from './consumer.js';

const training = (file) => import(inPackage(`dist/training/${file}`));
const { HEAD_EXPERIMENT: experiment } = await training('head-counts.js');
const { EARLY_STEPS, findingOf, headCountsOf, overall, spreadOf } = await training('head-runs.js');
const { untrainedEncoder } = await training('encoder-sizes.js');
const { evaluator, heldOutQuestions } = await training('evaluation.js');
const { trainStep, BATCH_SIZE } = await training('train-step.js');

const resultOf = (generator) => {
  let next = generator.next();
  while (!next.done) next = generator.next();
  return next.value;
};

describe('the committed measurement', () => {
  const { runs, questions } = experiment;
  const headCounts = [1, 2, 4, 8, 16, 32];
  const seeds = [...new Set(runs.map(({ seed }) => seed))];

  test('has each number of heads of document 001 with each seed once', () => {
    expect(documents.run('001-e').computed.map(({ heads }) => heads)).toEqual(headCounts);
    expect(seeds.length).toBeGreaterThanOrEqual(3);
    expect(runs.map(({ heads, seed }) => [heads, seed])).toEqual(
      headCounts.flatMap((heads) => seeds.map((seed) => [heads, seed])),
    );
  });

  test('counts whole words, and no more than were asked for', () => {
    for (const { right } of runs) {
      expect(Object.keys(right).toSorted()).toEqual(RELATION_KINDS.toSorted());
      for (const kind of RELATION_KINDS) {
        expect(Number.isInteger(right[kind])).toBe(true);
        expect(right[kind]).toBeGreaterThanOrEqual(0);
        expect(right[kind]).toBeLessThanOrEqual(questions[kind]);
      }
    }
  });

  test('asks for the hidden words of the language as it is', () => {
    const { counts, chance } = evaluator(heldOutQuestions(Infinity));
    expect(counts).toEqual(questions);
    expect(resultOf(chance()).accuracyOf).toEqual(experiment.chance);
    expect(BATCH_SIZE).toBe(experiment.batchSize);
  });

  test.each(headCounts)('%i heads: mean and deviation are those of the seeds', (heads) => {
    const { accuracies, mean, deviation, byKind } = headCountsOf(experiment).find(
      (count) => count.heads === heads,
    );
    const shares = runs
      .filter((run) => run.heads === heads)
      .map(({ right }) => RELATION_KINDS.map((kind) => right[kind] / questions[kind]));
    const expected = shares.map((share) => share.reduce((a, b) => a + b) / 4);
    expected.forEach((value, i) => expect(accuracies[i]).toBeCloseTo(value, 12));
    const middle = expected.reduce((a, b) => a + b) / expected.length;
    expect(mean).toBeCloseTo(middle, 12);
    // Var(x) = (Σx² − n·x̄²) / (n − 1)
    const squares = expected.reduce((sum, x) => sum + x * x, 0);
    const variance = (squares - expected.length * middle ** 2) / (expected.length - 1);
    expect(deviation).toBeCloseTo(Math.sqrt(variance), 7);
    RELATION_KINDS.forEach((kind, i) => {
      const values = shares.map((share) => share[i]);
      expect(byKind[kind].mean).toBeCloseTo(values.reduce((a, b) => a + b) / values.length, 12);
    });
  });

  test('leaves room to be better and to be worse', () => {
    const means = headCountsOf(experiment).map(({ mean }) => mean);
    expect(Math.max(...means)).toBeLessThan(1);
    expect(Math.min(...means)).toBeGreaterThan(overall(experiment.chance));
  });
});

describe('what follows from runs', () => {
  test('the spread of known numbers', () => {
    expect(spreadOf([2, 4, 4, 4, 5, 5, 7, 9]).mean).toBe(5);
    expect(spreadOf([2, 4, 4, 4, 5, 5, 7, 9]).deviation).toBeCloseTo(Math.sqrt(32 / 7), 12);
    expect(spreadOf([0.5])).toEqual({ mean: 0.5, deviation: 0 });
  });

  test('overlapping ranges are not distinguished', () => {
    const count = (heads, mean, deviation) => ({ heads, mean, deviation });
    const counts = [count(1, 0.5, 0.1), count(2, 0.7, 0.05), count(4, 0.8, 0.06), count(8, 0.74, 0)];
    const { best, close, below } = findingOf(counts);
    expect([best.heads, close, below]).toEqual([4, [2, 8], [1]]);
  });
});

describe('repeated', () => {
  /** Losses of the first steps of a run as long as the committed ones and, when `evaluated`, its model's accuracy. */
  async function begin({ heads, seed }, steps, { evaluated = false } = {}) {
    const { Encoder } = await loadTraining({ build: 'simd' });
    const encoder = untrainedEncoder(Encoder, { ...experiment, numHeads: heads, seed });
    try {
      const uniform = mulberry32(seed);
      const losses = Array.from(
        { length: steps },
        (_, step) => trainStep(encoder, uniform, { step, lastStep: experiment.steps }).loss,
      );
      const { accuracyOf } = evaluated ? resultOf(evaluator().evaluate(encoder, steps)) : {};
      return { losses, accuracyOf, parameters: encoder.parameterCount };
    } finally {
      encoder.dispose();
    }
  }

  test('the first steps of the committed run are still the same', async () => {
    const { losses, parameters } = await begin(experiment.runs[0], EARLY_STEPS);
    expect(parameters).toBe(experiment.parameters);
    expect(spreadOf(losses).mean).toBeCloseTo(experiment.earlyLoss, 4);
  });

  test('the same seed gives the same model twice, another seed another one', async () => {
    const first = await begin({ heads: 8, seed: 3 }, 5, { evaluated: true });
    const again = await begin({ heads: 8, seed: 3 }, 5, { evaluated: true });
    const other = await begin({ heads: 8, seed: 4 }, 5);
    expect(Object.keys(first.accuracyOf).toSorted()).toEqual(RELATION_KINDS.toSorted());
    expect(again).toEqual(first);
    expect(other.losses).not.toEqual(first.losses);
  });

  test('every number of heads has the same number of parameters', async () => {
    const counts = [];
    for (const heads of [1, 2, 4, 8, 16, 32]) counts.push((await begin({ heads, seed: 0 }, 1)).parameters);
    expect(new Set(counts)).toEqual(new Set([experiment.parameters]));
  });
});
