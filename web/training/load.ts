import { type OrNull, readOptions } from '../api/options.js';
import { bindDefaultRng, type GeneratorClass } from '../api/random.js';
import type { Build } from '../wasm/attention.js';
import type { BinaryOptions } from '../wasm/binary-options.js';
import { checkStartOptions, starterOf } from '../wasm/start.js';
import createTraining from '../wasm/training.js';
import { urlOf } from './binary.js';
import { bindEncoder, type EncoderClass } from './encoder.js';

/** Options of {@link loadTraining}. */
export type LoadTrainingOptions = BinaryOptions;

/** The training part of the package, loaded. It computes on one thread: load it in a worker of your own. */
export interface TrainingModule {
  /** The instruction set in use. */
  readonly build: Build;
  /**
   * The class of encoders that learn.
   *
   * @example
   * ```js
   * import { loadTraining } from 'multihead-attention/training';
   *
   * const { Encoder } = await loadTraining();
   * const encoder = new Encoder({ vocabSize: 100, maxLength: 8, numLayers: 3 });
   * console.log(encoder.forward([[5, 7]]).weights.length); // 3
   * ```
   */
  readonly Encoder: EncoderClass;
  /**
   * `numpy.random.default_rng(seed)` for data, so that a worker needs no second binary. The seed is an integer
   * 0 … 2⁵³ − 1.
   *
   * @example
   * ```js
   * import { loadTraining } from 'multihead-attention/training';
   *
   * const { defaultRng } = await loadTraining();
   * console.log(defaultRng(0).random().toNested()); // 0.6369616873214543
   * ```
   */
  readonly defaultRng: GeneratorClass;
}

const start = starterOf(
  {
    expected: "`wasm` must be this library's binary for training",
    urlOf,
    loader: () => Promise.resolve(createTraining),
  },
  (binding): TrainingModule =>
    Object.freeze({
      build: binding.build,
      Encoder: bindEncoder(binding),
      defaultRng: bindDefaultRng(binding),
    }),
);

/**
 * Loads the WebAssembly module that trains: a binary apart from that of `load()`, whose pages need not download it.
 * Loading the same build again gives the same instance.
 *
 * @param options by default the package's own binary in the fastest build that this engine runs
 * @throws (rejects) TypeError for the wrong kind of option or an unknown one
 * @throws (rejects) RangeError for a build that does not exist, that this engine cannot run, or that `wasm` is not,
 *   and for an empty `wasm`
 * @throws (rejects) Error when the binary cannot be read or compiled, or is not this library's; the message names the
 *   URL and the HTTP status
 * @group Start here
 * @example
 * ```js
 * import { loadTraining } from 'multihead-attention/training';
 *
 * const module = await loadTraining({ build: 'simd' });
 * console.log(module.build); // simd
 * console.log((await loadTraining({ build: 'simd' })) === module); // true
 * ```
 */
export async function loadTraining(options?: OrNull<LoadTrainingOptions> | null): Promise<TrainingModule> {
  return start(checkStartOptions(readOptions('loadTraining', options ?? {}, ['build', 'wasm'])));
}
