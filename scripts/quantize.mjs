/**
 * Writes a model with the weights of its linear layers in 8 bits: `npm run quantize -- <folder> <new folder>`.
 *
 * The new folder has the format `int-quantized` of compressed-tensors: each weight (out, in) in I8, its scale (out, 1) in F32,
 * the largest |weight| of a row / 127. `loadModel` computes with these what `dtype: 'int8'` computes with the old folder's.
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readFile } from '../dist/api/safetensors-file.js';
import { parseHeader } from '../dist/api/safetensors-header.js';
import { architectureOf } from '../dist/models/families/index.js';
import { main, Problem } from './bootstrap/basics.mjs';

const WEIGHTS = 'model.safetensors';
const LENGTH_BYTES = 8;

/** Beside the weights and config.json. */
const COPIED = /\.(?:json|txt|md)$|^LICENSE/u;

/** Added to a small float32, it leaves that number rounded to a whole one, ties to even, in the last bits. */
const ROUNDER = 1.5 * 2 ** 23;

function quantize(values, rows) {
  const columns = values.length / rows;
  const whole = new Int8Array(values.length);
  const scale = new Float32Array(rows);
  for (let row = 0; row < rows; row++) {
    const part = values.subarray(row * columns, (row + 1) * columns);
    const largest = part.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    if (!Number.isFinite(largest)) throw new Problem('Weights must be finite.');
    scale[row] = largest / 127;
    const inverse = largest > 0 ? Math.fround(1 / scale[row]) : 0;
    for (const [i, value] of part.entries()) {
      whole[row * columns + i] = Math.fround(Math.fround(value * inverse) + ROUNDER) - ROUNDER;
    }
  }
  return { whole, scale };
}

function readWeights(folder) {
  const file = path.join(folder, WEIGHTS);
  if (!existsSync(file)) throw new Problem(`${folder} must have one file of weights, ${WEIGHTS}.`);
  const bytes = readFileSync(file);
  const start = LENGTH_BYTES + Number(bytes.readBigUInt64LE(0));
  const { entries, metadata } = parseHeader(
    bytes.toString('utf8', LENGTH_BYTES, start),
    bytes.length - start,
  );
  const tensors = Array.from(entries, ([name, { dtype, shape, begin, end }]) => {
    const own = bytes.subarray(start + begin, start + end);
    return { name, dtype, shape, bytes: own, values: () => readFile(bytes, name).tensors[''].data };
  });
  return { tensors, metadata: Object.fromEntries(metadata), size: bytes.length };
}

/** The longest numbers first, so that each begins at a multiple of its length. */
function writeWeights(file, tensors, metadata) {
  const lengthOf = ({ shape, bytes }) => bytes.length / shape.reduce((product, n) => product * n, 1);
  const inOrder = tensors.toSorted((a, b) => lengthOf(b) - lengthOf(a) || (a.name < b.name ? -1 : 1));
  const header = { __metadata__: metadata };
  let end = 0;
  for (const { name, dtype, shape, bytes } of inOrder) {
    header[name] = { dtype, shape, data_offsets: [end, (end += bytes.length)] };
  }
  const text = JSON.stringify(header);
  const padded = Buffer.from(text.padEnd(text.length + ((8 - (Buffer.byteLength(text) % 8)) % 8)));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeBigUInt64LE(BigInt(padded.length));
  writeFileSync(file, Buffer.concat([length, padded, ...inOrder.map(({ bytes }) => bytes)]));
  return LENGTH_BYTES + padded.length + end;
}

const bytesOf = ({ buffer }) => new Uint8Array(buffer);

await main(() => {
  const [from, to] = process.argv.slice(2);
  if (!from || !to) throw new Problem('Usage: npm run quantize -- <folder of a model> <new folder>');
  const config = JSON.parse(readFileSync(path.join(from, 'config.json'), 'utf8'));
  if (config.quantization_config) throw new Problem(`${from} is quantised already.`);
  const { tensors, metadata, size } = readWeights(from);
  const { family, tensors: uses, tables } = architectureOf(config, new Set(tensors.map(({ name }) => name)));
  const isTable = ({ name, shape }) => tables.has(name) || shape.length !== 2;
  const isLinear = (tensor) =>
    !isTable(tensor) &&
    (uses.get(tensor.name) ?? []).some(({ parameter }) => parameter.endsWith('.weight')) &&
    !uses.get(tensor.name).some(({ transposed }) => transposed);
  if (!tensors.some(isLinear)) {
    throw new Problem(
      `The weights of ${family} are no matrices (out, in), as compressed-tensors wants them.`,
    );
  }
  const written = tensors.flatMap((tensor) => {
    if (!isLinear(tensor)) return [tensor];
    const { name, shape, values } = tensor;
    const { whole, scale } = quantize(values(), shape[0]);
    return [
      { name, dtype: 'I8', shape, bytes: bytesOf(whole) },
      { name: `${name}_scale`, dtype: 'F32', shape: [shape[0], 1], bytes: bytesOf(scale) },
    ];
  });
  // Linear layers of transformers that keep their weights: those that are not read here, and heads that share a table.
  const others = tensors.filter((tensor) => !isLinear(tensor) && !isTable(tensor));
  const hasHead = tensors.some((tensor) => tensor.name === 'lm_head.weight');
  const layerOf = ({ name }) => name.replace(/\.weight$/u, '');
  const quantization = {
    quant_method: 'compressed-tensors',
    format: 'int-quantized',
    quantization_status: 'compressed',
    config_groups: {
      group_0: {
        targets: ['Linear'],
        weights: { num_bits: 8, type: 'int', symmetric: true, strategy: 'channel', dynamic: false },
        input_activations: null,
        output_activations: null,
      },
    },
    kv_cache_scheme: null,
    ignore: [...(hasHead ? [] : ['lm_head']), ...others.map(layerOf)],
  };
  mkdirSync(to, { recursive: true });
  const copied = readdirSync(from).filter((file) => COPIED.test(file) && !/^config|index\.json$/u.test(file));
  for (const file of copied) copyFileSync(path.join(from, file), path.join(to, file));
  const text = JSON.stringify({ ...config, quantization_config: quantization }, null, 2);
  writeFileSync(path.join(to, 'config.json'), `${text}\n`);
  const length = writeWeights(path.join(to, WEIGHTS), written, metadata);
  const mb = (bytes) => (bytes / 1e6).toFixed(1);
  console.log(`${path.join(to, WEIGHTS)}: ${mb(length)} MB, before ${mb(size)} MB.`);
});
