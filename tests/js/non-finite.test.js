/** Non-finite numbers follow IEEE 754, but never cross a mask. */
import { load, Tensor } from 'multihead-attention';
import { modules, relativeDifference, TOLERANCE } from './golden.js';

const LENGTH = 9;
const WIDTH = 8;
const clean = () =>
  Array.from({ length: LENGTH }, (_, i) => Array.from({ length: WIDTH }, (_, j) => Math.cos(i * WIDTH + j)));
/** Poisoned keys may take another path through the kernels, whose rounding differs. */
const close = (actual, reference) =>
  expect(relativeDifference(actual, reference)).toBeLessThanOrEqual(TOLERANCE);

/** (…,L,S) → (…,L−1,S), as one row of numbers. */
function withoutLastRow({ data, shape }) {
  const [rows, columns] = shape.slice(-2);
  const kept = data.filter((_, i) => Math.floor(i / columns) % rows < rows - 1);
  return new Tensor(kept, [kept.length]);
}

describe.each(modules)('$name', ({ options }) => {
  let m, layer;
  beforeAll(async () => {
    m = await load(options);
    layer = new m.MultiHeadAttention({ embedDim: WIDTH, numHeads: 2 });
  });

  describe.each([NaN, Infinity, -Infinity])('%p in the last key and value', (poison) => {
    const poisoned = clean();
    poisoned[LENGTH - 1].fill(poison);
    const allowed = Array.from({ length: LENGTH }, (_, j) => j < LENGTH - 1);

    test.each([
      ['keyPaddingMask', { keyPaddingMask: allowed }],
      ['a boolean attnMask', { attnMask: [allowed] }],
      ['an additive attnMask', { attnMask: [allowed.map((may) => (may ? 0 : -Infinity))] }],
    ])('does not pass %s', (_, options) => {
      const query = clean();
      const { output, weights } = layer.forward(query, poisoned, poisoned, options);
      const reference = layer.forward(query, clean(), clean(), options);
      close(output, reference.output);
      close(weights, reference.weights);
      expect(output.data.every(Number.isFinite)).toBe(true);
    });

    test('does not pass isCausal to earlier rows', () => {
      const { output, weights } = layer.forward(poisoned, undefined, undefined, { isCausal: true });
      const reference = layer.forward(clean(), undefined, undefined, { isCausal: true });
      close(withoutLastRow(output), withoutLastRow(reference.output));
      close(withoutLastRow(weights), withoutLastRow(reference.weights));
    });

    test('does not pass scaledDotProductAttention’s mask', () => {
      const run = (keys) => m.scaledDotProductAttention([clean()], [keys], [keys], { mask: [allowed] });
      const [result, reference] = [run(poisoned), run(clean())];
      close(result.output, reference.output);
      close(result.weights, reference.weights);
    });
  });

  test('without a mask NaN propagates to the queries that attend to it', () => {
    const poisoned = clean();
    poisoned[2].fill(NaN);
    const { output } = layer.forward(clean(), poisoned);
    expect(output.data.every(Number.isNaN)).toBe(true);
  });
});
