/** Wrong input: what is thrown, what it says, and that the instance still computes the right thing afterwards. */
import { documents } from 'multihead-attention/documents';
import { booleans, filled, itThrows, layer, m, sparse } from './wrong-calls.js';

describe('new MultiHeadAttention', () => {
  const make = (options) => new m.MultiHeadAttention(options);
  const withOption = (option) => make({ embedDim: 8, numHeads: 2, ...option });
  itThrows([
    [() => make(), TypeError, '`options` must be an object', 'undefined'],
    [() => make(8), TypeError, '`options`', 'the number 8'],
    [() => make(new Map([['embedDim', 8]])), TypeError, '`options`', 'a Map'],
    [() => make(new Date(0)), TypeError, '`options`', 'a Date'],
    [() => make({ numHeads: 2 }), TypeError, '`embedDim` must be an integer', 'undefined'],
    [() => make({ embedDim: 8 }), TypeError, '`numHeads` must be an integer', 'undefined'],
    [() => make({ embedDim: '8', numHeads: 2 }), TypeError, '`embedDim`', 'the string "8"'],
    [() => make({ embedDim: 8.5, numHeads: 2 }), RangeError, '`embedDim`', 'got 8.5'],
    [() => make({ embedDim: NaN, numHeads: 2 }), RangeError, '`embedDim`', 'got NaN'],
    [() => make({ embedDim: 8, numHeads: 0 }), RangeError, '`numHeads`', 'from 1', 'got 0'],
    [() => make({ embedDim: 8, numHeads: 2, vdim: -1 }), RangeError, '`vdim`', 'got -1'],
    [() => make({ embedDim: 2 ** 32, numHeads: 2 }), RangeError, '`embedDim`', '4294967296'],
    [
      () => make({ embedDim: 10, numHeads: 3 }),
      RangeError,
      '`embedDim` must be divisible by `numHeads`',
      'got embedDim 10 and numHeads 3',
    ],
    [
      () => make({ embedDim: 8, numHeads: 4, numKvHeads: 3 }),
      RangeError,
      '`numKvHeads` must divide numHeads (4), got 3',
    ],
    [() => make({ embedDim: null, numHeads: 2 }), TypeError, '`embedDim` must be'],
    [() => make({ embedDim: 8, numHeads: 2, seed: -1 }), RangeError, '`seed`', 'got -1'],
    [() => make({ embedDim: 8, numHeads: 2, seed: 2 ** 53 }), RangeError, '`seed`'],
    ...['bias', 'addBiasKv', 'addZeroAttn'].map((name) => [
      () => make({ embedDim: 8, numHeads: 2, [name]: 1 }),
      TypeError,
      `\`${name}\` must be true or false, got the number 1`,
    ]),
    [() => withOption({ dropout: '0.1' }), TypeError, '`dropout` must be a number', '"0.1"'],
    [() => withOption({ dropout: 1.5 }), RangeError, '`dropout` must be from 0 to 1, got 1.5'],
    [() => withOption({ dropout: -0.1 }), RangeError, '`dropout` must be from 0 to 1, got -0.1'],
    [() => withOption({ dropout: NaN }), RangeError, '`dropout`', 'got NaN'],
    [
      () => withOption({ activation: 'gelu' }),
      RangeError,
      '`activation` must be "none" or "relu", got "gelu"',
    ],
    [() => withOption({ activation: Math.tanh }), TypeError, '`activation` must be a string, got a Function'],
    [() => withOption({ rope: true }), TypeError, '`rope` must be an object', 'the boolean true'],
    [() => withOption({ rope: 'half' }), TypeError, '`rope`', 'the string "half"'],
    [
      () => withOption({ rope: { theta: 10_000 } }),
      TypeError,
      '`theta` must be an option of rope (base, dim, convention, cos, sin), got an unknown name',
    ],
    [
      () => withOption({ rope: { dim: 3 } }),
      RangeError,
      '`rope.dim` must be even and from 2 to headDim (4), got 3',
    ],
    [
      () => withOption({ rope: { dim: 6 } }),
      RangeError,
      '`rope.dim` must be even and from 2 to headDim (4), got 6',
    ],
    [() => withOption({ rope: { dim: 0 } }), RangeError, '`rope.dim`', 'got 0'],
    [() => withOption({ rope: { dim: '4' } }), TypeError, '`rope.dim`', '"4"'],
    [
      () => withOption({ headDim: 3, rope: {} }),
      RangeError,
      '`rope.dim` must be even and from 2 to headDim (3), got 3',
    ],
    [() => withOption({ rope: { base: 0 } }), RangeError, '`rope.base`', 'got 0'],
    [() => withOption({ rope: { base: -1 } }), RangeError, '`rope.base`', 'got -1'],
    [() => withOption({ rope: { base: 1e308 } }), RangeError, '`rope.base`'],
    [() => withOption({ rope: { base: Infinity } }), RangeError, '`rope.base`', 'Infinity'],
    [() => withOption({ rope: { base: '10000' } }), TypeError, '`rope.base`', '"10000"'],
    [
      () => withOption({ rope: { convention: 'neox' } }),
      RangeError,
      '`rope.convention` must be "half" or "interleaved", got "neox"',
    ],
    [() => withOption({ rope: { convention: 1 } }), TypeError, '`rope.convention`'],
    [() => make({ embed_dim: 8, num_heads: 2 }), TypeError, '`embed_dim`', 'embedDim'],
    [() => make({ embedDim: 2 ** 16, numHeads: 1 }), RangeError, 'out of memory'],
    [() => make({ embedDim: 2 ** 30, numHeads: 1 }), RangeError],
    [() => make({ embedDim: 8, numHeads: 2 ** 30, headDim: 4 }), RangeError],
  ]);
});

