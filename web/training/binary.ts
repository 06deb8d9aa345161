import { runnableBuild, type WantedBuild } from '../api/builds.js';
import { compiled, type Source } from '../api/compile.js';
import type { Build } from '../wasm/attention.js';

/**
 * Locates the package's own binary of a build. URLs are literals, because bundlers and server tracers (`@vercel/nft`)
 * look for these; the tracers miss them in an arrow function without a body.
 */
function ownBinary(build: Build): URL {
  switch (build) {
    case 'relaxed':
      return new URL('../wasm/training-relaxed.wasm', import.meta.url);
    case 'simd':
      return new URL('../wasm/training-simd.wasm', import.meta.url);
    case 'scalar':
      return new URL('../wasm/training-scalar.wasm', import.meta.url);
  }
}

/** Compiles the fastest binary that this engine runs, but does not instantiate it: it can be posted to a worker. */
export async function trainingBinary(
  build: WantedBuild = 'auto',
  wasm?: Source,
): Promise<WebAssembly.Module> {
  const runnable = await runnableBuild(build);
  return compiled(wasm ?? ownBinary(runnable));
}
