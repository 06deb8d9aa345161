import { load } from 'multihead-attention';

let masks;
beforeAll(async () => {
  ({ masks } = await load());
});

test('causal(n): a query sees itself and what came before', () => {
  const mask = masks.causal(4);
  expect(mask.data).toBeInstanceOf(Uint8Array);
  expect(mask.toNested()).toEqual([
    [1, 0, 0, 0],
    [1, 1, 0, 0],
    [1, 1, 1, 0],
    [1, 1, 1, 1],
  ]);
});

test('padding(lengths, maxLen) is the matrix that document 000 prints', () => {
  expect(masks.padding([5, 3, 7], 7).toNested()).toEqual([
    [1, 1, 1, 1, 1, 0, 0],
    [1, 1, 1, 0, 0, 0, 0],
    [1, 1, 1, 1, 1, 1, 1],
  ]);
  expect(masks.padding([0], 2).toNested()).toEqual([[0, 0]]);
});

test('slidingWindow(n, window): one number for both sides, or [left, right]', () => {
  expect(masks.slidingWindow(4, 1).toNested()).toEqual([
    [1, 1, 0, 0],
    [1, 1, 1, 0],
    [0, 1, 1, 1],
    [0, 0, 1, 1],
  ]);
  expect(masks.slidingWindow(3, [2, 0])).toEqual(masks.causal(3));
  expect(masks.slidingWindow(3, 0).toNested()).toEqual([
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ]);
});

test('fromTorch flips a boolean mask and keeps an additive one', () => {
  const flipped = masks.fromTorch([
    [false, true],
    [true, false],
  ]);
  expect(flipped.data).toBeInstanceOf(Uint8Array);
  expect(flipped.toNested()).toEqual([
    [1, 0],
    [0, 1],
  ]);
  expect(masks.fromTorch({ data: Uint8Array.of(0, 1, 255), shape: [3] }).toNested()).toEqual([1, 0, 0]);

  const additive = Float32Array.of(0, -Infinity);
  const kept = masks.fromTorch({ data: additive, shape: [1, 2] });
  expect(kept.data).toEqual(additive);
  expect(kept.data).not.toBe(additive);
});

test('causal is document 000’s mask in the other polarity', async () => {
  const { MultiHeadAttention } = await load();
  const layer = new MultiHeadAttention({ embedDim: 8, numHeads: 2 });
  const x = Array.from({ length: 5 }, (_, i) => Array.from({ length: 8 }, (_, j) => Math.sin(i * 8 + j)));
  const forward = (options) => layer.forward(x, undefined, undefined, options);
  const additive = x.map((_, i) => x.map((_, j) => (j > i ? -Infinity : 0)));
  const causal = forward({ isCausal: true });
  expect(forward({ attnMask: masks.causal(5) })).toEqual(causal);
  expect(forward({ attnMask: additive })).toEqual(causal);
  expect(forward({ attnMask: masks.fromTorch(additive) })).toEqual(causal);
});

test.each([
  [() => masks.causal('4'), TypeError, '`n`', 'the string "4"'],
  [() => masks.causal(0), RangeError, '`n`', 'got 0'],
  [() => masks.padding(5, 7), TypeError, '`lengths` must be an array', 'the number 5'],
  [() => masks.causal(1e5), RangeError, '`n` must be an integer from 1 to 46340', 'got 100000'],
  // eslint-disable-next-line no-sparse-arrays
  [() => masks.padding([2, , 1], 3), TypeError, '`lengths[1]`', 'got undefined'],
  [
    () => masks.padding([1, 1], 2 ** 31 - 1),
    RangeError,
    '`maxLen`',
    'from 1 to 1073741823',
    'got 2147483647',
  ],
  [() => masks.slidingWindow(1e5, 1), RangeError, '`n`', 'got 100000'],
  [() => masks.padding([], 7), RangeError, '`lengths` must not be empty', 'length 0'],
  [() => masks.padding([3, 8], 7), RangeError, '`lengths[1]`', 'from 0 to 7', 'got 8'],
  [() => masks.padding([-1], 7), RangeError, '`lengths[0]`', 'got -1'],
  [() => masks.padding([3], undefined), TypeError, '`maxLen`', 'got undefined'],
  [() => masks.slidingWindow(4, -1), RangeError, '`window`', 'got -1'],
  [() => masks.slidingWindow(4, [1, 2, 3]), RangeError, '`window`', '[left, right]', 'length 3'],
  [() => masks.slidingWindow(4, '1'), TypeError, '`window`', 'the string "1"'],
  [() => masks.fromTorch(null), TypeError, '`mask`', 'got null'],
  [() => masks.fromTorch([[0, 1]]), TypeError, '`mask` must hold booleans or a Uint8Array', 'all 0 or 1'],
  [() => masks.fromTorch([[true], [1]]), TypeError, '`mask[1][0]` must be a boolean', 'the number 1'],
])('bad input %#: %s', (call, ErrorClass, ...parts) => {
  expect(call).toThrow(ErrorClass);
  for (const part of parts) expect(call).toThrow(part);
});

test('an additive key_padding_mask is an attnMask (B,1,1,S)', async () => {
  const { MultiHeadAttention } = await load();
  const mha = new MultiHeadAttention({ embedDim: 4, numHeads: 2 });
  const x = { data: Float32Array.from({ length: 24 }, (_, i) => Math.sin(i)), shape: [2, 3, 4] };
  const real = masks.padding([3, 1], 3);
  const added = { data: Float32Array.from(real.data, (may) => (may ? 0 : -Infinity)), shape: [2, 1, 1, 3] };
  expect(mha.forward(x, { attnMask: added })).toEqual(mha.forward(x, { keyPaddingMask: real }));
  expect(() => mha.forward(x, { keyPaddingMask: { ...added, shape: [2, 3] } })).toThrow(TypeError);
});

test('keyPaddingMask takes a tokenizer’s integers', async () => {
  const { MultiHeadAttention } = await load();
  const mha = new MultiHeadAttention({ embedDim: 4, numHeads: 2 });
  const x = { data: Float32Array.from({ length: 24 }, (_, i) => Math.sin(i)), shape: [2, 3, 4] };
  const bits = [1, 1, 1, 1, 0, 0];
  const expected = mha.forward(x, { keyPaddingMask: masks.padding([3, 1], 3) });
  const nested = [bits.slice(0, 3), bits.slice(3)];
  expect(mha.forward(x, { keyPaddingMask: nested })).toEqual(expected);
  for (const data of [bits, Int8Array.from(bits), Int32Array.from(bits), BigInt64Array.from(bits, BigInt)]) {
    expect(mha.forward(x, { keyPaddingMask: { data, dims: [2, 3] } })).toEqual(expected);
  }
});
