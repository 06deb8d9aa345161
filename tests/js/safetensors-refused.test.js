/** Files that the safetensors format forbids, or that are too large, are refused with a sentence. */
import { file, itThrows, read } from './safetensors-file.js';

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
    ...[
      ['whose header is open', '{'],
      ['whose header goes on', '{} {}'],
      ['that is padded with zeros', '{}\0'],
      ['with a comma too many', `{"w":${w},}`],
      ['without a comma', `{"w":${w}"v":${w}}`],
      ['without a colon', '{"w" 1}'],
      ['with a name that is no string', `{1:${w}}`],
      ['with a control character in a name', `{"a\n":${w}}`],
      ['with a string that does not end', '{"w\\"'],
      ['with a size left out', '{"w":{"shape":[1,]}}'],
      ['with a size that begins with 0', '{"w":{"shape":[01]}}'],
      ['with arrays nested without end', `{"w":${'['.repeat(1e6)}`],
    ].map(([name, header]) => [name, file(header, four), '`header` must be JSON, got text that is not']),
    [
      'with a name twice',
      file(`{"w":${w},"v":${w},"\\u0077":${w}}`, four),
      '`header` must have every name once, got one twice',
    ],
    [
      'with __proto__ twice',
      file(`{"__proto__":${w},"__proto__":${w}}`, four),
      '`header` must have every name once, got one twice',
    ],
    [
      'with a field twice',
      file('{"w":{"dtype":"F32","shape":[1],"shape":[1],"data_offsets":[0,4]}}', four),
      '`header` must have every name once, got one twice',
    ],
    [
      'with metadata twice',
      file('{"__metadata__":{},"__metadata__":{}}'),
      '`header` must have every name once, got one twice',
    ],
    [
      'with a key of the metadata twice',
      file('{"__metadata__":{"a":"","a":""}}'),
      '`header` must have every name once, got one twice',
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
      '`__metadata__.epoch` must be a string, got the number 3',
    ],
    [
      'with nested metadata',
      file('{"__metadata__":{"a":{}}}'),
      '`__metadata__.a` must be a string, got an Object',
    ],
    [
      'with metadata that is null',
      file('{"__metadata__":null}'),
      '`__metadata__` must be an object, got null',
    ],
    ['with a tensor that is null', file('{"w":null}'), '`w` must be an object, got null'],
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
    [
      'with a dtype that is no string',
      file({ w: entry(32, [1], 0, 4) }, four),
      `\`w.dtype\` must be one of ${dtypes}, got the number 32`,
    ],
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
      '`w.shape` must be an array of integers from 0, got the number 1',
    ],
    ...[
      ['-1', 'the number -1'],
      ['0.5', 'the number 0.5'],
      ['"1"', 'the string "1"'],
      ['null', 'null'],
      ['[1]', 'an Array'],
      ['12345678901234567', 'the number 12345678901234568'],
    ].map(([size, came]) => [
      `with the size ${size}`,
      file(`{"w":{"dtype":"F32","shape":[1,${size}],"data_offsets":[0,4]}}`, four),
      `\`w.shape\` must be an array of integers from 0, got ${came}`,
    ]),
    [
      'with one offset',
      file({ w: entry('F32', [1], 4) }, four),
      '`w.data_offsets` must be [begin, end], got an Array',
    ],
    [
      'with three offsets',
      file({ w: entry('F32', [1], 0, 4, 4) }, four),
      '`w.data_offsets` must be [begin, end], got an Array',
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
      'with an integer that float32 does not hold',
      file({ w: entry('I64', [1], 0, 8) }, new Uint8Array(BigInt64Array.of(-16_777_217n).buffer)),
      '`w` must hold integers that float32 holds, too, got -16777217',
    ],
    [
      'with a name as long as the header, in few words',
      file({ ['n'.repeat(1e6)]: {} }),
      `\`${'n'.repeat(100)}…\` must have dtype, shape and data_offsets, got none`,
    ],
    [
      'with a shape as long as the header, in few words',
      file({ w: entry('F32', Array(64).fill(1), 0, 0) }),
      `\`w.data_offsets\` must be 4 bytes apart for F32 of shape (${'1, '.repeat(33)}…, got [0, 0]`,
    ],
    [
      'with a shape of more axes than there are',
      file({ w: entry('U8', Array(65).fill(1), 0, 1) }, [0]),
      '`w.shape` must have length 64 at most, got 65',
    ],
    [
      'with more tensors than there may be',
      file(`{${names(2 ** 16 + 1, '{"dtype":"U8","shape":[0],"data_offsets":[0,0]}')}}`),
      '`header` must have at most 65536 names, got 65537',
    ],
    [
      'with more metadata than there may be',
      file(`{"__metadata__":{${names(2 ** 16 + 1, '""')}}}`),
      '`__metadata__` must have at most 65536 names, got 65537',
    ],
  ];
  itThrows(cases.map(([name, bytes, message]) => [name, () => read(bytes), RangeError, message]));

  const long = 'n'.repeat(1e6);
  itThrows(
    [
      [
        'a tensor of a dtype that is not read',
        [[long, entry('U8', [1], 0, 1)], [0]],
        `\`${'n'.repeat(100)}….dtype\` must be one that is read (F32, F16, BF16, F64, I64), got U8`,
      ],
      [
        'a tensor of no values',
        [['w', entry('F16', [2, 0], 0, 0)], []],
        '`w` must not be empty, got shape (2, 0)',
      ],
    ].map(([name, [[key, tensor], bytes], message]) => {
      const dict = read(
        file({ [key]: tensor, [`${key}2`]: entry('F32', [1], bytes.length, bytes.length + 4) }, [
          ...bytes,
          ...four,
        ]),
      );
      return [
        `${name}, when it is asked for`,
        () => Object.keys(dict).length === 1 && dict[key],
        RangeError,
        message,
      ];
    }),
  );

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
