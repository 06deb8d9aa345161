/** Wrong input: what is thrown, what it says, and that the instance still computes the right thing afterwards. */
import { booleans, filled, itThrows, layer, m, sparse } from './wrong-calls.js';

describe('new MultiHeadAttention', () => {
  const make = (options) => new m.MultiHeadAttention(options);
  const withOption = (option) => make({ embedDim: 8, numHeads: 2, ...option });
  itThrows([
    ['no options', () => make(), TypeError, '`options` must be an object', 'undefined'],
    ['options as a number', () => make(8), TypeError, '`options`', 'the number 8'],
    ['options as a Map', () => make(new Map([['embedDim', 8]])), TypeError, '`options`', 'a Map'],
    ['options as a date', () => make(new Date(0)), TypeError, '`options`', 'a Date'],
    ['no embedDim', () => make({ numHeads: 2 }), TypeError, '`embedDim` must be an integer', 'undefined'],
    ['no numHeads', () => make({ embedDim: 8 }), TypeError, '`numHeads` must be an integer', 'undefined'],
    [
      'embedDim as text',
      () => make({ embedDim: '8', numHeads: 2 }),
      TypeError,
      '`embedDim`',
      'the string "8"',
    ],
    ['a fraction', () => make({ embedDim: 8.5, numHeads: 2 }), RangeError, '`embedDim`', 'got 8.5'],
    ['NaN', () => make({ embedDim: NaN, numHeads: 2 }), RangeError, '`embedDim`', 'got NaN'],
    ['zero heads', () => make({ embedDim: 8, numHeads: 0 }), RangeError, '`numHeads`', 'from 1', 'got 0'],
    ['a negative size', () => make({ embedDim: 8, numHeads: 2, vdim: -1 }), RangeError, '`vdim`', 'got -1'],
    [
      'a size beyond 32 bits',
      () => make({ embedDim: 2 ** 32, numHeads: 2 }),
      RangeError,
      '`embedDim`',
      '4294967296',
    ],
    [
      'embedDim not divisible by numHeads',
      () => make({ embedDim: 10, numHeads: 3 }),
      RangeError,
      '`embedDim` must be divisible by `numHeads`',
      'got embedDim 10 and numHeads 3',
    ],
    [
      'numHeads not divisible by numKvHeads',
      () => make({ embedDim: 8, numHeads: 4, numKvHeads: 3 }),
      RangeError,
      '`numKvHeads` must divide numHeads (4), got 3',
    ],
    ['embedDim as null', () => make({ embedDim: null, numHeads: 2 }), TypeError, '`embedDim` must be'],
    ['a negative seed', () => make({ embedDim: 8, numHeads: 2, seed: -1 }), RangeError, '`seed`', 'got -1'],
    ['a seed beyond 2⁵³', () => make({ embedDim: 8, numHeads: 2, seed: 2 ** 53 }), RangeError, '`seed`'],
    ...['bias', 'addBiasKv', 'addZeroAttn'].map((name) => [
      `${name} as a number`,
      () => make({ embedDim: 8, numHeads: 2, [name]: 1 }),
      TypeError,
      `\`${name}\` must be true or false, got the number 1`,
    ]),
    [
      'dropout as text',
      () => withOption({ dropout: '0.1' }),
      TypeError,
      '`dropout` must be a number',
      '"0.1"',
    ],
    [
      'dropout above 1',
      () => withOption({ dropout: 1.5 }),
      RangeError,
      '`dropout` must be from 0 to 1, got 1.5',
    ],
    [
      'dropout below 0',
      () => withOption({ dropout: -0.1 }),
      RangeError,
      '`dropout` must be from 0 to 1, got -0.1',
    ],
    ['dropout NaN', () => withOption({ dropout: NaN }), RangeError, '`dropout`', 'got NaN'],
    [
      'another activation',
      () => withOption({ activation: 'gelu' }),
      RangeError,
      '`activation` must be "none" or "relu", got "gelu"',
    ],
    [
      'activation as a function',
      () => withOption({ activation: Math.tanh }),
      TypeError,
      '`activation` must be a string, got a Function',
    ],
    [
      'rope as true',
      () => withOption({ rope: true }),
      TypeError,
      '`rope` must be an object',
      'the boolean true',
    ],
    ['rope as text', () => withOption({ rope: 'half' }), TypeError, '`rope`', 'the string "half"'],
    [
      'an unknown option of rope',
      () => withOption({ rope: { theta: 10_000 } }),
      TypeError,
      '`theta` must be an option of rope (base, dim, convention), got an unknown name',
    ],
    [
      'an odd number of turning dimensions',
      () => withOption({ rope: { dim: 3 } }),
      RangeError,
      '`rope.dim` must be even and from 2 to headDim (4), got 3',
    ],
    [
      'more turning dimensions than there are',
      () => withOption({ rope: { dim: 6 } }),
      RangeError,
      '`rope.dim` must be even and from 2 to headDim (4), got 6',
    ],
    ['no turning dimension', () => withOption({ rope: { dim: 0 } }), RangeError, '`rope.dim`', 'got 0'],
    ['turning dimensions as text', () => withOption({ rope: { dim: '4' } }), TypeError, '`rope.dim`', '"4"'],
    [
      'rope with an odd headDim',
      () => withOption({ headDim: 3, rope: {} }),
      RangeError,
      '`rope.dim` must be even and from 2 to headDim (3), got 3',
    ],
    ['a base of 0', () => withOption({ rope: { base: 0 } }), RangeError, '`rope.base`', 'got 0'],
    ['a negative base', () => withOption({ rope: { base: -1 } }), RangeError, '`rope.base`', 'got -1'],
    [
      'a base that float32 cannot hold',
      () => withOption({ rope: { base: 1e308 } }),
      RangeError,
      '`rope.base`',
    ],
    [
      'an infinite base',
      () => withOption({ rope: { base: Infinity } }),
      RangeError,
      '`rope.base`',
      'Infinity',
    ],
    ['a base as text', () => withOption({ rope: { base: '10000' } }), TypeError, '`rope.base`', '"10000"'],
    [
      'another convention',
      () => withOption({ rope: { convention: 'neox' } }),
      RangeError,
      '`rope.convention` must be "half" or "interleaved", got "neox"',
    ],
    [
      'a convention as a number',
      () => withOption({ rope: { convention: 1 } }),
      TypeError,
      '`rope.convention`',
    ],
    ['PyTorch’s spelling', () => make({ embed_dim: 8, num_heads: 2 }), TypeError, '`embed_dim`', 'embedDim'],
    ['more weights than fit', () => make({ embedDim: 2 ** 16, numHeads: 1 }), RangeError, 'out of memory'],
    ['weights whose size overflows', () => make({ embedDim: 2 ** 30, numHeads: 1 }), RangeError],
    ['a width that overflows', () => make({ embedDim: 8, numHeads: 2 ** 30, headDim: 4 }), RangeError],
  ]);
});

