/**
 * `module.safetensors` of a loaded module: state dicts as safetensors files
 * (https://github.com/huggingface/safetensors): 8 bytes with the length of the header, the header in JSON, then the
 * tensors' data, row-major and little-endian. A file that breaks a rule of the format is refused before any of its
 * data is read.
 *
 * @module
 */
import { checkOptions, formatShape, rangeError, tagOf, wrongKind } from './errors.js';
import { type TensorLike, toFloat32Block } from './inputs.js';
import { item } from './item.js';
import { type Entry, formatHeader, label, parseHeader, sortedEntries } from './safetensors-header.js';
import { Tensor } from './tensor.js';
import { bytesIn } from './typed-array.js';

/** Options of {@link read}. */
export interface SafetensorsReadOptions {
  /** Only tensors whose names begin with it are read, and it is taken off: `'encoder.layers.0.self_attn.'`. */
  prefix?: string;
}

/** The bytes that say how long the header is. */
const LENGTH_BYTES = 8;

/** The largest header, in bytes: twice what a file of 65,536 tensors needs. The reference implementation takes 100 MB. */
const MAX_HEADER = 2 ** 24;

/** The dtypes that are read. Typed arrays are little-endian wherever Emscripten's modules run, as the data is. */
const DECODERS: ReadonlyMap<string, (bytes: Uint8Array<ArrayBuffer>) => Float32Array> = new Map(
  Object.entries({
    F32: (bytes) => new Float32Array(bytes.buffer),
    F16: (bytes) => widen(bytes, fromHalf),
    BF16: (bytes) => widen(bytes, (bits) => bits << 16),
  }),
);

/** Numbers of 16 bits as float32, exactly: on the bits, so that a NaN keeps its own. */
function widen(bytes: Uint8Array<ArrayBuffer>, toSingle: (bits: number) => number): Float32Array {
  const narrow = new Uint16Array(bytes.buffer);
  const wide = new Uint32Array(narrow.length);
  for (let i = 0; i < wide.length; ++i) wide[i] = toSingle(item(narrow, i));
  return new Float32Array(wide.buffer);
}

/** The bits of a float32 from those of a float16 (IEEE 754-2019, section 3.4: binary16 and binary32). */
function fromHalf(bits: number): number {
  const sign = (bits & 0x8000) << 16;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0x1f) return sign | 0x7f800000 | (fraction << 13); // ±Infinity, NaN
  if (exponent > 0) return sign | ((exponent + 112) << 23) | (fraction << 13); // the biases are 15 and 127
  if (fraction === 0) return sign;
  // Subnormal: float32 reaches lower, so the leading one moves to where it is implied.
  const shift = Math.clz32(fraction) - 21;
  return sign | ((113 - shift) << 23) | (((fraction << shift) & 0x3ff) << 13);
}

/** The text of the header, and the data after it. */
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
    // A copy: not every decoder takes shared memory.
    header = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(file.slice(LENGTH_BYTES, end));
  } catch {
    throw rangeError('header', 'be UTF-8, got bytes that are not');
  }
  return { header, data: file.subarray(end) };
}

function toTensor(argument: string, { dtype, shape, begin, end }: Entry, data: Uint8Array): Tensor {
  const decode = DECODERS.get(dtype);
  if (!decode) {
    const read = [...DECODERS.keys()].join(', ');
    throw rangeError(`${argument}.dtype`, `be one that is read (${read}), got ${dtype}`);
  }
  if (begin === end) {
    throw rangeError(argument, `not be empty, got shape ${label(formatShape(shape))}`);
  }
  return new Tensor(decode(data.slice(begin, end)), shape);
}

function toBytes(bytes: unknown): Uint8Array {
  if (!ArrayBuffer.isView(bytes) && !['ArrayBuffer', 'SharedArrayBuffer'].includes(tagOf(bytes))) {
    throw wrongKind('bytes', 'an ArrayBuffer, a typed array or a DataView', bytes);
  }
  return bytesIn(bytes as ArrayBufferLike | ArrayBufferView);
}

