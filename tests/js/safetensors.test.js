/** Files of weights: bytes as the format's reference implementation writes them, and back. */
import { runInNewContext } from 'node:vm';
import { bitsOf, contents, file, floats, itThrows, m, read, write } from './safetensors-file.js';

describe('a layer', () => {
  const x = Array.from({ length: 5 }, (_, i) => Array.from({ length: 12 }, (_, j) => Math.sin(i * 12 + j)));

  test.each([
    { embedDim: 12, numHeads: 3 },
    { embedDim: 12, numHeads: 3, bias: false },
    { embedDim: 12, numHeads: 4, numKvHeads: 2, outDim: 7 },
    { embedDim: 12, numHeads: 2, headDim: 5, valueHeadDim: 3, addBiasKv: true },
  ])('%j goes through a file to the same bits', (options) => {
    const from = new m.MultiHeadAttention({ ...options, seed: 1 });
    const to = new m.MultiHeadAttention({ ...options, seed: 2 });
    expect(to.forward(x)).not.toEqual(from.forward(x));

    const dict = read(write(from.stateDict()));
    expect(dict).toEqual(from.stateDict());
    to.loadStateDict(dict);
    const [results, expected] = [to.forward(x), from.forward(x)];
    for (const name of ['output', 'weights']) expect(bitsOf(results[name])).toEqual(bitsOf(expected[name]));
  });

  test('comes out of a model’s file by its prefix, whatever else is in there', () => {
    const layer = new m.MultiHeadAttention({ embedDim: 8, numHeads: 2 });
    const { in_proj_weight } = layer.stateDict();
    const header = {
      'old.layers.0.attn.ids': { dtype: 'I64', shape: [1], data_offsets: [0, 8] },
      'layers.0.attn.in_proj_weight': { dtype: 'F32', shape: [24, 8], data_offsets: [8, 776] },
      empty: { dtype: 'F32', shape: [0], data_offsets: [8, 8] },
      'layers.0.': { dtype: 'F32', shape: [], data_offsets: [776, 780] },
    };
    const model = file(header, [...Array(8).fill(0), ...floats(...in_proj_weight.data), ...floats(7)]);

    expect(read(model, { prefix: 'layers.0.attn.' })).toEqual({ in_proj_weight });
    expect(Object.keys(read(model, { prefix: 'layers.0.' }))).toEqual(['attn.in_proj_weight', '']);
    expect(read(model, { prefix: 'layers.1.' })).toEqual({});
  });
});

