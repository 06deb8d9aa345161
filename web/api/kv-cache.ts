import type { AttentionBinding, KVCacheHandle } from '../wasm/attention.js';
import { HandleOwner } from './handle.js';

/**
 * Keys and values of earlier calls, for generating a sequence piece by piece: `forward` with a `cache` projects
 * only the new tokens, puts their keys and values behind those kept, and attends to all of them. With `isCausal`
 * the pieces give what one call over the whole sequence gives.
 *
 * A cache serves one layer and one batch size; a call that throws leaves it as it was. Get the class from a loaded
 * module: `new module.KVCache()`.
 */
export class KVCache extends HandleOwner<KVCacheHandle> {
  /** @internal */
  constructor(binding: AttentionBinding) {
    super(binding, () => new binding.KVCache());
  }

  /** How many keys it holds: the position of the next token. */
  get length(): number {
    return this.use((cache) => cache.length());
  }

  /** Empties it for the next sequence, which may have another batch size. */
  reset(): void {
    this.use((cache) => {
      cache.reset();
    });
  }

  /** @internal Lends its handle to a call into the same module. */
  lend<R>(binding: unknown, work: (cache: KVCacheHandle) => R): R {
    if (binding !== this.binding) {
      throw new TypeError('`cache` must be a KVCache of the module that the layer is of, got one of another');
    }
    return this.use(work);
  }
}

export type KVCacheClass = new () => KVCache;

/** The class of one loaded module. */
export function bindKVCache(binding: AttentionBinding): KVCacheClass {
  const Base = KVCache;
  return class KVCache extends Base {
    constructor() {
      super(binding);
    }
  };
}
