import { statedBinary } from '../api/locations.js';
import type { Build } from '../wasm/attention.js';
import { ownBinary } from '../wasm/start.js';

/** The package's own binary of a build, see `Kind.urlOf`. */
export function urlOf(build: Build): URL {
  const stated = statedBinary(`training-${build}.wasm`);
  if (stated) return stated;
  if (build === 'relaxed') return new URL('../wasm/training-relaxed.wasm', import.meta.url);
  return new URL('../wasm/training-simd.wasm', import.meta.url);
}

/** The fastest binary that this engine runs, compiled and not started: it can be posted to a worker. */
export const trainingBinary = (): Promise<WebAssembly.Module> => ownBinary({ urlOf });
