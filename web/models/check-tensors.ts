/** Compares a model's files with what config.json says, before any of its weights is read. */
import { formatShape, rangeError } from '../api/errors.js';
import { type Entry, label } from '../api/safetensors-header.js';
import type { Architecture, Stack, TensorPart } from './architecture.js';
import type { Config } from './config-fields.js';
import { DTYPES } from './rows.js';
import { matrixOf } from './weights.js';

const valuesOf = ({ shape }: Entry): number => shape.reduce((product, n) => product * n, 1);

/** More layers, or values of a head, than any model has: families list the tensors of each, and an angle for each value. */
const MOST_LISTED = 4096;

/** A larger size than any model has. */
const MOST = 2 ** 22;

/** Sizes that may be small in the files of any model, whose weights are small, too. */
const SMALL = 4096;

const SIZE = /(size|dim|width|heads?|layers?|groups|n_embd|n_inner|channels|labels)$/;

/**
 * Refuses sizes that the file cannot hold, before anything is computed from them.
 *
 * @throws RangeError that names the field
 */
export function checkSizes(config: Config, entries: ReadonlyMap<string, Entry>): void {
  const axes = Array.from(entries.values()).flatMap((entry) => (valuesOf(entry) > 0 ? entry.shape : []));
  const longest = Math.min(MOST, Math.max(SMALL, ...axes));
  for (const [name, value] of Object.entries(config)) {
    if (typeof value !== 'number' || !SIZE.test(name)) continue;
    const most = /(layers?|groups|head_dim)$/.test(name) ? MOST_LISTED : longest;
    if (value > most)
      throw rangeError(`config.json: ${name}`, `be at most ${most} for these weights, got ${value}`);
  }
}

function stacksOf({ config, writing, vision }: Architecture): Stack[] {
  const other = writing?.encoder ?? vision;
  return other ? [config, other.config] : [config];
}

/** The numbers in the matrices of a stack. */
function stackValues(config: Stack): number {
  const { width, heads, kvHeads, headDim, innerWidth, gated, blocks, memoryWidth } = config;
  const attention =
    2 * width * headDim * (heads + kvHeads) +
    (memoryWidth === null ? 0 : 2 * headDim * (heads * width + kvHeads * memoryWidth));
  return blocks * (attention + (gated ? 3 : 2) * width * innerWidth);
}

/** The numbers in the matrices of a model. */
function matrixValues(architecture: Architecture): number {
  let sum = stacksOf(architecture).reduce((values, stack) => values + stackValues(stack), 0);
  const { maps } = architecture;
  for (const { width: first, stages } of maps) {
    let columns = first;
    for (const { linear } of stages) {
      if (linear === undefined) continue;
      sum += columns * linear;
      columns = linear;
    }
  }
  return sum;
}

/**
 * Refuses a description whose weights the file does not hold, before memory is taken for them.
 *
 * @throws RangeError
 */
export function checkMemory(architecture: Architecture, entries: ReadonlyMap<string, Entry>): void {
  const { tensors } = architecture;
  for (const { width, heads, kvHeads, headDim, innerWidth, blocks } of stacksOf(architecture)) {
    const sizes = { width, heads, kvHeads, headDim, innerWidth, blocks };
    for (const [name, value] of Object.entries(sizes)) {
      if (!Number.isInteger(value)) {
        throw rangeError('config.json', `give a whole number as ${name}, got ${value}`);
      }
    }
  }
  let held = 0;
  for (const [name, entry] of entries) {
    for (const { part } of tensors.get(name) ?? []) held += valuesOf(entry) * shareOf(part);
  }
  const needed = matrixValues(architecture);
  if (!(needed <= held)) {
    throw rangeError(
      'config.json',
      `describe weights of at most ${held} values, as the files hold, got ${needed}`,
    );
  }
}

/** How much of a fused matrix a part is. */
const shareOf = ({ count = 1, of }: TensorPart = { first: 0, of: 1 }): number => count / of;

/** Buffers, and heads of other tasks than the prediction of tokens, of every family. */
const NEVER_READ =
  /(^|\.)(position_ids|token_type_ids|(original_)?inv_freq|(cos|sin)_cached|pooler\..*)$|^(score|classifier|pre_classifier|qa_outputs|sop_classifier|cls\.seq_relationship|sequence_summary|multiple_choice_head)\./u;

/**
 * Refuses tensors that are missing, or that the model does not know or read.
 *
 * @throws RangeError that names the tensor
 */
export function checkNames(architecture: Architecture, entries: ReadonlyMap<string, Entry>): void {
  const { family, tensors, scales, tables, ignored } = architecture;
  for (const [name, { dtype }] of entries) {
    if (!tensors.has(name) && !tables.has(name)) {
      if (NEVER_READ.test(name) || ignored?.test(name)) continue;
      throw rangeError(label(name), `be a tensor of ${family}, got one that it does not have`);
    }
    const isScaled = dtype === 'I8' && scales?.has(`${name}_scale`) === true;
    if (!isScaled && !DTYPES.includes(dtype)) {
      throw rangeError(label(name), `be of dtype ${DTYPES.join(', ')}, got ${dtype}`);
    }
  }
  for (const name of [...tensors.keys(), ...tables.keys()]) {
    if (!entries.has(name)) throw rangeError(label(name), 'be in the file of the model, got no such tensor');
  }
}

/**
 * Refuses tensors of other shapes than the model's.
 *
 * @throws RangeError that names the tensor and both shapes
 */
export function checkShapes(
  { tensors, tables }: Architecture,
  entries: ReadonlyMap<string, Entry>,
  /** Of each parameter of the binary. */
  shapes: Readonly<Record<string, ArrayLike<number>>>,
): void {
  for (const [name, { shape }] of entries) {
    const table = tables.get(name);
    if (table && table.join() !== shape.join()) {
      throw rangeError(label(name), `have shape ${formatShape([...table])}, got ${formatShape([...shape])}`);
    }
    for (const { parameter, transposed = false, part } of tensors.get(name) ?? []) {
      const expected = shapes[parameter] ?? [];
      const [rows, columns] = matrixOf(shape);
      const features = Math.round((expected[0] ?? 0) / shareOf(part));
      const whole =
        expected.length === 1
          ? [1, features]
          : transposed
            ? [expected[1], features]
            : [features, expected[1]];
      if (whole.join() !== [rows, columns].join()) {
        throw rangeError(
          label(name),
          `have ${whole.join(' × ')} values, got shape ${formatShape([...shape])}`,
        );
      }
    }
  }
}
