/** Random first values of a model's tensors: what a transformer is before it is trained. */
import { mulberry32 } from '../training/language/mulberry.js';
import type { Architecture } from './architecture.js';
import { type Config, initializerRange, readFields } from './config-fields.js';
import type { Entry } from '../api/safetensors-header.js';
import { matrixOf, type Rows } from './weights.js';

/** What `write` and `setTable` take instead of a file's rows. */
export interface FirstRows {
  readonly entry: Entry;
  readonly rows: Rows;
}

/** FNV-1a: another seed for each tensor and row, so that rows do not depend on the order in which they are read. */
function seedOf(name: string, row: number): number {
  let hash = 0x811c9dc5;
  for (const character of `${name} ${row}`) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return hash;
}

/** Fills a row with normally distributed numbers (Box and Muller 1958). */
function fillNormal(values: Float32Array, seed: number, deviation: number): void {
  const uniform = mulberry32(seed);
  for (let i = 0; i < values.length; i += 2) {
    const radius = deviation * Math.sqrt(-2 * Math.log(1 - uniform()));
    const angle = 2 * Math.PI * uniform();
    values[i] = radius * Math.cos(angle);
    if (i + 1 < values.length) values[i + 1] = radius * Math.sin(angle);
  }
}

/**
 * Draws first values as transformers initialises its models: matrices and tables from a normal distribution with the standard
 * deviation `initializer_range` of config.json (0.02 without it), biases 0, scales of norms 1.
 */
export class FirstValues {
  readonly #deviation: number;
  readonly #scale: number;

  constructor(config: Config, { config: { norm } }: Architecture) {
    this.#deviation = readFields(config, { initializer_range: initializerRange }).initializer_range;
    // Gemma multiplies by 1 + the stored scale.
    this.#scale = 1 - norm.offset;
  }

  /** The rows `first` … `first + count − 1` of a tensor, as float32. */
  rows(name: string, { shape }: Pick<Entry, 'shape'>, { first, count }: Omit<Rows, 'bytes'>): FirstRows {
    const [total, columns] = matrixOf(shape);
    const values = new Float32Array(count * columns);
    if (shape.length < 2) values.fill(name.endsWith('bias') ? 0 : this.#scale);
    else {
      for (let row = 0; row < count; row++) {
        const part = values.subarray(row * columns, (row + 1) * columns);
        fillNormal(part, seedOf(name, first + row), this.#deviation);
      }
    }
    const bytes = new Uint8Array(values.buffer);
    return {
      entry: { dtype: 'F32', shape, begin: 0, end: 4 * total * columns },
      rows: { bytes, first, count },
    };
  }
}
