import type { AttentionBinding, Float32Block, KVCacheHandle } from '../wasm/attention.js';
import { checkInteger, formatShape, rangeError, typeError, wrongKind } from './errors.js';
import { HandleOwner } from './handle.js';
import { type TensorLike, toFloat32Block } from './inputs.js';
import { type Tensor, toTensor } from './tensor.js';

/** What a cache holds. */
export interface CachedTensors {
  /** (B,H_kv,S,d_k), after RoPE. */
  keys: Tensor;
  /** (B,H_kv,S,d_v). */
  values: Tensor;
}

/**
 * Keys and values of earlier calls, for generating a sequence piece by piece: `forward` with a `cache` projects only the
 * new tokens, appends their keys and values, and attends to all of them. With `isCausal` the pieces equal one call over
 * the whole sequence.
 *
 * A prompt of several tokens is causal, unless `isCausal` or an `attnMask` says otherwise.
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

  /**
   * A copy with memory of its own, for continuing a sequence in more than one way.
   *
   * @example
   * ```js
   * import { load } from 'multihead-attention';
   *
   * const { KVCache, MultiHeadAttention } = await load();
   * const mha = new MultiHeadAttention({ embedDim: 2, numHeads: 1 });
   * const cache = new KVCache();
   * mha.forward([[1, 0]], { cache });
   * const other = cache.clone();
   * mha.forward([[0, 1]], { cache: other });
   * console.log(cache.length, other.length); // 1 2
   * ```
   */
  clone(): KVCache {
    const copy = new (this.constructor as KVCacheClass)();
    this.use((from) => {
      copy.use((to) => {
        to.copy(from);
      });
    });
    return copy;
  }

  /**
   * Replaces the content by keys and values that were computed before, as `toTensors()` gives them, or ONNX's `present_key` and
   * `present_value`. Any layer with these sizes of heads may continue it.
   *
   * @param keys (B,H_kv,S,d_k), or (H_kv,S,d_k) for unbatched input; after RoPE
   * @param values (B,H_kv,S,d_v), or (H_kv,S,d_v)
   * @throws TypeError for anything but tensors of numbers
   * @throws RangeError for shapes that do not fit together, and when memory has run out: the cache is then empty
   * @example
   * ```js
   * import { load } from 'multihead-attention';
   *
   * const { KVCache, MultiHeadAttention } = await load();
   * const mha = new MultiHeadAttention({ embedDim: 2, numHeads: 1 });
   * const cache = new KVCache();
   * cache.fill([[[1, 0]]], [[[0.5, 2]]]);
   * console.log(cache.length); // 1
   * console.log(mha.forward([[0, 1]], { cache }).weights.shape); // [ 1, 1, 2 ]
   * ```
   */
  fill(keys: TensorLike, values: TensorLike): void {
    const [k, v] = [toFloat32Block('keys', keys), toFloat32Block('values', values)];
    if (k.shape.length !== 3 && k.shape.length !== 4) {
      const expected = 'be (H_kv, S, d_k) or (B, H_kv, S, d_k)';
      throw rangeError('keys', `${expected}, got shape ${formatShape(k.shape)}`);
    }
    const rows = (shape: readonly number[]) => shape.slice(0, -1).join();
    if (k.shape.length !== v.shape.length || rows(k.shape) !== rows(v.shape)) {
      const expected = `have the shape of \`keys\` but for the last dimension, ${formatShape(k.shape)}`;
      throw rangeError('values', `${expected}, got shape ${formatShape(v.shape)}`);
    }
    const batched = ({ data, shape }: Float32Block) => ({
      data,
      shape: shape.length === 4 ? shape : [1, ...shape],
    });
    this.use((cache) => {
      cache.fill(batched(k), batched(v));
    });
  }

  /**
   * Copies of the keys (B,H_kv,S,d_k), after RoPE, and the values (B,H_kv,S,d_v).
   *
   * @example
   * ```js
   * import { load } from 'multihead-attention';
   *
   * const { KVCache, MultiHeadAttention } = await load();
   * const mha = new MultiHeadAttention({ embedDim: 4, numHeads: 2 });
   * const cache = new KVCache();
   * mha.forward([[1, 0, 0, 0]], { cache });
   * const { keys, values } = cache.toTensors();
   * console.log(keys.shape, values.shape); // [ 1, 2, 1, 2 ] [ 1, 2, 1, 2 ]
   * ```
   */
  toTensors(): CachedTensors {
    return this.use((cache) => ({ keys: toTensor(cache.read(false)), values: toTensor(cache.read(true)) }));
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
