/**
 * `module.safetensors` of a loaded module: state dicts as safetensors files
 * (https://github.com/huggingface/safetensors): 8 bytes with the length of the header, the header in JSON, then the
 * tensors' data, row-major and little-endian. A file that breaks a rule of the format is refused before any of its
 * data is read.
 *
 * @module
 */
import { rangeError, wrongKind } from './errors.js';
import { type TensorLike, toFloat32Block } from './inputs.js';
import { type OrNull, readOptions } from './options.js';
import { LENGTH_BYTES, MAX_HEADER, readFile } from './safetensors-file.js';
import { formatHeader, sortedEntries } from './safetensors-header.js';
import type { Tensor } from './tensor.js';

/** Options of {@link read}. */
export interface SafetensorsReadOptions {
  /** Reads only tensors whose names begin with this prefix, and removes it: `'encoder.layers.0.self_attn.'`. */
  prefix?: string;
}

/**
 * Reads the tensors of a safetensors file by name, as float32 copies: F32; F16, BF16 and I64 converted exactly; F64 rounded.
 * `loadStateDict()` takes the result. A tensor of another dtype and an empty one are left out of `Object.keys`; whoever reads
 * its property gets the error that says why.
 *
 * @param bytes the whole file, as `fetch` and `readFileSync` give it
 * @throws TypeError when `bytes` or an option is of the wrong kind
 * @throws RangeError when the file breaks a rule of the format, has a header over 16 MiB, over 65,536 tensors or members
 *   of metadata or over 64 axes, and for an integer of a selected tensor that float32 does not hold
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
  options?: OrNull<SafetensorsReadOptions> | null,
): Record<string, Tensor> {
  const { prefix = '' } = readOptions('safetensors.read', options ?? {}, ['prefix']);
  if (typeof prefix !== 'string') throw wrongKind('prefix', 'a string', prefix);
  return readFile(bytes, prefix).tensors;
}

/**
 * Writes tensors as a safetensors file, in F32, sorted by name as the reference implementation (`safetensors.torch.save`)
 * does. Takes what `stateDict()` gives.
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
  metadata?: Readonly<Record<string, string>> | null,
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
