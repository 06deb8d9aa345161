/** Errors for wrong input, case by case: torch 1.13's and this library's. */
import { load } from 'multihead-attention';
import { readGolden } from './golden.js';

let m, layer;
beforeAll(async () => {
  m = await load();
  layer = new m.MultiHeadAttention({ embedDim: 8, numHeads: 2 });
});

const filled = (value, ...shape) => ({
  data: new Float32Array(shape.reduce((a, b) => a * b)).fill(value),
  shape,
});
const bytes = (...shape) => ({ data: new Uint8Array(shape.reduce((a, b) => a * b)).fill(1), shape });
const integers = (...shape) => ({
  data: new BigInt64Array(shape.reduce((a, b) => a * b)).fill(1n),
  shape,
});
const x = filled(0.5, 3, 6, 8);
const forward = (options) => layer.forward(x, x, x, options);
const make = (embedDim, numHeads) => new m.MultiHeadAttention({ embedDim, numHeads });

/** By torch's label: the same call, and its error here, or null where this library computes. */
const cases = {
  'embed_dim 10, num_heads 3': [() => make(10, 3), RangeError, '`embedDim` must be divisible by `numHeads`'],
  'num_heads 0': [() => make(8, 0), RangeError, '`numHeads`'],
  'embed_dim 0': [() => make(0, 2), RangeError, '`embedDim`'],
  '2-D attn_mask wrong shape (5,6) for L=S=6': [
    () => forward({ attnMask: bytes(5, 6) }),
    RangeError,
    'got shape (5, 6)',
  ],
  // Batch and heads are separate axes here.
  '3-D attn_mask (B,L,S) instead of (B*H,L,S)': [() => forward({ attnMask: bytes(3, 6, 6) }), null],
  '4-D attn_mask': [() => forward({ attnMask: bytes(3, 2, 6, 6) }), null],
  'key_padding_mask wrong shape (3,5)': [
    () => forward({ keyPaddingMask: bytes(3, 5) }),
    RangeError,
    '`keyPaddingMask` must have shape (3, 6), got shape (3, 5)',
  ],
  // Padding masks are boolean: additive masks are attnMask.
  'key_padding_mask float64': [
    () => forward({ keyPaddingMask: filled(0, 3, 6) }),
    TypeError,
    '`keyPaddingMask` must hold booleans, a Uint8Array, or integers',
  ],
  'key_padding_mask float64 with float attn_mask': [
    () => forward({ keyPaddingMask: filled(0, 3, 6), attnMask: filled(0, 6, 6) }),
    TypeError,
    '`keyPaddingMask` must hold booleans, a Uint8Array, or integers',
  ],
  'key_padding_mask int64': [() => forward({ keyPaddingMask: integers(3, 6) }), null],
  'attn_mask int64': [() => forward({ attnMask: integers(6, 6) }), TypeError, '`attnMask` must hold'],
  'attn_mask uint8': [() => forward({ attnMask: bytes(6, 6) }), null],
  'key and value length differ': [
    () => layer.forward(x, x, filled(0.5, 3, 5, 8)),
    RangeError,
    '`value` must have the length 6 of `key`',
  ],
  'batch differ': [
    () => layer.forward(x, filled(0.5, 2, 6, 8)),
    RangeError,
    '`key` must have the batch size 3 of `query`',
  ],
  'query feature dim 6, embed 8': [
    () => layer.forward(filled(0.5, 3, 6, 6), x),
    RangeError,
    '`query` must have last dimension 8 (embedDim)',
  ],
  'S=0 keys': [() => layer.forward(x, filled(0, 3, 0, 8)), null, 'tensor([[[0., 0.'],
  'L=0 query': [() => layer.forward(filled(0, 3, 0, 8), x), null, 'torch.Size([3, 0, 8])'],
  'B=0': [() => layer.forward(filled(0, 0, 6, 8)), null, 'torch.Size([0, 6, 8])'],
  // There is one computing type here, and other numbers are rounded to it.
  'float32 input into float64 module': [
    () => layer.forward({ data: Float64Array.from(x.data), shape: x.shape }),
    null,
  ],
};

const golden = readGolden('torch/mha_error_catalogue.json').cases;

test('the catalogue is complete', () => {
  expect(Object.keys(cases)).toEqual(golden.map(({ label }) => label));
});

test.each(golden.map(({ label }) => label))('%s', (label) => {
  const [call, ErrorClass, message] = cases[label];
  if (message?.startsWith('torch.Size')) {
    expect(`torch.Size([${call().output.shape.join(', ')}])`).toBe(message);
  } else if (message?.startsWith('tensor')) {
    expect(call().output.data.every((value) => value === 0)).toBe(true);
  } else if (ErrorClass === null) {
    expect(call()).toEqual(layer.forward(x));
  } else {
    expect(call).toThrow(ErrorClass);
    expect(call).toThrow(message);
  }
});

test('torch’s mask per batch item and head, (B·H,L,S), is refused', () => {
  expect(() => forward({ attnMask: bytes(6, 6, 6) })).toThrow(RangeError);
  expect(() => forward({ attnMask: bytes(6, 6, 6) })).toThrow('got shape (6, 6, 6)');
});
