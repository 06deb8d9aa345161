/** Reads whole safetensors files: their tensors as float32, and their metadata. */
import { formatShape, rangeError, tagOf, wrongKind } from './errors.js';
import { fromHalf, widen } from './half.js';
import { type Entry, label, parseHeader } from './safetensors-header.js';
import { Tensor } from './tensor.js';
import { bytesIn } from './typed-array.js';

/** The header's length takes this many bytes at the start of a file. */
export const LENGTH_BYTES = 8;

/** The largest header, in bytes: twice what a file of 65,536 tensors needs. The reference implementation takes 100 MB. */
export const MAX_HEADER = 2 ** 24;

type Decode = (bytes: Uint8Array<ArrayBuffer>, argument: string) => Float32Array;

/** @throws RangeError for an integer that float32 does not hold */
const fromIntegers: Decode = (bytes, argument) =>
  Float32Array.from(new BigInt64Array(bytes.buffer), (integer) => {
    const value = Number(integer);
    if (BigInt(Math.fround(value)) === integer) return value;
    throw rangeError(argument, `hold integers that float32 holds, too, got ${integer}`);
  });

/** Converts the supported dtypes. Typed arrays are little-endian, like the files, wherever Emscripten's modules run. */
const DECODERS: ReadonlyMap<string, Decode> = new Map(
  Object.entries<Decode>({
    F32: (bytes) => new Float32Array(bytes.buffer),
    F16: (bytes) => widen(new Uint16Array(bytes.buffer), fromHalf),
    BF16: (bytes) => widen(new Uint16Array(bytes.buffer), (bits) => bits << 16),
    F64: (bytes) => new Float32Array(new Float64Array(bytes.buffer)),
    I64: fromIntegers,
  }),
);

function split(file: Uint8Array): { header: string; data: Uint8Array } {
  if (file.length < LENGTH_BYTES) {
    throw rangeError('bytes', `hold at least ${LENGTH_BYTES} bytes, got ${file.length}`);
  }
  const length = new DataView(file.buffer, file.byteOffset).getBigUint64(0, true);
  if (length > MAX_HEADER) {
    throw rangeError('bytes', `have a header of at most ${MAX_HEADER} bytes, got ${length}`);
  }
  const end = LENGTH_BYTES + Number(length);
  if (end > file.length) {
    const came = file.length - LENGTH_BYTES;
    throw rangeError('bytes', `hold a header of ${length} bytes, got ${came} bytes`);
  }
  let header;
  try {
    // The bytes are copied, because some engines' TextDecoder refuses shared memory.
    header = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(file.slice(LENGTH_BYTES, end));
  } catch {
    throw rangeError('header', 'be UTF-8, got bytes that are not');
  }
  return { header, data: file.subarray(end) };
}

/** A property with a tensor, or with why it is not read: that is thrown when somebody asks for it. */
function property(
  argument: string,
  { dtype, shape, begin, end }: Entry,
  data: Uint8Array,
): PropertyDescriptor {
  const decode = DECODERS.get(dtype);
  if (decode && begin < end) {
    const value = new Tensor(decode(data.slice(begin, end), argument), shape);
    return { value, writable: true, enumerable: true, configurable: true };
  }
  return {
    get() {
      if (decode) throw rangeError(argument, `not be empty, got shape ${label(formatShape(shape))}`);
      const read = [...DECODERS.keys()].join(', ');
      throw rangeError(`${argument}.dtype`, `be one that is read (${read}), got ${dtype}`);
    },
  };
}

function toBytes(bytes: unknown): Uint8Array {
  if (!ArrayBuffer.isView(bytes) && !['ArrayBuffer', 'SharedArrayBuffer'].includes(tagOf(bytes))) {
    throw wrongKind('bytes', 'an ArrayBuffer, a typed array or a DataView', bytes);
  }
  return bytesIn(bytes as ArrayBufferLike | ArrayBufferView);
}

/** The metadata, and the tensors with this prefix, which is removed. @throws as `safetensors.read` */
export function readFile(
  bytes: ArrayBufferLike | ArrayBufferView,
  prefix = '',
): { tensors: Record<string, Tensor>; metadata: ReadonlyMap<string, string> } {
  const { header, data } = split(toBytes(bytes));
  const { entries, metadata } = parseHeader(header, data.length);
  const tensors: Record<string, Tensor> = {};
  for (const [name, entry] of entries) {
    if (!name.startsWith(prefix)) continue;
    Object.defineProperty(tensors, name.slice(prefix.length), property(label(name), entry, data));
  }
  return { tensors, metadata };
}