describe('loadStateDict', () => {
  const changed = (change) => () => {
    const dict = layer.stateDict();
    change(dict);
    layer.loadStateDict(dict);
  };
  itThrows([
    ['nothing', () => layer.loadStateDict(), TypeError, '`dict`', 'got undefined'],
    ['an array', () => layer.loadStateDict([]), TypeError, '`dict`', 'an Array'],
    ['a Map', () => layer.loadStateDict(new Map()), TypeError, '`dict`', 'a Map'],
    ['an empty dict', () => layer.loadStateDict({}), RangeError, '`dict`', 'missing'],
    [
      'a value that is no tensor',
      changed((d) => (d.in_proj_bias = 0)),
      TypeError,
      '`in_proj_bias`',
      'the number 0',
    ],
    ['a missing name', changed((d) => delete d['out_proj.bias']), RangeError, 'out_proj.bias'],
    ['an unknown name', changed((d) => (d.bias_k = filled(8))), RangeError, 'bias_k'],
    [
      'a wrong shape, after others that are right',
      changed((d) => {
        d.in_proj_weight = filled(24, 8);
        d['out_proj.weight'] = filled(8, 7);
      }),
      RangeError,
      '`out_proj.weight`',
      '(8, 8)',
      'got shape (8, 7)',
    ],
    ['both forms at once', changed((d) => (d.q_proj_weight = filled(8, 8))), RangeError, 'q_proj_weight'],
  ]);
});