describe('write', () => {
  const text = (bytes, from, to) => Buffer.from(bytes.buffer, from, to - from).toString();

  test('gives the bytes of the format', () => {
    const bytes = write({
      b: [
        [1, 2],
        [3, -0],
      ],
      'a.weight': { data: Float64Array.of(0.1), dims: [] },
    });
    const header =
      '{"a.weight":{"dtype":"F32","shape":[],"data_offsets":[0,4]},' +
      '"b":{"dtype":"F32","shape":[2,2],"data_offsets":[4,20]}}    ';
    expect(header.length % 8).toBe(0);
    expect(Array.from(bytes)).toEqual([
      ...[header.length, 0, 0, 0, 0, 0, 0, 0],
      ...Buffer.from(header),
      ...[0xcd, 0xcc, 0xcc, 0x3d],
      ...[0, 0, 0x80, 0x3f, 0, 0, 0, 0x40, 0, 0, 0x40, 0x40, 0, 0, 0, 0x80],
    ]);
  });

  // The two cases of the reference implementation's own tests (safetensors/src/tensor.rs).
  test.each([
    ['attn.0', [1, 2, 3], 64],
    ['attn0', [1, 1, 2, 3], 72],
  ])('a header of %s is padded as there', (name, shape, length) => {
    const bytes = write({ [name]: { data: [0, 1, 2, 3, 4, 5], shape } });
    expect(bytes).toHaveLength(8 + length + 24);
    expect(bytes[0]).toBe(length);
    const header = `{"${name}":{"dtype":"F32","shape":${JSON.stringify(shape)},"data_offsets":[0,24]}}`;
    expect(text(bytes, 8, 8 + length)).toBe(header.padEnd(length));
  });

  test.each([
    [{}, undefined, '{}      '],
    [{}, { framework: 'pt' }, '{"__metadata__":{"framework":"pt"}}     '],
    [
      {},
      { b: '', 10: 'é"\n', 9: '\u{1f600}' },
      '{"__metadata__":{"10":"é\\"\\n","9":"\u{1f600}","b":""}}      ',
    ],
  ])('of %j with metadata %j is a header alone', (dict, metadata, header) => {
    const bytes = write(dict, metadata);
    expect(text(bytes, 8, bytes.length)).toBe(header);
    expect(bytes[0]).toBe(Buffer.byteLength(header));
    expect(read(bytes)).toEqual({});
  });

  test('sorts the names by code points, not as an object or UTF-16 does', () => {
    const sorted = ['', '10', '9', 'a', 'a.b', 'ab', '\uffff', '\u{10000}'];
    const bytes = write(Object.fromEntries(sorted.toReversed().map((name) => [name, [1]])));
    const header = text(bytes, 8, 8 + bytes[0] + 256 * bytes[1]);
    expect(Array.from(header.matchAll(/"([^"]*)":\{/g), ([, name]) => name)).toEqual(sorted);
  });

  itThrows([
    ['no dict', () => write(), TypeError, '`dict` must be an object of tensors by name, got undefined'],
    ['a Map', () => write(new Map()), TypeError, '`dict` must be an object of tensors by name, got a Map'],
    [
      'a mask',
      () => write({ w: m.masks.causal(2) }),
      TypeError,
      '`w` must hold a Float32Array, a Float64Array or numbers, got a Uint8Array',
    ],
    [
      'an empty tensor',
      () => write({ w: { data: new Float32Array(0), shape: [2, 0] } }),
      RangeError,
      '`w` must not be empty, got shape (2, 0)',
    ],
    [
      'the reserved name',
      () => write({ __metadata__: [1] }),
      RangeError,
      '`dict` must leave the name __metadata__ to the format, got a tensor of that name',
    ],
    [
      'a lone surrogate in a name',
      () => write({ 'w\ud800': [1] }),
      RangeError,
      '`dict` must hold well-formed Unicode without U+0000, got the string "w\\ud800"',
    ],
    [
      'a null in a name',
      () => write({ 'w\0': [1] }),
      RangeError,
      '`dict` must hold well-formed Unicode without U+0000, got the string "w\\u0000"',
    ],
    [
      'metadata as text',
      () => write({}, 'pt'),
      TypeError,
      '`metadata` must be an object of strings by name, got the string "pt"',
    ],
    [
      'a number in the metadata',
      () => write({}, { epoch: 3 }),
      TypeError,
      '`metadata.epoch` must be a string, got the number 3',
    ],
    [
      'a lone surrogate in the metadata',
      () => write({}, { format: '\udc00' }),
      RangeError,
      '`metadata` must hold well-formed Unicode without U+0000, got the string "\\udc00"',
    ],
    [
      'more tensors than may be read again',
      () => write(Object.fromEntries(Array.from({ length: 2 ** 16 + 1 }, (_, i) => [`w${i}`, [1]]))),
      RangeError,
      '`dict` must have at most 65536 names, got 65537',
    ],
    [
      'a header over the limit',
      () => write({}, { a: 'x'.repeat(2 ** 24 - 22) }),
      RangeError,
      '`dict` must give, with `metadata`, a header of at most 16777216 bytes, got 16777224',
    ],
  ]);
});

describe('read', () => {
  const header = { w: { dtype: 'F32', shape: [3], data_offsets: [0, 12] } };
  const data = floats(1, -0, NaN);
  const bits = [0x3f800000, 0x80000000, 0x7fc00000];

  /** The same file where it is not aligned. */
  const shifted = Buffer.concat([Buffer.alloc(3), file(header, data)]).subarray(3);
  const filled = (buffer) => {
    new Uint8Array(buffer).set(shifted);
    return buffer;
  };

  test.each([
    ['a Buffer', () => shifted],
    ['an ArrayBuffer', () => new Response(shifted).arrayBuffer()],
    ['a SharedArrayBuffer', () => filled(new SharedArrayBuffer(shifted.length))],
    ['shared bytes', () => new Uint8Array(filled(new SharedArrayBuffer(shifted.length)))],
    ['a DataView', () => new DataView(shifted.buffer, shifted.byteOffset, shifted.length)],
    ['another realm’s buffer', () => filled(runInNewContext(`new ArrayBuffer(${shifted.length})`))],
  ])('takes %s and copies out of it', async (_, make) => {
    const bytes = await make();
    const { w } = read(bytes);
    const view = ArrayBuffer.isView(bytes)
      ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      : new Uint8Array(bytes);
    const before = view.slice();
    view.fill(0);
    expect(bitsOf(w)).toEqual(bits);
    view.set(before);
    expect(w.data.buffer).toBeInstanceOf(ArrayBuffer);
    expect(w.data.buffer.byteLength).toBe(12);
  });

  test('the header is decoded from a copy, since not every decoder takes shared memory', () => {
    const { decode } = TextDecoder.prototype;
    const buffers = [];
    TextDecoder.prototype.decode = function (bytes) {
      buffers.push(bytes.buffer);
      return decode.call(this, bytes);
    };
    try {
      read(filled(new SharedArrayBuffer(shifted.length)));
    } finally {
      TextDecoder.prototype.decode = decode;
    }
    expect(buffers).toEqual([expect.any(ArrayBuffer)]);
  });

  test('F64 is rounded to float32, and I64 exact', () => {
    const doubles = Float64Array.of(0.1, -1e40, NaN, 2 ** 24);
    const integers = BigInt64Array.of(0n, 511n, -16_777_216n, 2n ** 62n);
    const dict = read(
      file(
        {
          d: { dtype: 'F64', shape: [4], data_offsets: [0, 32] },
          i: { dtype: 'I64', shape: [2, 2], data_offsets: [32, 64] },
        },
        [...new Uint8Array(doubles.buffer), ...new Uint8Array(integers.buffer)],
      ),
    );
    expect(dict.d.data).toEqual(Float32Array.of(0.1, -Infinity, NaN, 2 ** 24));
    expect(dict.i.toNested()).toEqual([
      [0, 511],
      [-(2 ** 24), 2 ** 62],
    ]);
  });

  const every16 = new Uint16Array(65536).map((_, i) => i);
  test.each([
    ['F16', 5, 10],
    ['BF16', 8, 7],
  ])('all 65,536 values of %s are exact', (dtype, exponentBits, fractionBits) => {
    const { w } = read(file({ w: { dtype, shape: [65536], data_offsets: [0, 131072] } }, every16.buffer));
    const [emax, fmax, { pow }] = [2 ** exponentBits - 1, 2 ** fractionBits, Math];
    const bias = (emax - 1) / 2;
    const found = bitsOf(w);
    const wrong = Array.from(every16).filter((half) => {
      const sign = half >= 32768 ? -1 : 1;
      const exponent = Math.floor(half / fmax) % (emax + 1);
      const fraction = half % fmax;
      if (exponent === emax && fraction > 0) {
        const nan = (sign < 0 ? 0xff800000 : 0x7f800000) + fraction * pow(2, 23 - fractionBits);
        return found[half] !== nan;
      }
      const value =
        exponent === emax
          ? Infinity
          : exponent === 0
            ? (fraction / fmax) * pow(2, 1 - bias)
            : (1 + fraction / fmax) * pow(2, exponent - bias);
      return !Object.is(w.data[half], sign * value);
    });
    expect(wrong).toEqual([]);
  });

  test('keeps every bit of F32', () => {
    const values = [0x7fa00001, 0xffc12345, 1, 0x80000001, 0x7f800000];
    const bytes = file(
      { w: { dtype: 'F32', shape: [5], data_offsets: [0, 20] } },
      Uint32Array.from(values).buffer,
    );
    expect(bitsOf(read(bytes).w)).toEqual(values);
    expect(bitsOf(read(write(read(bytes))).w)).toEqual(values);
  });

  test('names are only names', () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', 'shape'];
    const bytes = write(Object.fromEntries(names.map((name, i) => [name, [i]])));
    const dict = read(bytes);
    expect(Object.keys(dict).sort()).toEqual(names.sort());
    expect(Object.getPrototypeOf(dict)).toBe(Object.getPrototypeOf({}));
    expect(Object.getOwnPropertyDescriptor(dict, '__proto__').value.toNested()).toEqual([0]);

    const layer = new m.MultiHeadAttention({ embedDim: 4, numHeads: 2 });
    expect(() => layer.loadStateDict(dict)).toThrow(RangeError);
  });

  test('the order in the header, blanks, escapes and metadata are free', () => {
    const text = ` { "dtype" : "F32" ,\n"data_offsets":\t[ 4 , 8 ] ,\r"shape" : [ ] } `;
    const bytes = file(
      `{"\\u0062\\n":${text},"a":{"shape":[1],"data_offsets":[0,4],"dtype":"F32"},"__metadata__":{"k":"\\u00e9"}}\n `,
      floats(1, 2),
    );
    expect(contents(read(bytes))).toEqual([
      ['b\n', [], [0x40000000]],
      ['a', [1], [0x3f800000]],
    ]);
  });

  test('65,536 tensors, and only the one that is asked for is made', () => {
    const count = 65_536;
    const entries = Array.from({ length: count }, (_, i) => [
      `t${i}.w`,
      { dtype: 'F32', shape: [1], data_offsets: [4 * i, 4 * i + 4] },
    ]);
    const bytes = file(Object.fromEntries(entries.toReversed()), new Float32Array(count).fill(3).buffer);
    expect(Object.keys(read(bytes))).toHaveLength(count);
    expect(contents(read(bytes, { prefix: 't33333.' }))).toEqual([['w', [1], [0x40400000]]]);
  }, 60_000);

  itThrows([
    [
      'a path',
      () => read('model.safetensors'),
      TypeError,
      '`bytes` must be an ArrayBuffer, a typed array or a DataView, got the string "model.safetensors"',
    ],
    [
      'a promise',
      () => read(Promise.resolve()),
      TypeError,
      '`bytes` must be an ArrayBuffer, a typed array or a DataView, got a Promise',
    ],
    [
      'an option that is none',
      () => read(shifted, { prefx: 'a' }),
      TypeError,
      '`prefx` must be an option of safetensors.read (prefix), got an unknown name',
    ],
    [
      'a prefix that is no string',
      () => read(shifted, { prefix: 3 }),
      TypeError,
      '`prefix` must be a string, got the number 3',
    ],
  ]);
});
