import type { Platform, Wasm } from '../api/platform.js';
import type { Build } from './attention.js';

/** Options of every binary. */
export interface BinaryOptions {
  /** `auto` (the default) is the fastest build that this engine validates and the package has: relaxed, simd. */
  build?: 'auto' | Build;
  /**
   * The binary to use instead of the package's own file in `../wasm`. A single-threaded one always has one thread; a
   * multi-threaded one (`…-threads.wasm`) needs shared memory. Bytes are copied at the call; the same array with
   * unchanged bytes gives the same instance.
   */
  wasm?:
    | string
    | Platform<'URL'>
    | Platform<'Response'>
    | ArrayBuffer
    | ArrayBufferView<ArrayBuffer>
    | Wasm<'Module'>;
}
