import type { AttentionBinding, GeneratorHandle, StackAccess } from '../wasm/attention.js';
import { checkFinite, checkInteger, MAX_SIZE, rangeError } from './errors.js';
import { HandleOwner } from './handle.js';
import { checkShape } from './shape.js';
import { Tensor } from './tensor.js';

/**
 * One of NumPy's two generators: the same seed and the same calls give the same float64 bits as NumPy.
 *
 * @example
 * ```js
 * import { load } from 'multihead-attention';
 *
 * const { random } = await load();
 * const generator = new random.RandomState(42);
 * console.log(generator.random(2).toNested()); // [ 0.3745401188473625, 0.9507143064099162 ]
 * generator.dispose();
 * ```
 */
export abstract class NumpyGenerator extends HandleOwner<GeneratorHandle> {
  /**
   * Draws from the normal distribution.
   *
   * @param loc the mean
   * @param scale the standard deviation, ≥ 0
   * @param shape of the result; one number n means (n,), and without it a single draw of shape () is made
   * @throws TypeError or RangeError for an argument of the wrong kind or value
   * @throws Error after `dispose()`
   * @example
   * ```js
   * import { load } from 'multihead-attention';
   *
   * const { random } = await load();
   * const x = random.RandomState(42).normal(10, 2, [2, 3]);
   * console.log(x.shape); // [ 2, 3 ]
   * console.log(x.at(0, 0)); // 10.993428306022466
   * ```
   */
  normal(loc = 0, scale = 1, shape: number | readonly number[] = []): Tensor<Float64Array> {
    checkFinite('loc', loc);
    // NumPy checks the sign bit, so it refuses −0 as well.
    if (checkFinite('scale', scale) < 0 || Object.is(scale, -0)) {
      throw rangeError('scale', `be at least 0, got ${scale === 0 ? '-0' : scale}`);
    }
    const sizes = toSizes(shape);
    return new Tensor(
      this.use((generator) => generator.normal(loc, scale, count(sizes))),
      sizes,
    );
  }

  /**
   * Draws uniformly from [0, 1).
   *
   * @param shape of the result; one number n means (n,), and without it a single draw of shape () is made
   * @throws TypeError or RangeError when `shape` is not made of positive integers
   * @throws Error after `dispose()`
   * @example
   * ```js
   * import { load } from 'multihead-attention';
   *
   * const { random } = await load();
   * console.log(random.defaultRng(0).random(2).toNested()); // [ 0.6369616873214543, 0.2697867137638703 ]
   * ```
   */
  random(shape: number | readonly number[] = []): Tensor<Float64Array> {
    const sizes = toSizes(shape);
    return new Tensor(
      this.use((generator) => generator.random(count(sizes))),
      sizes,
    );
  }
}

function toSizes(shape: number | readonly number[]): number[] {
  return typeof shape === 'number' ? [checkInteger('shape', shape)] : checkShape('shape', shape);
}

function count(sizes: readonly number[]): number {
  const size = sizes.reduce((product, n) => product * n, 1);
  if (size > MAX_SIZE) throw rangeError('shape', `hold at most ${MAX_SIZE} values, got ${size}`);
  return size;
}

/** Callable with `new`, and without as in Python. */
export interface GeneratorClass {
  /** Does the same as `new`. */
  (seed: number): NumpyGenerator;
  /** @throws TypeError or RangeError when `seed` is not an integer of the generator's range */
  new (seed: number): NumpyGenerator;
}

function callable(Class: new (seed: number) => NumpyGenerator): GeneratorClass {
  return new Proxy(Class, { apply: (_, __, [seed]: [number]) => new Class(seed) }) as GeneratorClass;
}

/** NumPy's two generators, bit for bit. */
export interface Random {
  /**
   * `numpy.random.RandomState(seed)`, which is also what `numpy.random.seed(seed)` sets up.
   *
   * The seed is an integer 0 … 2³² − 1.
   *
   * @example
   * ```js
   * import { load } from 'multihead-attention';
   *
   * const { random } = await load();
   * console.log(random.RandomState(0).random().toNested()); // 0.5488135039273248
   * ```
   */
  readonly RandomState: GeneratorClass;
  /**
   * `numpy.random.default_rng(seed)`: PCG64. The seed is an integer 0 … 2⁵³ − 1.
   *
   * @example
   * ```js
   * import { load } from 'multihead-attention';
   *
   * const { random } = await load();
   * console.log(random.defaultRng(0).normal().toNested()); // 0.1257302210933933
   * ```
   */
  readonly defaultRng: GeneratorClass;
}

export function bindDefaultRng(
  binding: StackAccess & { DefaultRng: new (seed: number) => GeneratorHandle },
): GeneratorClass {
  return callable(
    class Generator extends NumpyGenerator {
      constructor(seed: number) {
        checkInteger('seed', seed, 0, Number.MAX_SAFE_INTEGER);
        super(binding, () => new binding.DefaultRng(seed));
      }
    },
  );
}

export function bindRandom(binding: AttentionBinding): Random {
  return {
    RandomState: callable(
      class RandomState extends NumpyGenerator {
        constructor(seed: number) {
          checkInteger('seed', seed, 0, 2 ** 32 - 1);
          super(binding, () => new binding.RandomState(seed));
        }
      },
    ),
    defaultRng: bindDefaultRng(binding),
  };
}
