import { runnableBuild, type WantedBuild } from '../api/builds.js';
import { compiled, type Source } from '../api/compile.js';
import type { Build } from '../wasm/attention.js';

/**
 * The package's own binary of a build. Bundlers find the files through literal URLs, and so do tracers of servers
 * (`@vercel/nft`), but not in an arrow function without a body.
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

/** The binary that runs here, compiled and not started: it can be handed to a worker. */
export async function trainingBinary(
  build: WantedBuild = 'auto',
  wasm?: Source,
): Promise<WebAssembly.Module> {
  const runnable = await runnableBuild(build);
  return compiled(wasm ?? ownBinary(runnable));
}
