/** Files of weights: bytes as the format's reference implementation writes them, and what it forbids refused. */
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { load, Tensor } from 'multihead-attention';
import { randomCases, randomSeed } from './random-seed.js';

const seed = randomSeed('safetensors');
fc.configureGlobal({ seed, numRuns: randomCases(500) });

let m, read, write;
beforeAll(async () => {
  m = await load();
  ({ read, write } = m.safetensors);
});

/** A file with this header, as an object, as text or as bytes, and this data. */
function file(header, data = []) {
  const plain = typeof header === 'string' || Buffer.isBuffer(header);
  const bytes = Buffer.from(plain ? header : JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(bytes.length));
  return Buffer.concat([length, bytes, Buffer.from(data)]);
}

const floats = (...values) => Buffer.from(Float32Array.from(values).buffer);
const bitsOf = ({ data }) => Array.from(new Uint32Array(data.buffer, data.byteOffset, data.length));
const contents = (dict) =>
  Object.entries(dict).map(([name, tensor]) => [name, Array.from(tensor.shape), bitsOf(tensor)]);

function errorOf(call) {
  try {
    call();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

/** Each case: the call, the class of its error and the whole message. */
function itThrows(cases) {
  test.each(cases)('%s', (_, call, ErrorClass, message) => {
    const error = errorOf(call);
    expect(error.message).toBe(message);
    expect(error.constructor).toBe(ErrorClass);
    expect(error.argument).toBe(/^`([^`]+)` must /.exec(message)[1]);
  });
}

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
    from.dispose();
    to.dispose();
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
    layer.dispose();
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
    layer.dispose();
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

describe('read refuses a file', () => {
  const entry = (dtype, shape, ...data_offsets) => ({ dtype, shape, data_offsets });
  const length = (size) => {
    const bytes = Buffer.alloc(24);
    bytes.writeBigUInt64LE(size);
    return bytes;
  };
  const w = '{"dtype":"F32","shape":[1],"data_offsets":[0,4]}';
  const four = [0, 0, 0, 0];
  const dtypes =
    'BOOL, F4, F6_E2M3, F6_E3M2, U8, I8, F8_E5M2, F8_E4M3, F8_E8M0, F8_E4M3FNUZ, F8_E5M2FNUZ, I16, U16, F16, ' +
    'BF16, I32, U32, F32, C64, F64, I64, U64';

  /** Members of an object: as many names, each with this value. */
  const names = (count, value) => Array.from({ length: count }, (_, i) => `"${i}":${value}`).join(',');

  const cases = [
    ['of nothing', Buffer.alloc(0), '`bytes` must hold at least 8 bytes, got 0'],
    ['of less than a length', Buffer.alloc(7), '`bytes` must hold at least 8 bytes, got 7'],
    [
      'with a header of 2⁶³ bytes',
      length(2n ** 63n),
      '`bytes` must have a header of at most 16777216 bytes, got 9223372036854775808',
    ],
    [
      'with a header just over the limit',
      length(2n ** 24n + 1n),
      '`bytes` must have a header of at most 16777216 bytes, got 16777217',
    ],
    [
      'with a header at the limit that is not there',
      length(2n ** 24n),
      '`bytes` must hold a header of 16777216 bytes, got 16 bytes',
    ],
    ['with a header that ends too soon', length(17n), '`bytes` must hold a header of 17 bytes, got 16 bytes'],
    [
      'whose header is not UTF-8',
      file(Buffer.from([0x7b, 0x22, 0xff, 0x22])),
      '`header` must be UTF-8, got bytes that are not',
    ],
    ['without a header', file(''), '`header` must begin with {, got the string ""'],
    ['that begins with a blank', file(' {}'), '`header` must begin with {, got the string " {}"'],
    [
      'that begins with a byte order mark',
      file('\ufeff{}'),
      '`header` must begin with {, got the string "\ufeff{}"',
    ],
    ['whose header is an array', file('[]'), '`header` must begin with {, got the string "[]"'],
    ['whose header is open', file('{'), '`header` must be an object with names as strings, got its end'],
    ['whose header goes on', file('{} {}'), '`header` must be one object and blanks, got "{}"'],
    ['that is padded with zeros', file('{}\0'), '`header` must be one object and blanks, got "\\u0000"'],
    [
      'with a comma too many',
      file(`{"w":${w},}`, four),
      '`header` must be an object with names as strings, got "}"',
    ],
    [
      'without a comma',
      file(`{"w":${w}"v":${w}}`, four),
      '`header` must be an object that ends with }, got "\\"v\\":{\\"dtype\\":\\"F32\\",\\""',
    ],
    [
      'without a colon',
      file('{"w" 1}'),
      '`header` must be an object with a colon after every name, got "1}"',
    ],
    [
      'with a name that is no string',
      file(`{1:${w}}`, four),
      '`header` must be an object with names as strings, got "1:{\\"dtype\\":\\"F32\\",\\"sh"',
    ],
    [
      'with a control character in a name',
      file(`{"a\n":${w}}`, four),
      '`header` must be an object with names as strings, got "\\"a\\n\\":{\\"dtype\\":\\"F32\\","',
    ],
    [
      'with a string that does not end',
      file('{"w\\"'),
      '`header` must be an object with names as strings, got "\\"w\\\\\\""',
    ],
    [
      'with a name twice',
      file(`{"w":${w},"v":${w},"\\u0077":${w}}`, four),
      '`header` must have every name once, got the string "w" twice',
    ],
    [
      'with __proto__ twice',
      file(`{"__proto__":${w},"__proto__":${w}}`, four),
      '`header` must have every name once, got the string "__proto__" twice',
    ],
    [
      'with a field twice',
      file('{"w":{"dtype":"F32","shape":[1],"shape":[1],"data_offsets":[0,4]}}', four),
      '`w` must have every name once, got the string "shape" twice',
    ],
    [
      'with metadata twice',
      file('{"__metadata__":{},"__metadata__":{}}'),
      '`header` must have every name once, got the string "__metadata__" twice',
    ],
    [
      'with a key of the metadata twice',
      file('{"__metadata__":{"a":"","a":""}}'),
      '`__metadata__` must have every name once, got the string "a" twice',
    ],
    [
      'with a null in a name',
      file(`{"w\\u0000":${w}}`, four),
      '`header` must hold well-formed Unicode without U+0000, got the string "w\\u0000"',
    ],
    [
      'with a lone surrogate in a name',
      file(`{"\\ud800":${w}}`, four),
      '`header` must hold well-formed Unicode without U+0000, got the string "\\ud800"',
    ],
    [
      'with a null in a key of the metadata',
      file('{"__metadata__":{"\\u0000":""}}'),
      '`__metadata__` must hold well-formed Unicode without U+0000, got the string "\\u0000"',
    ],
    [
      'with a null in the metadata',
      file('{"__metadata__":{"a":"\\u0000"}}'),
      '`__metadata__` must hold well-formed Unicode without U+0000, got the string "\\u0000"',
    ],
    [
      'with a number in the metadata',
      file('{"__metadata__":{"epoch":3}}'),
      '`__metadata__.epoch` must be a string, got "3}}"',
    ],
    [
      'with nested metadata',
      file('{"__metadata__":{"a":{}}}'),
      '`__metadata__.a` must be a string, got "{}}}"',
    ],
    [
      'with metadata that is null',
      file('{"__metadata__":null}'),
      '`__metadata__` must be an object, got "null}"',
    ],
    ['with a tensor that is null', file('{"w":null}'), '`w` must be an object, got "null}"'],
    ['with a tensor of nothing', file({ w: {} }), '`w` must have dtype, shape and data_offsets, got none'],
    [
      'without a dtype',
      file({ w: { shape: [1], data_offsets: [0, 4] } }, four),
      '`w` must have dtype, shape and data_offsets, got shape, data_offsets',
    ],
    [
      'without a shape',
      file({ w: { dtype: 'F32', data_offsets: [0, 4] } }, four),
      '`w` must have dtype, shape and data_offsets, got dtype, data_offsets',
    ],
    [
      'without data_offsets',
      file({ w: { dtype: 'F32', shape: [1] } }, four),
      '`w` must have dtype, shape and data_offsets, got dtype, shape',
    ],
    [
      'with a field that the format has not',
      file({ w: { ...entry('F32', [1], 0, 4), strides: [1] } }, four),
      '`w` must have dtype, shape and data_offsets alone, got the string "strides"',
    ],
    ['with a dtype that is no string', file({ w: { dtype: 32 } }), '`w.dtype` must be a string, got "32}}"'],
    [
      'with a dtype that the format has not',
      file({ w: entry('F33', [1], 0, 4) }, four),
      `\`w.dtype\` must be one of ${dtypes}, got the string "F33"`,
    ],
    [
      'with a dtype that every object has',
      file({ w: entry('constructor', [1], 0, 4) }, four),
      `\`w.dtype\` must be one of ${dtypes}, got the string "constructor"`,
    ],
    [
      'with a shape that is no array',
      file({ w: entry('F32', 1, 0, 4) }, four),
      '`w.shape` must be an array of integers from 0, got "1,\\"data_offsets\\":[0,"',
    ],
    ...['-1', '-0', '1.0', '1e0', '01', '"1"', 'null', '[1]', '12345678901234567', ''].map((size) => [
      `with the size ${size || 'left out'}`,
      file(`{"w":{"shape":[1,${size}]}}`),
      `\`w.shape\` must be an array of integers from 0, got ${JSON.stringify(`${size}]}}`)}`,
    ]),
    [
      'with one offset',
      file({ w: entry('F32', [1], 4) }, four),
      '`w.data_offsets` must be [begin, end], got an array of length 1',
    ],
    [
      'with three offsets',
      file({ w: entry('F32', [1], 0, 4, 4) }, four),
      '`w.data_offsets` must be [begin, end], got an array of length 3',
    ],
    [
      'with offsets in the wrong order',
      file({ w: entry('F32', [1], 4, 0) }, four),
      '`w.data_offsets` must be 4 bytes apart for F32 of shape (1,), got [4, 0]',
    ],
    [
      'with a shape of more bytes than its data',
      file({ w: entry('F32', [2, 3], 0, 20) }, Array(20)),
      '`w.data_offsets` must be 24 bytes apart for F32 of shape (2, 3), got [0, 20]',
    ],
    [
      'with a scalar of two values',
      file({ w: entry('F32', [], 0, 8) }, Array(8)),
      '`w.data_offsets` must be 4 bytes apart for F32 of shape (), got [0, 8]',
    ],
    [
      'with data for an empty tensor',
      file({ w: entry('F32', [0, 1], 0, 4) }, four),
      '`w.data_offsets` must be 0 bytes apart for F32 of shape (0, 1), got [0, 4]',
    ],
    [
      'with values that end within a byte',
      file({ w: entry('F4', [3], 0, 2) }, [0, 0]),
      '`w.data_offsets` must be 1.5 bytes apart for F4 of shape (3,), got [0, 2]',
    ],
    [
      'with a size that overflows 64 bits to 0',
      file({ w: entry('F32', [2 ** 31, 2 ** 31], 0, 0) }),
      '`w.data_offsets` must be 18446744073709552000 bytes apart for F32 of shape (2147483648, 2147483648), got [0, 0]',
    ],
    [
      'with a hole before the first tensor',
      file({ w: entry('F32', [1], 4, 8) }, Array(8)),
      '`w.data_offsets` must begin at 0, where the data before ends, got [4, 8]',
    ],
    [
      'with a hole between two tensors',
      file({ w: entry('F32', [1], 8, 12), v: entry('F32', [1], 0, 4) }, Array(12)),
      '`w.data_offsets` must begin at 4, where the data before ends, got [8, 12]',
    ],
    [
      'with tensors that overlap',
      file({ v: entry('F32', [2], 0, 8), w: entry('F32', [2], 4, 12) }, Array(12)),
      '`w.data_offsets` must begin at 8, where the data before ends, got [4, 12]',
    ],
    [
      'with two tensors in one place',
      file({ v: entry('F32', [1], 0, 4), w: entry('F32', [1], 0, 4) }, four),
      '`w.data_offsets` must begin at 4, where the data before ends, got [0, 4]',
    ],
    [
      'with an empty tensor outside the data',
      file({ v: entry('F32', [1], 0, 4), w: entry('F32', [0], 8, 8) }, four),
      '`w.data_offsets` must begin at 4, where the data before ends, got [8, 8]',
    ],
    [
      'that is cut off',
      file({ w: entry('F32', [2], 0, 8) }, Array(7)),
      '`bytes` must hold 8 bytes of data after the header, got 7',
    ],
    [
      'with something after the data',
      file({ w: entry('F32', [2], 0, 8) }, Array(9)),
      '`bytes` must hold 8 bytes of data after the header, got 9',
    ],
    ['with data and no tensor', file('{}', [1]), '`bytes` must hold 0 bytes of data after the header, got 1'],
    [
      'with a tensor that this library does not read',
      file({ w: entry('I64', [1], 0, 8) }, Array(8)),
      '`w.dtype` must be one that is read (F32, F16, BF16), got I64',
    ],
    [
      'with a tensor of no values',
      file({ w: entry('F16', [2, 0], 0, 0) }),
      '`w` must not be empty, got shape (2, 0)',
    ],
    [
      'with a name as long as the header, in few words',
      file({ ['n'.repeat(1e6)]: {} }),
      `\`${'n'.repeat(100)}…\` must have dtype, shape and data_offsets, got none`,
    ],
    [
      'with a long name of a tensor that is not read',
      file({ ['n'.repeat(1e6)]: entry('U8', [1], 0, 1) }, [0]),
      `\`${'n'.repeat(100)}….dtype\` must be one that is read (F32, F16, BF16), got U8`,
    ],
    [
      'with a shape as long as the header, in few words',
      file({ w: entry('F32', Array(64).fill(1), 0, 0) }),
      `\`w.data_offsets\` must be 4 bytes apart for F32 of shape (${'1, '.repeat(33)}…, got [0, 0]`,
    ],
    [
      'with a shape of more axes than there are, before the end of the header',
      file(`{"w":{"shape":[${'1,'.repeat(64)}1`),
      '`w.shape` must have length 64 at most, got more',
    ],
    [
      'with more tensors than there may be, before the end of the header',
      file(`{${names(2 ** 16 + 1, '{"dtype":"U8","shape":[0],"data_offsets":[0,0]}')}`),
      '`header` must have at most 65536 names, got more',
    ],
    [
      'with more metadata than there may be, before the end of the header',
      file(`{"__metadata__":{${names(2 ** 16 + 1, '""')}`),
      '`__metadata__` must have at most 65536 names, got more',
    ],
  ];
  itThrows(cases.map(([name, bytes, message]) => [name, () => read(bytes), RangeError, message]));

  test.each([
    ...['BOOL', 'U8', 'I8', 'F8_E5M2', 'F8_E4M3', 'F8_E8M0', 'F8_E4M3FNUZ', 'F8_E5M2FNUZ'].map((d) => [
      d,
      24,
    ]),
    ...['F6_E2M3', 'F6_E3M2'].map((dtype) => [dtype, 18]),
    ...['I16', 'U16', 'F16', 'BF16'].map((dtype) => [dtype, 48]),
    ...['I32', 'U32', 'F32'].map((dtype) => [dtype, 96]),
    ...['C64', 'F64', 'I64', 'U64'].map((dtype) => [dtype, 192]),
    ['F4', 12],
  ])('unless 24 values of %s take %d bytes', (dtype, size) => {
    const other = { prefix: 'another' };
    expect(read(file({ w: entry(dtype, [24], 0, size) }, Array(size)), other)).toEqual({});
    expect(() => read(file({ w: entry(dtype, [24], 0, size + 1) }, Array(size + 1)), other)).toThrow(
      RangeError,
    );
  });
});

