import { checkInteger, typeError, wrongKind } from './errors.js';
import type { AttentionBinding, KVCacheHandle } from '../wasm/attention.js';
import { HandleOwner } from './handle.js';

/**
 * Keys and values of earlier calls, for generating a sequence piece by piece: `forward` with a `cache` projects only the
 * new tokens, appends their keys and values, and attends to all of them. With `isCausal` the pieces equal one call over
 * the whole sequence.
 *
 * It is for self-attention: every call adds its keys. A cache serves one layer and one batch size until it is empty
 * again; a call that throws leaves it as it was. Get the class from a loaded module: `new module.KVCache()`.
 *
 * @example
 * ```js
 * import { load } from 'multihead-attention';
 *
 * const { KVCache, MultiHeadAttention } = await load();
 * const mha = new MultiHeadAttention({ embedDim: 4, numHeads: 2 });
 * const x = [
 *   [1, 0, 0, 0],
 *   [0, 1, 0, 0],
 *   [0, 0, 1, 0],
 * ];
 * const whole = mha.forward(x, x, x, { isCausal: true });
 *
 * const cache = new KVCache();
 * const pieces = x.map((token) => mha.forward([token], [token], [token], { isCausal: true, cache }));
 * console.log(pieces.map(({ weights }) => weights.shape)); // [ [ 2, 1, 1 ], [ 2, 1, 2 ], [ 2, 1, 3 ] ]
 * console.log(Math.abs(pieces[2].output.at(0, 0) - whole.output.at(2, 0)) < 1e-6); // true
 * ```
 */
export class KVCache extends HandleOwner<KVCacheHandle> {
  /** @internal */
  constructor(binding: AttentionBinding) {
    super(binding, () => new binding.KVCache());
  }

  /**
   * The number of cached keys, which is the position of the next token.
   *
   * @example
   * ```js
   * import { load } from 'multihead-attention';
   *
   * const { KVCache } = await load();
   * console.log(new KVCache().length); // 0
   * ```
   */
  get length(): number {
    return this.use((cache) => cache.length());
  }

  /** @internal */
  toJSON(): object {
    return { length: this.length };
  }

  /**
   * Empties the cache for the next sequence, which may have another batch size.
   *
   * @example
   * ```js
   * import { load } from 'multihead-attention';
   *
   * const { KVCache, MultiHeadAttention } = await load();
   * const mha = new MultiHeadAttention({ embedDim: 2, numHeads: 1 });
   * const cache = new KVCache();
   * const x = [
   *   [1, 0],
   *   [0, 1],
   * ];
   * mha.forward(x, x, x, { cache });
   * console.log(cache.length); // 2
   * cache.reset();
   * console.log(cache.length); // 0
   * ```
   */
  reset(): void {
    this.use((cache) => {
      cache.truncate(0);
    });
  }

  /**
   * Drops all but the first `length` keys and values, such as those of tokens that were only tried.
   *
   * @param length 0 … the cache's length
   * @throws TypeError or RangeError for another length
   * @example
   * ```js
   * import { load } from 'multihead-attention';
   *
   * const { KVCache, MultiHeadAttention } = await load();
   * const mha = new MultiHeadAttention({ embedDim: 2, numHeads: 1 });
   * const cache = new KVCache();
   * const x = [
   *   [1, 0],
   *   [0, 1],
   * ];
   * mha.forward(x, { cache });
   * cache.truncate(1);
   * console.log(cache.length); // 1
   * ```
   */
  truncate(length: number): void {
    this.use((cache) => {
      cache.truncate(checkInteger('length', length, 0, cache.length()));
    });
  }

  /** @internal Calls `work` with the cache's handle; if it throws, the keys that it appended are removed. */
  static lend<R>(cache: unknown, binding: unknown, work: (handle: KVCacheHandle) => R): R {
    if (!(cache instanceof KVCache)) throw wrongKind('cache', 'a KVCache (new module.KVCache())', cache);
    KVCache.checkOwn('cache', cache);
    return cache.#lend(binding, work);
  }

  #lend<R>(binding: unknown, work: (handle: KVCacheHandle) => R): R {
    if (binding !== this.binding) {
      throw typeError('cache', 'be a KVCache of the module that the layer is of, got one of another');
    }
    return this.use((cache) => {
      const before = cache.length();
      try {
        return work(cache);
      } catch (error) {
        cache.truncate(before);
        throw error;
      }
    });
  }
}

/** {@link KVCache} as a loaded module has it. */
export type KVCacheClass = new () => KVCache;

export function bindKVCache(binding: AttentionBinding): KVCacheClass {
  const Base = KVCache;
  return class KVCache extends Base {
    constructor() {
      super(binding);
    }
  };
}