describe('flops', () => {
  itThrows([
    ['no length', () => layer.flops(), TypeError, '`L` must be an integer', 'got undefined'],
    ['a length of 0', () => layer.flops(0), RangeError, '`L` must be an integer from 1', 'got 0'],
    ['a fraction of keys', () => layer.flops(4, 2.5), RangeError, '`S`', 'got 2.5'],
    ['keys as text', () => layer.flops(4, '4'), TypeError, '`S`', 'the string "4"'],
    ['a negative batch', () => layer.flops(4, 4, -1), RangeError, '`B`', 'got -1'],
  ]);
});

describe('scaledDotProductAttention', () => {
  const q = filled(2, 5, 4);
  const sdpa = (...args) => m.scaledDotProductAttention(...args);
  itThrows([
    ['no key', () => sdpa(q), TypeError, '`key`', 'got undefined'],
    ['text as value', () => sdpa(q, q, 'v'), TypeError, '`value`', 'the string "v"'],
    ['a vector', () => sdpa(filled(4), filled(4), filled(4)), RangeError, '`query`', 'got shape (4,)'],
    ['key of another width', () => sdpa(q, filled(2, 5, 3), q), RangeError, '`key`', 'got shape (2, 5, 3)'],
    ['key of other heads', () => sdpa(q, filled(3, 5, 4), q), RangeError, '`key`', 'got shape (3, 5, 4)'],
    [
      'value of another length',
      () => sdpa(q, q, filled(2, 6, 4)),
      RangeError,
      '`value`',
      'got shape (2, 6, 4)',
    ],
    [
      'a mask of the wrong size',
      () => sdpa(q, q, q, { mask: booleans(5, 6) }),
      RangeError,
      '`mask`',
      '(5, 6)',
    ],
    [
      'a mask of numbers 0 and 1',
      () => sdpa(q, q, q, { mask: [[1, 0, 1, 1, 1]] }),
      TypeError,
      '`mask` must hold booleans or a Uint8Array',
      'got numbers that are all 0 or 1',
    ],
    [
      'an option that does not exist',
      () => sdpa(q, q, q, { attnMask: 1 }),
      TypeError,
      '`attnMask`',
      'isCausal',
    ],
    ['scale as text', () => sdpa(q, q, q, { scale: '1' }), TypeError, '`scale`', 'the string "1"'],
    [
      'dropout above 1',
      () => sdpa(q, q, q, { dropout: 2 }),
      RangeError,
      '`dropout` must be from 0 to 1, got 2',
    ],
    ['dropout as text', () => sdpa(q, q, q, { dropout: '0' }), TypeError, '`dropout`', 'the string "0"'],
    ['a negative seed', () => sdpa(q, q, q, { seed: -1 }), RangeError, '`seed`', 'got -1'],
    ['a fractional seed', () => sdpa(q, q, q, { seed: 0.5 }), RangeError, '`seed`', 'got 0.5'],
    ['a negative softcap', () => sdpa(q, q, q, { softcap: -1 }), RangeError, '`softcap`', 'got -1'],
    ['a negative window', () => sdpa(q, q, q, { window: [0, -1] }), RangeError, '`window`', 'got -1'],
    [
      'fewer key heads without enableGqa',
      () => sdpa(q, filled(1, 5, 4), filled(1, 5, 4)),
      RangeError,
      '`key` must have the leading dimensions of `query`',
      'got shape (1, 5, 4)',
    ],
    [
      'key heads that do not divide those of query',
      () => sdpa(filled(4, 5, 4), filled(3, 5, 4), filled(3, 5, 4), { enableGqa: true }),
      RangeError,
      '`key` must have a number of heads that divides the 4 of `query`',
      'got shape (3, 5, 4)',
    ],
    [
      'other heads in value than in key',
      () => sdpa(filled(4, 5, 4), filled(2, 5, 4), filled(1, 5, 4), { enableGqa: true }),
      RangeError,
      '`value`',
      'got shape (1, 5, 4)',
    ],
    [
      'slopes for other heads',
      () => sdpa(q, q, q, { alibiSlopes: [1, 2, 3] }),
      RangeError,
      '`alibiSlopes` must have shape (2,), one slope per head, got shape (3,)',
    ],
    [
      'slopes as true',
      () => sdpa(q, q, q, { alibiSlopes: true }),
      TypeError,
      '`alibiSlopes`',
      'boolean true',
    ],
    [
      'boolean slopes',
      () => sdpa(q, q, q, { alibiSlopes: [true, true] }),
      TypeError,
      '`alibiSlopes` must hold',
    ],
    ['the layer’s alibi', () => sdpa(q, q, q, { alibi: true }), TypeError, '`alibi`', 'alibiSlopes'],
  ]);
});

