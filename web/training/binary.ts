import { runnableBuild, type WantedBuild } from '../api/builds.js';
import { compiled, type Source } from '../api/compile.js';
import type { Build } from '../wasm/attention.js';

/** Literal URLs, one per build: bundlers find the files through them. */
const ASSETS: Readonly<Record<Build, () => URL>> = {
  relaxed: () => new URL('../wasm/training-relaxed.wasm', import.meta.url),
  simd: () => new URL('../wasm/training-simd.wasm', import.meta.url),
  scalar: () => new URL('../wasm/training-scalar.wasm', import.meta.url),
};

/** The binary that runs here, compiled and not started: it can be handed to a worker. */
export async function trainingBinary(
  build: WantedBuild = 'auto',
  wasm?: Source,
): Promise<WebAssembly.Module> {
  const runnable = await runnableBuild(build);
  return compiled(wasm ?? ASSETS[runnable]());
}