describe('loadStateDict', () => {
  const changed = (change) => () => {
    const dict = layer.stateDict();
    change(dict);
    layer.loadStateDict(dict);
  };
  itThrows([
    [() => layer.loadStateDict(), TypeError, '`dict`', 'got undefined'],
    [() => layer.loadStateDict([]), TypeError, '`dict`', 'an Array'],
    [() => layer.loadStateDict(new Map()), TypeError, '`dict`', 'a Map'],
    [() => layer.loadStateDict({}), RangeError, '`dict`', 'missing'],
    [changed((d) => (d.in_proj_bias = 0)), TypeError, '`in_proj_bias`', 'the number 0'],
    [changed((d) => delete d['out_proj.bias']), RangeError, 'out_proj.bias'],
    [changed((d) => (d.bias_k = filled(8))), RangeError, 'bias_k'],
    [
      changed((d) => {
        d.in_proj_weight = filled(24, 8);
        d['out_proj.weight'] = filled(8, 7);
      }),
      RangeError,
      '`out_proj.weight`',
      '(8, 8)',
      'got shape (8, 7)',
    ],
    [changed((d) => (d.q_proj_weight = filled(8, 8))), RangeError, 'q_proj_weight'],
  ]);
});

describe('flops', () => {
  itThrows([
    [() => layer.flops(), TypeError, '`L` must be an integer', 'got undefined'],
    [() => layer.flops(0), RangeError, '`L` must be an integer from 1', 'got 0'],
    [() => layer.flops(4, 2.5), RangeError, '`S`', 'got 2.5'],
    [() => layer.flops(4, '4'), TypeError, '`S`', 'the string "4"'],
    [() => layer.flops(4, 4, -1), RangeError, '`B`', 'got -1'],
  ]);
});

describe('scaledDotProductAttention', () => {
  const q = filled(2, 5, 4);
  const sdpa = (...args) => m.scaledDotProductAttention(...args);
  itThrows([
    [() => sdpa(q), TypeError, '`key`', 'got undefined'],
    [() => sdpa(q, q, 'v'), TypeError, '`value`', 'the string "v"'],
    [() => sdpa(filled(4), filled(4), filled(4)), RangeError, '`query`', 'got shape (4,)'],
    [() => sdpa(q, filled(2, 5, 3), q), RangeError, '`key`', 'got shape (2, 5, 3)'],
    [() => sdpa(q, filled(3, 5, 4), q), RangeError, '`key`', 'got shape (3, 5, 4)'],
    [() => sdpa(q, q, filled(2, 6, 4)), RangeError, '`value`', 'got shape (2, 6, 4)'],
    [() => sdpa(q, q, q, { mask: booleans(5, 6) }), RangeError, '`mask`', '(5, 6)'],
    [
      () => sdpa(q, q, q, { mask: [[1, 0, 1, 1, 1]] }),
      TypeError,
      '`mask` must hold booleans or a Uint8Array',
      'got numbers that are all 0 or 1',
    ],
    [() => sdpa(q, q, q, { attnMask: 1 }), TypeError, '`attnMask`', 'isCausal'],
    [() => sdpa(q, q, q, { scale: '1' }), TypeError, '`scale`', 'the string "1"'],
    [() => sdpa(q, q, q, { dropout: 2 }), RangeError, '`dropout` must be from 0 to 1, got 2'],
    [() => sdpa(q, q, q, { dropout: '0' }), TypeError, '`dropout`', 'the string "0"'],
    [() => sdpa(q, q, q, { seed: -1 }), RangeError, '`seed`', 'got -1'],
    [() => sdpa(q, q, q, { seed: 0.5 }), RangeError, '`seed`', 'got 0.5'],
    [() => sdpa(q, q, q, { softcap: -1 }), RangeError, '`softcap`', 'got -1'],
    [() => sdpa(q, q, q, { window: [0, -1] }), RangeError, '`window`', 'got -1'],
    [
      () => sdpa(q, filled(1, 5, 4), filled(1, 5, 4)),
      RangeError,
      '`key` must have the leading dimensions of `query`',
      'got shape (1, 5, 4)',
    ],
    [
      () => sdpa(filled(4, 5, 4), filled(3, 5, 4), filled(3, 5, 4), { enableGqa: true }),
      RangeError,
      '`key` must have a number of heads that divides the 4 of `query`',
      'got shape (3, 5, 4)',
    ],
    [
      () => sdpa(filled(4, 5, 4), filled(2, 5, 4), filled(1, 5, 4), { enableGqa: true }),
      RangeError,
      '`value`',
      'got shape (1, 5, 4)',
    ],
    [
      () => sdpa(q, q, q, { alibiSlopes: [1, 2, 3] }),
      RangeError,
      '`alibiSlopes` must have shape (2,), one slope per head, got shape (3,)',
    ],
    [() => sdpa(q, q, q, { alibiSlopes: true }), TypeError, '`alibiSlopes`', 'boolean true'],
    [() => sdpa(q, q, q, { alibiSlopes: [true, true] }), TypeError, '`alibiSlopes` must hold'],
    [() => sdpa(q, q, q, { alibi: true }), TypeError, '`alibi`', 'alibiSlopes'],
  ]);
});

