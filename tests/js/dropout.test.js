import { load } from 'multihead-attention';
import { relativeError, TOLERANCE } from './golden.js';
import { averageHeads, indices } from './reference.js';

let m;
beforeAll(async () => {
  m = await load();
});

const filled = (...shape) => ({
  data: Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => Math.sin(i * i + 1)),
  shape,
});
const x = filled(2, 5, 8);
const make = (options) => new m.MultiHeadAttention({ embedDim: 8, numHeads: 2, ...options });
const forward = (layer, options) => layer.forward(x, x, x, options);

const P = 0.3;
const training = { training: true };
const heads = { data: filled(2, 4, 64, 8).data, shape: [2, 4, 64, 8] };
const attend = (options) => m.scaledDotProductAttention(heads, heads, heads, options);
const long = filled(2, 64, 8);
/** A kept weight is multiplied in float32. */
const kept = (p) => {
  const factor = Math.fround(1 / (1 - p));
  return (weight) => Math.fround(weight * factor);
};

/** Every weight is 0 or its scaled self; gives which are 0, as 0 and 1. */
function droppedOf(weights, clean, p) {
  const scaled = kept(p);
  const dropped = Array.from(weights.data, (weight) => Number(weight === 0));
  const expected = dropped.map((zero, i) => (zero ? 0 : scaled(clean.data[i])));
  expect(Array.from(weights.data)).toEqual(expected);
  return dropped;
}

/** Within five standard deviations of a binomial distribution. */
function expectFraction(zeros, p) {
  const count = zeros.reduce((sum, zero) => sum + zero, 0);
  const deviation = Math.sqrt(zeros.length * p * (1 - p));
  expect(Math.abs(count - zeros.length * p)).toBeLessThan(5 * deviation);
}

test.each([0.1, 0.3, 0.5, 0.9])('%d: drops that part of the weights and scales the others', (p) => {
  const layer = make({ dropout: p });
  const clean = layer.forward(long).weights;
  const [first, second] = [1, 2].map(() =>
    droppedOf(layer.forward(long, long, long, training).weights, clean, p),
  );
  expectFraction(first, p);
  expectFraction(second, p);
  // The second call drops others, independently of the first.
  expectFraction(
    first.map((zero, i) => zero * second[i]),
    p * p,
  );
});

test('equal seeds and equal calls give equal bits, other seeds others', () => {
  const runOf = (seed, state) => {
    const layer = make({ dropout: P, seed });
    if (state) layer.loadStateDict(state);
    const results = indices(3).map(() => forward(layer, training));
    const dict = layer.stateDict();
    layer.dispose();
    return { results, dict };
  };
  const { results, dict } = runOf(7);
  expect(runOf(7).results).toEqual(results);
  expect(results[1]).not.toEqual(results[0]);
  expect(runOf(8, dict).results).not.toEqual(results);
});

test('without training nothing is dropped, and nothing is drawn', () => {
  const [layer, plain, other] = [make({ dropout: P }), make(), make({ dropout: P })];
  expect(forward(layer)).toEqual(forward(plain));
  expect(forward(layer, { training: false })).toEqual(forward(plain));
  expect(forward(layer, training)).toEqual(forward(other, training));
  for (const each of [layer, plain, other]) each.dispose();
});

test('a call that throws draws nothing', () => {
  const [layer, other] = [make({ dropout: P }), make({ dropout: P })];
  expect(() => forward(layer, { training: true, attnMask: [[true, false]] })).toThrow(RangeError);
  expect(forward(layer, training)).toEqual(forward(other, training));
});

test('the output is that of the weights which are reported', () => {
  const [layer, other] = [make({ dropout: P }), make({ dropout: P })];
  const { v, weights, context, output } = layer.steps(x, x, x, training);
  expect(weights.data).toContain(0);
  const [values, rows] = [v.toNested(), weights.toNested()];
  const expected = rows.map((items, b) =>
    items.map((head, h) =>
      head.map((row) =>
        indices(4).map((p) => row.reduce((sum, weight, j) => sum + weight * values[b][h][j][p], 0)),
      ),
    ),
  );
  expect(relativeError(context, expected)).toBeLessThanOrEqual(TOLERANCE);
  expect(forward(other, training)).toEqual({ output, weights });
});

test('needWeights, averageWeights and returnScores do not change what is dropped', () => {
  const [layer, second, third] = indices(3).map(() => make({ dropout: P }));
  const { output, weights } = forward(layer, training);
  expect(forward(second, { training: true, needWeights: false }).output).toEqual(output);
  const averaged = forward(third, { training: true, averageWeights: true, returnScores: true });
  expect(averaged.output).toEqual(output);
  expect(relativeError(averaged.weights, averageHeads(weights.toNested()))).toBeLessThanOrEqual(1e-7);
  for (const each of [layer, second, third]) each.dispose();
});

test('masked weights stay 0; appended keys are dropped as others are', () => {
  const layer = make({ dropout: P, addBiasKv: true, addZeroAttn: true });
  const options = { isCausal: true, training: true };
  const clean = layer.forward(long, long, long, { isCausal: true }).weights;
  const { weights } = layer.forward(long, long, long, options);
  const scaled = kept(P);
  weights.data.forEach((weight, i) => expect([0, scaled(clean.data[i])]).toContain(weight));
  const columns = weights.toNested().flat(2);
  for (const j of [64, 65]) {
    expectFraction(
      columns.map((row) => Number(row[j] === 0)),
      P,
    );
  }
});

test('0 drops nothing; 1 drops all, so that the output is its bias', () => {
  const [none, all, plain] = [make({ dropout: 0 }), make({ dropout: 1 }), make()];
  const state = { ...plain.stateDict(), 'out_proj.bias': filled(8) };
  for (const layer of [none, all, plain]) layer.loadStateDict(state);
  expect(forward(none, training)).toEqual(forward(plain));
  const { output, weights } = forward(all, training);
  expect(weights.data.every((weight) => weight === 0)).toBe(true);
  for (const row of output.toNested().flat()) expect(row).toEqual(Array.from(filled(8).data));
  for (const layer of [none, all, plain]) layer.dispose();
});

test('scaledDotProductAttention drops by its seed, 0 by default', () => {
  const clean = attend({});
  const dropped = attend({ dropout: P });
  expectFraction(droppedOf(dropped.weights, clean.weights, P), P);
  expect(attend({ dropout: P })).toEqual(dropped);
  expect(attend({ dropout: P, seed: 0 })).toEqual(dropped);
  expect(attend({ dropout: P, needWeights: false }).output).toEqual(dropped.output);
  expect(attend({ dropout: P, seed: 1 })).not.toEqual(dropped);
  expect(attend({ dropout: 0, seed: 1 })).toEqual(clean);
  for (const { data } of Object.values(attend({ dropout: 1 }))) {
    expect(data.every((value) => value === 0)).toBe(true);
  }
});
