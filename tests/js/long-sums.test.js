/** Sums over thousands of keys and rows: no less exact than PyTorch's, and finite wherever their mean is. */
import { load } from 'multihead-attention';
import { builds, relativeError, TOLERANCE } from './golden.js';

const WIDTH = 4;
/** Rows of numbers around `offset`, the same in every run. */
const numbers = (rows, seed, offset = 0) => ({
  data: Float32Array.from({ length: rows * WIDTH }, (_, i) => offset + Math.sin(i * i + seed)),
  shape: [rows, WIDTH],
});
const rowsOf = ({ data }) =>
  Array.from({ length: data.length / WIDTH }, (_, i) => data.subarray(i * WIDTH, (i + 1) * WIDTH));
const dot = (a, b) => a.reduce((sum, x, p) => sum + x * b[p], 0);

/** The weights of one query, in float64. */
function weightsOf(query, keys) {
  const exponentials = keys.map((key) => Math.exp(dot(query, key) / Math.sqrt(WIDTH)));
  const total = exponentials.reduce((sum, x) => sum + x, 0);
  return exponentials.map((x) => x / total);
}

/** Σ factors[j]·rows[j] */
const mix = (factors, rows) =>
  Array.from({ length: WIDTH }, (_, p) => rows.reduce((sum, row, j) => sum + factors[j] * row[p], 0));

describe.each(builds)('%s', (build) => {
  let m;
  beforeAll(async () => {
    m = await load({ build });
  });

  const identity = Array.from({ length: WIDTH }, (_, i) =>
    Array.from({ length: WIDTH }, (_, j) => Number(i === j)),
  );

  /** A layer whose projections change nothing. */
  function plainLayer(bias) {
    const layer = new m.MultiHeadAttention({ embedDim: WIDTH, numHeads: 1, bias });
    const weights = { in_proj_weight: [identity, identity, identity].flat(), 'out_proj.weight': identity };
    layer.loadStateDict({ ...layer.stateDict(), ...weights });
    return layer;
  }

  // PyTorch's error is 2.9e-4 for 20,000 keys of 16 numbers.
  test('the gradient of a query over 20,000 keys whose values are around 100', () => {
    const layer = plainLayer(false);
    const [query, key, value] = [numbers(3, 1), numbers(20_000, 2), numbers(20_000, 3, 100)];
    const gradOutput = numbers(3, 4);
    layer.forward(query, key, value, { training: true });
    const gradients = layer.backward(gradOutput);
    layer.dispose();
    const [keys, values, grads] = [key, value, gradOutput].map(rowsOf);
    const expected = rowsOf(query).map((row, i) => {
      const weights = weightsOf(row, keys);
      const ofWeights = values.map((v) => dot(grads[i], v));
      const mean = weights.reduce((sum, weight, j) => sum + weight * ofWeights[j], 0);
      const ofScores = weights.map((weight, j) => (weight * (ofWeights[j] - mean)) / Math.sqrt(WIDTH));
      return mix(ofScores, keys);
    });
    expect(relativeError(gradients.query, expected)).toBeLessThanOrEqual(5e-5);
  });

  // PyTorch's error is 4e-8: half a step of float32.
  test('the gradient of a bias over 60,000 rows', () => {
    const layer = plainLayer(true);
    const gradOutput = numbers(60_000, 1, 1);
    layer.forward(numbers(60_000, 2), numbers(1, 3), numbers(1, 4), { training: true });
    const gradients = layer.backward(gradOutput);
    layer.dispose();
    const expected = mix(Array(60_000).fill(1), rowsOf(gradOutput));
    expect(relativeError(gradients['out_proj.bias'], expected)).toBeLessThanOrEqual(6e-8);
    // With one key, every weight is 1.
    const valueBias = { data: gradients.in_proj_bias.data.slice(2 * WIDTH), shape: [WIDTH] };
    expect(relativeError(valueBias, expected)).toBeLessThanOrEqual(5e-7);
  });

  test.each([1e36, 3e38])('values around %d, without weights as with them', (size) => {
    const value = numbers(600, 3);
    value.data.forEach((x, i) => (value.data[i] = size * (1 + 0.1 * x)));
    const [query, key] = [numbers(60, 1), numbers(600, 2)];
    const run = (needWeights) => m.scaledDotProductAttention(query, key, value, { needWeights }).output;
    const expected = rowsOf(query).map((row) => mix(weightsOf(row, rowsOf(key)), rowsOf(value)));
    expect(relativeError(run(true), expected)).toBeLessThanOrEqual(TOLERANCE);
    expect(relativeError(run(false), expected)).toBeLessThanOrEqual(TOLERANCE);
  });
});