describe('random', () => {
  const draw = (...args) => m.random.defaultRng(0).normal(...args);
  itThrows([
    [() => m.random.RandomState(), TypeError, '`seed` must be an integer', 'undefined'],
    [() => new m.random.defaultRng('0'), TypeError, '`seed`', 'the string "0"'],
    [() => m.random.defaultRng(-1), RangeError, '`seed`', 'got -1'],
    [() => m.random.RandomState(2 ** 32), RangeError, '`seed`', 'to 4294967295'],
    [() => m.random.RandomState(0.5), RangeError, '`seed`', 'got 0.5'],
    [() => draw('0'), TypeError, '`loc`', 'the string "0"'],
    [() => draw(0, -1), RangeError, '`scale` must be at least 0', 'got -1'],
    [() => draw(0, -0), RangeError, '`scale` must be at least 0', 'got -0'],
    [() => draw(0, NaN), RangeError, '`scale`', 'got NaN'],
    [() => draw(0, 1, '3'), TypeError, '`shape`', 'the string "3"'],
    [() => draw(0, 1, 0), RangeError, '`shape`', 'got 0'],
    [() => draw(0, 1, [2, 0]), RangeError, '`shape[1]`', 'got 0'],
    [() => draw(0, 1, sparse), TypeError, '`shape[1]`', 'got undefined'],
    [() => draw(0, 1, 2.5), RangeError, '`shape`', 'got 2.5'],
    [() => draw(0, 1, [2 ** 20, 2 ** 20]), RangeError, '`shape`', '1099511627776'],
    [() => draw(0, 1, 2 ** 31 - 1), RangeError, 'out of memory'],
  ]);
});

describe('documents', () => {
  const sentence = (...args) => documents.sentence(...args);
  itThrows([
    [() => documents.run('001-z'), RangeError, '`id`', '001-a, 001-b', 'got "001-z"'],
    [() => documents.run(), TypeError, '`id` must be a string', 'got undefined'],
    [() => documents.run(5), TypeError, '`id`', 'the number 5'],
    [() => documents.run(1n), TypeError, '`id`', 'the bigint 1'],
    [() => sentence(), TypeError, '`text` must be a string', 'got undefined'],
    [() => sentence(5), TypeError, '`text`', 'the number 5'],
    [() => sentence(''), RangeError, '`text` must have at least one word', 'empty'],
    [() => sentence(' \n\t\u3000'), RangeError, '`text` must have at least one word'],
    [() => sentence('a '.repeat(513)), RangeError, '`text` must have at most 512 words', 'got 513'],
    [
      () => sentence(`a ${'b'.repeat(257)}`),
      RangeError,
      '`text` must have words of at most 256 characters',
      'got 257',
    ],
    [() => sentence('a', { numHeads: 5 }), RangeError, '`numHeads` must divide 32', '5'],
    [() => sentence('a', { numHeads: 0 }), RangeError, '`numHeads`', 'got 0'],
    [() => sentence('a', { numHeads: '4' }), TypeError, '`numHeads`', 'the string "4"'],
    [() => sentence('a', { seed: -1 }), RangeError, '`seed`', 'got -1'],
    [() => sentence('a', { heads: 4 }), TypeError, '`heads`', 'numHeads, seed'],
  ]);
});