describe('random', () => {
  const draw = (...args) => m.random.defaultRng(0).normal(...args);
  itThrows([
    ['no seed', () => m.random.RandomState(), TypeError, '`seed` must be an integer', 'undefined'],
    ['a seed as text', () => new m.random.defaultRng('0'), TypeError, '`seed`', 'the string "0"'],
    ['a negative seed', () => m.random.defaultRng(-1), RangeError, '`seed`', 'got -1'],
    ['a seed beyond 32 bits', () => m.random.RandomState(2 ** 32), RangeError, '`seed`', 'to 4294967295'],
    ['a fractional seed', () => m.random.RandomState(0.5), RangeError, '`seed`', 'got 0.5'],
    ['loc as text', () => draw('0'), TypeError, '`loc`', 'the string "0"'],
    ['a negative scale', () => draw(0, -1), RangeError, '`scale` must be at least 0', 'got -1'],
    ['a scale of −0', () => draw(0, -0), RangeError, '`scale` must be at least 0', 'got -0'],
    ['scale NaN', () => draw(0, NaN), RangeError, '`scale`', 'got NaN'],
    ['shape as text', () => draw(0, 1, '3'), TypeError, '`shape`', 'the string "3"'],
    ['an empty shape', () => draw(0, 1, 0), RangeError, '`shape`', 'got 0'],
    ['a dimension of 0', () => draw(0, 1, [2, 0]), RangeError, '`shape[1]`', 'got 0'],
    ['a hole in a shape', () => draw(0, 1, sparse), TypeError, '`shape[1]`', 'got undefined'],
    ['a fractional shape', () => draw(0, 1, 2.5), RangeError, '`shape`', 'got 2.5'],
    [
      'more draws than can be counted',
      () => draw(0, 1, [2 ** 20, 2 ** 20]),
      RangeError,
      '`shape`',
      '1099511627776',
    ],
    ['more draws than fit', () => draw(0, 1, 2 ** 31 - 1), RangeError, 'out of memory'],
  ]);
});

describe('documents', () => {
  const sentence = (...args) => m.documents.sentence(...args);
  itThrows([
    ['an unknown id', () => m.documents.run('001-z'), RangeError, '`id`', '001-a, 001-b', 'got "001-z"'],
    ['no id', () => m.documents.run(), TypeError, '`id` must be a string', 'got undefined'],
    ['a number as id', () => m.documents.run(5), TypeError, '`id`', 'the number 5'],
    ['a bigint as id', () => m.documents.run(1n), TypeError, '`id`', 'the bigint 1'],
    ['no sentence', () => sentence(), TypeError, '`text` must be a string', 'got undefined'],
    ['a number as sentence', () => sentence(5), TypeError, '`text`', 'the number 5'],
    ['an empty sentence', () => sentence(''), RangeError, '`text` must have at least one word', 'empty'],
    ['only white space', () => sentence(' \n\t\u3000'), RangeError, '`text` must have at least one word'],
    [
      'too many words',
      () => sentence('a '.repeat(513)),
      RangeError,
      '`text` must have at most 512 words',
      'got 513',
    ],
    [
      'a word without end',
      () => sentence(`a ${'b'.repeat(257)}`),
      RangeError,
      '`text` must have words of at most 256 characters',
      'got 257',
    ],
    [
      'heads that do not divide 32',
      () => sentence('a', { numHeads: 5 }),
      RangeError,
      '`numHeads` must divide 32',
      '5',
    ],
    ['no heads', () => sentence('a', { numHeads: 0 }), RangeError, '`numHeads`', 'got 0'],
    ['heads as text', () => sentence('a', { numHeads: '4' }), TypeError, '`numHeads`', 'the string "4"'],
    ['a negative seed', () => sentence('a', { seed: -1 }), RangeError, '`seed`', 'got -1'],
    ['an unknown option', () => sentence('a', { heads: 4 }), TypeError, '`heads`', 'numHeads, seed'],
  ]);
});