describe('fuzzing', () => {
  const name = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 8 }).filter((text) => !text.includes('\0')),
    fc.constantFrom(
      '__proto__',
      'constructor',
      'length',
      '10',
      '9',
      'in_proj_weight',
      'a"\\',
      '\uffff',
      '\u{10000}',
    ),
  );
  const tensor = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 3 }).chain((shape) => {
    const size = shape.reduce((product, n) => product * n, 1);
    return fc
      .uint32Array({ minLength: size, maxLength: size })
      .map((bits) => new Tensor(new Float32Array(bits.slice().buffer), shape));
  });
  const dict = fc
    .uniqueArray(fc.tuple(name, tensor), { selector: ([key]) => key, maxLength: 6 })
    .map(Object.fromEntries);
  const metadata = fc.option(fc.dictionary(name, name), { nil: undefined });

  const headerLength = (bytes) => Number(Buffer.from(bytes.buffer).readBigUInt64LE());
  const sizes = (tensors) =>
    Object.values(tensors)
      .map(({ data }) => data.length)
      .sort((a, b) => a - b);

  test('what is written is read, in the order of UTF-8 and aligned', () => {
    fc.assert(
      fc.property(dict, metadata, (tensors, about) => {
        const bytes = write(tensors, about);
        const length = headerLength(bytes);
        expect(length % 8).toBe(0);
        const header = JSON.parse(Buffer.from(bytes.buffer, 8, length).toString());
        const names = Object.keys(tensors).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
        let end = 0;
        for (const key of names) {
          expect(Object.getOwnPropertyDescriptor(header, key).value.data_offsets).toEqual([
            end,
            (end += tensors[key].data.byteLength),
          ]);
        }
        expect(contents(read(bytes)).sort()).toEqual(contents(tensors).sort());
      }),
    );
  });

  test('a byte that changes in the data changes its value alone; one in the header no size', () => {
    let accepted = 0;
    fc.assert(
      fc.property(
        dict,
        metadata,
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (tensors, about, place, change) => {
          const bytes = write(tensors, about);
          const dataStart = 8 + headerLength(bytes);
          const at = place % bytes.length;
          bytes[at] ^= change;
          let found;
          try {
            found = read(bytes);
          } catch (error) {
            expect(at).toBeLessThan(dataStart);
            expect(error.constructor).toBe(RangeError);
            return;
          }
          ++accepted;
          // Not the shape: [1] with a blank in place of the 1 is [], of one element as well.
          expect(sizes(found)).toEqual(sizes(tensors));
          if (at < dataStart) return;
          const values = (all) => Object.keys(tensors).flatMap((key) => bitsOf(all[key]));
          const before = values(tensors);
          expect(values(found).filter((bits, i) => bits !== before[i])).toHaveLength(1);
        },
      ),
      { numRuns: randomCases(2000) },
    );
    expect(accepted).toBeGreaterThan(0);
  });

  test('a file that is cut off or goes on is refused', () => {
    fc.assert(
      fc.property(dict, fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 9 }), (tensors, cut, more) => {
        const bytes = write(tensors);
        expect(errorOf(() => read(bytes.subarray(0, cut % bytes.length))).constructor).toBe(RangeError);
        expect(errorOf(() => read(Buffer.concat([bytes, more]))).constructor).toBe(RangeError);
      }),
    );
  });

  test('any header and any bytes are read or refused', () => {
    const field = fc.oneof(
      fc.constantFrom('F32', 'F16', 'U8'),
      fc.array(fc.integer({ min: -1, max: 9 })),
      fc.jsonValue(),
    );
    const fields = fc.record({ dtype: field, shape: field, data_offsets: field }, { requiredKeys: [] });
    const header = fc.oneof(fc.dictionary(name, fields), fc.jsonValue(), fc.string());
    const any = fc.oneof(
      fc.tuple(header, fc.uint8Array({ maxLength: 16 })).map((parts) => file(...parts)),
      fc.uint8Array({ maxLength: 64 }),
    );
    fc.assert(
      fc.property(any, (bytes) => {
        try {
          read(bytes);
        } catch (error) {
          expect(error.constructor).toBe(RangeError);
        }
      }),
      { numRuns: randomCases(2000) },
    );
  });
});