/** The tensors of a file whose names begin with `prefix`, which is taken off, and its metadata. @throws as {@link read} */
export function readFile(
  bytes: ArrayBufferLike | ArrayBufferView,
  prefix = '',
): { tensors: Record<string, Tensor>; metadata: ReadonlyMap<string, string> } {
  const { header, data } = split(toBytes(bytes));
  const { entries, metadata } = parseHeader(header, data.length);
  const asked = Array.from(entries).filter(([name]) => name.startsWith(prefix));
  const tensors = Object.fromEntries(
    asked.map(([name, entry]) => [name.slice(prefix.length), toTensor(label(name), entry, data)]),
  );
  return { tensors, metadata };
}

/**
 * Reads the tensors of a safetensors file by name, as copies in float32: F32 as it is, F16 and BF16 exactly. The
 * result is what `loadStateDict()` takes.
 *
 * @param bytes the whole file, as `fetch` and `readFileSync` give it
 * @throws TypeError when `bytes` or an option is of the wrong kind
 * @throws RangeError when the file breaks a rule of the format, has a header over 16 MiB, over 65,536 tensors or members
 *   of metadata or over 64 axes, and for a tensor that is asked for and is empty or of another dtype
 *
 * @example
 * One layer out of a model's file:
 * ```js
 * import { load } from 'multihead-attention';
 *
 * const { MultiHeadAttention, safetensors } = await load();
 * const layer = new MultiHeadAttention({ embedDim: 8, numHeads: 2 });
 * const named = Object.entries(layer.stateDict()).map(([name, tensor]) => [`attn.${name}`, tensor]);
 * const file = safetensors.write({ ...Object.fromEntries(named), 'norm.weight': [1, 1] });
 *
 * const dict = safetensors.read(file, { prefix: 'attn.' });
 * layer.loadStateDict(dict);
 * console.log(Object.keys(dict).length); // 4
 * console.log(dict['out_proj.weight'].shape); // [ 8, 8 ]
 * ```
 */
export function read(
  bytes: ArrayBufferLike | ArrayBufferView,
  options: SafetensorsReadOptions = {},
): Record<string, Tensor> {
  checkOptions('safetensors.read', options, ['prefix']);
  const { prefix = '' } = options;
  if (typeof prefix !== 'string') throw wrongKind('prefix', 'a string', prefix);
  return readFile(bytes, prefix).tensors;
}

/**
 * Writes tensors as the bytes of a safetensors file, in F32 and in the order of the reference implementation
 * (`safetensors.torch.save`), by name. Takes what `stateDict()` gives.
 *
 * @param metadata of the file, under `__metadata__`; PyTorch's files have `{ format: 'pt' }`
 * @throws TypeError when `dict` holds anything but tensors of numbers or `metadata` anything but strings
 * @throws RangeError for an empty tensor, a name that the format does not take, over 65,536 names in either, and a header
 *   over 16 MiB
 *
 * @example
 * ```js
 * import { load } from 'multihead-attention';
 *
 * const { MultiHeadAttention, safetensors } = await load();
 * const layer = new MultiHeadAttention({ embedDim: 8, numHeads: 2 });
 * const file = safetensors.write(layer.stateDict(), { format: 'pt' });
 * console.log(file.length); // 1480
 * ```
 */
export function write(
  dict: Readonly<Record<string, TensorLike>>,
  metadata?: Readonly<Record<string, string>>,
): Uint8Array<ArrayBuffer> {
  const blocks = sortedEntries('dict', 'an object of tensors by name', dict).map(
    ([name, tensor]) => [name, toFloat32Block(name, tensor)] as const,
  );
  const header = new TextEncoder().encode(formatHeader(blocks, metadata));
  const length = Math.ceil(header.length / 8) * 8;
  if (length > MAX_HEADER) {
    throw rangeError(
      'dict',
      `give, with \`metadata\`, a header of at most ${MAX_HEADER} bytes, got ${length}`,
    );
  }
  const start = LENGTH_BYTES + length;
  const size = blocks.reduce((sum, [, { data }]) => sum + data.byteLength, start);
  const file = new Uint8Array(size).fill(' '.charCodeAt(0), LENGTH_BYTES, start);
  new DataView(file.buffer).setBigUint64(0, BigInt(length), true);
  file.set(header, LENGTH_BYTES);
  const values = new Float32Array(file.buffer, start);
  let position = 0;
  for (const [, { data }] of blocks) {
    values.set(data, position);
    position += data.length;
  }
  return file;
}
