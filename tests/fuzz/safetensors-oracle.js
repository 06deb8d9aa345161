/**
 * A second, simple and slow reader of safetensors files that shares no code with the library's: `JSON.parse` for the
 * values, and the header's tokens for what `JSON.parse` hides (duplicate names, 1.0 for 1).
 */
const BITS = {
  ...{ BOOL: 8, F4: 4, F6_E2M3: 6, F6_E3M2: 6, U8: 8, I8: 8, F8_E5M2: 8, F8_E4M3: 8, F8_E8M0: 8 },
  ...{ F8_E4M3FNUZ: 8, F8_E5M2FNUZ: 8, I16: 16, U16: 16, F16: 16, BF16: 16, I32: 32, U32: 32, F32: 32 },
  ...{ C64: 64, F64: 64, I64: 64, U64: 64 },
};

const half = (bits) => {
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  const size =
    exponent === 31
      ? fraction === 0
        ? Infinity
        : NaN
      : exponent === 0
        ? fraction * 2 ** -24
        : (1 + fraction / 1024) * 2 ** (exponent - 15);
  return bits & 0x8000 ? -size : size;
};

/** By dtype: the bytes of a value, and how one is read. */
const READ = {
  F32: [4, (view, at) => view.getFloat32(at, true)],
  F16: [2, (view, at) => half(view.getUint16(at, true))],
  BF16: [
    2,
    (view, at) => {
      const wide = new DataView(new ArrayBuffer(4));
      wide.setUint16(0, view.getUint16(at, true));
      return wide.getFloat32(0);
    },
  ],
};

const TOKEN = /[{}[\]:,]|"(?:[^"\\]|\\.)*"|[^\s{}[\]:,"]+/gs;

/** Whether an object of the text, which JSON.parse has taken, has a name twice, or a number is no plain integer. */
function isAmbiguous(text) {
  const open = [];
  let last;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') {
      const name = JSON.parse(last);
      if (open.at(-1).has(name)) return true;
      open.at(-1).add(name);
    } else if (/^[-\d]/.test(token) && !/^(0|[1-9]\d{0,15})$/.test(token)) return true;
    last = token;
  }
  return false;
}

const isObject = (x) => typeof x === 'object' && x !== null && !Array.isArray(x);
const isText = (x) => typeof x === 'string' && x.isWellFormed() && !x.includes('\0');
const isNaturals = (x) => Array.isArray(x) && x.every((n) => typeof n === 'number');
const sameNames = (object, names) => Object.keys(object).sort().join() === names.join();

function isEntry(entry) {
  if (!isObject(entry) || !sameNames(entry, ['data_offsets', 'dtype', 'shape'])) return false;
  const { dtype, shape, data_offsets: offsets } = entry;
  if (!Object.hasOwn(BITS, dtype) || !isNaturals(shape) || !isNaturals(offsets) || offsets.length !== 2)
    return false;
  const bits = shape.reduce((product, n) => product * BigInt(n), BigInt(BITS[dtype]));
  return bits === 8n * (BigInt(offsets[1]) - BigInt(offsets[0]));
}

/** The tensors as `[name, { shape, values }]` in the order of the header, or undefined where the file is to be refused. */
export function readPlainly(bytes) {
  if (bytes.length < 8) return undefined;
  const length = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true);
  if (length > 2n ** 24n || 8n + length > BigInt(bytes.length)) return undefined;
  const end = 8 + Number(length);
  const text = Buffer.from(bytes.subarray(8, end)).toString();
  if (!Buffer.from(text).equals(Buffer.from(bytes.subarray(8, end)))) return undefined; // not UTF-8
  let header;
  try {
    header = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!text.startsWith('{') || isAmbiguous(text)) return undefined;

  const { __metadata__: metadata = {}, ...tensors } = header;
  if (!isObject(metadata) || !Object.entries(metadata).flat().every(isText)) return undefined;
  const entries = Object.entries(tensors);
  if (!entries.every(([name, entry]) => isText(name) && isEntry(entry))) return undefined;
  let position = 0;
  for (const { data_offsets } of Object.values(tensors).sort(
    (a, b) => a.data_offsets[0] - b.data_offsets[0] || a.data_offsets[1] - b.data_offsets[1],
  )) {
    if (data_offsets[0] !== position) return undefined;
    position = data_offsets[1];
  }
  if (position !== bytes.length - end) return undefined;

  const view = new DataView(bytes.buffer, bytes.byteOffset + end);
  const readable = ([, { dtype, data_offsets }]) => READ[dtype] && data_offsets[0] < data_offsets[1];
  if (!entries.every(readable)) return undefined;
  return entries.map(([name, { dtype, shape, data_offsets }]) => {
    const [size, read] = READ[dtype];
    const count = (data_offsets[1] - data_offsets[0]) / size;
    const values = Array.from({ length: count }, (_, i) => read(view, data_offsets[0] + i * size));
    return [name, { shape, values }];
  });
}
