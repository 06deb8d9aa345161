/** Results in tensors of the caller's: `forward` with `out`. */
import { load, Tensor } from 'multihead-attention';
import { bitsOf, modules } from './golden.js';
import { fill } from './reference.js';

const MARK = 7e30;
const room = (...shape) =>
  new Tensor(new Float32Array(shape.reduce((size, n) => size * n)).fill(MARK), shape);
const wave = (shape) => ({
  data: Float32Array.from({ length: shape.reduce((size, n) => size * n) }, (_, i) => Math.sin(i)),
  shape,
});

describe.each(modules)('$name', ({ options }) => {
  let m;
  beforeAll(async () => {
    m = await load(options);
  });
  const make = (more) => new m.MultiHeadAttention({ embedDim: 8, numHeads: 2, outDim: 6, seed: 4, ...more });

  test.each([
    ['batched', [2, 5, 8], {}],
    ['unbatched', [5, 8], {}],
    ['with keys behind those of the sequence', [2, 5, 8], { addBiasKv: true, addZeroAttn: true }],
    ['of so many weights that they come in pieces', [2, 300, 8], {}],
  ])('is filled and returned: %s', (_, shape, more) => {
    const layer = make(more);
    const x = wave(shape);
    const plain = layer.forward(x);
    const out = { output: room(...plain.output.shape), weights: room(...plain.weights.shape) };
    const given = layer.forward(x, { out });
    expect(bitsOf(given)).toEqual(bitsOf(plain));
    expect(given.output).toBe(out.output);
    expect(given.weights).toBe(out.weights);
    const again = layer.forward(x, { isCausal: true, out });
    expect(bitsOf(again)).toEqual(bitsOf(layer.forward(x, { isCausal: true })));
    expect(again.output).toBe(out.output);
  });

  test('takes either without the other, the mean over the heads, and no weights', () => {
    const layer = make();
    const x = wave([2, 5, 8]);
    const plain = layer.forward(x);
    const [output, weights, mean] = [room(2, 5, 6), room(2, 2, 5, 5), room(2, 5, 5)];
    expect(layer.forward(x, { out: { output } })).toEqual(plain);
    expect(layer.forward(x, { out: { output: null, weights } }).weights).toBe(weights);
    expect(weights).toEqual(plain.weights);
    const averaged = layer.forward(x, { averageWeights: true, out: { weights: mean } });
    expect(averaged.weights).toBe(mean);
    expect(mean).toEqual(layer.forward(x, { averageWeights: true }).weights);
    output.data.fill(MARK);
    expect(layer.forward(x, { needWeights: false, out: { output } }).output).toBe(output);
    expect(output).toEqual(layer.forward(x, { needWeights: false }).output);
    expect(layer.forward(x, { out: null })).toEqual(plain);
  });

  test('counts the keys of a cache', () => {
    const layer = make();
    const [cache, other] = [new m.KVCache(), new m.KVCache()];
    for (const rows of [3, 2]) {
      const x = wave([rows, 8]);
      const plain = layer.forward(x, { cache: other });
      const out = { weights: room(...plain.weights.shape) };
      expect(layer.forward(x, { cache, out })).toEqual(plain);
    }
    expect(() => layer.forward(wave([1, 8]), { cache, out: { weights: room(2, 1, 1) } })).toThrow(
      '`out.weights` must have shape (2, 1, 6), got shape (2, 1, 1)',
    );
    expect(cache.length).toBe(5);
  });

  test('may be part of a larger buffer, shared memory, an object with dims, and the input itself', () => {
    const layer = make({ outDim: 8 });
    const x = wave([5, 8]);
    const plain = layer.forward(x).output;
    const large = new Float32Array(100).fill(MARK);
    const part = large.subarray(20, 60);
    const { output } = layer.forward(x, { out: { output: { data: part, dims: [5, 8] } } });
    expect(output.data).toBe(part);
    expect(output).toEqual(plain);
    expect(
      [large.slice(0, 20), large.slice(60)].every((rest) =>
        rest.every((value) => value === Math.fround(MARK)),
      ),
    ).toBe(true);
    const shared = new Float32Array(new SharedArrayBuffer(160));
    layer.forward(x, { out: { output: { data: shared, shape: [5, 8] } } });
    expect(Float32Array.from(shared)).toEqual(plain.data);
    layer.forward(x, { out: { output: x } });
    expect(x.data).toEqual(plain.data);
  });

  test('is refused before anything is computed where it does not fit', () => {
    const layer = make();
    const x = wave([2, 5, 8]);
    const cache = new m.KVCache();
    const output = room(2, 5, 6);
    const liar = Object.defineProperty(new Float32Array(1), 'length', { value: 60 });
    for (const [out, error, message] of [
      [{ output: room(2, 5, 8) }, RangeError, '`out.output` must have shape (2, 5, 6), got shape (2, 5, 8)'],
      [
        { output, weights: room(2, 5, 5) },
        RangeError,
        '`out.weights` must have shape (2, 2, 5, 5), got shape',
      ],
      [{ output: { data: liar, shape: [2, 5, 6] } }, RangeError, '`out.output`'],
      [{ output: fill([2, 5, 6], () => 0) }, TypeError, '`out.output` must be a tensor ({ data, shape })'],
      [
        { output: { data: new Float64Array(60), shape: [2, 5, 6] } },
        TypeError,
        '`out.output.data` must be a Float32Array',
      ],
      [{ output: { data: new Float32Array(60) } }, TypeError, '`out.output.shape`'],
      [{ outputs: output }, TypeError, '`outputs` must be an option of out (output, weights)'],
      [output, TypeError, '`data` must be an option of out'],
      [7, TypeError, '`out` must be an object of options for out, got the number 7'],
      [0, TypeError, '`out` must be an object of options for out, got the number 0'],
      [{ output: 0 }, TypeError, '`out.output` must be a tensor'],
    ]) {
      const call = () => layer.forward(x, { cache, out });
      expect(call).toThrow(error);
      expect(call).toThrow(message);
    }
    const transferred = room(2, 5, 6);
    const transferring = {
      get output() {
        return transferred;
      },
      get weights() {
        structuredClone(transferred.data, { transfer: [transferred.data.buffer] });
        return null;
      },
    };
    const late = () => layer.forward(x, { cache, out: transferring });
    expect(late).toThrow('`out.output` must have 60 values');
    const needless = () => layer.forward(x, { needWeights: false, out: { weights: room(2, 2, 5, 5) } });
    expect(needless).toThrow('`out.weights` must be left out with needWeights: false');
    expect(() => layer.forward(wave([2, 5, 9]), { out: { output } })).toThrow('`query`');
    expect(cache.length).toBe(0);
    expect(output.data.every((value) => value === Math.fround(MARK))).toBe(true);
    expect(layer.forward(x).output.shape).toEqual([2, 5, 6]);
  });
});
