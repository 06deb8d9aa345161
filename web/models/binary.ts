import { carriesTallTiles, runnableBuild, type WantedBuild } from '../api/builds.js';
import { compiled, failed, forget, once } from '../api/compile.js';
import { instantiate } from '../api/instantiate.js';
import type { Build } from '../wasm/attention.js';
import createModels, { type ModelsBinding } from '../wasm/models.js';

/**
 * The package's binary of a build. Bundlers find the files through literal URLs, and so do tracers of servers
 * (`@vercel/nft`), but not in an arrow function without a body.
 */
function ownBinary(build: Build): URL {
  switch (build) {
    case 'relaxed':
      return new URL('../wasm/models-relaxed.wasm', import.meta.url);
    case 'simd':
      return new URL('../wasm/models-simd.wasm', import.meta.url);
    case 'scalar':
      return new URL('../wasm/models-scalar.wasm', import.meta.url);
  }
}

const started = new WeakMap<WebAssembly.Module, Promise<ModelsBinding>>();

/** The binary that runs here, compiled and not started: it can be handed to a worker. */
export const modelsBinary = async (build: WantedBuild = 'auto'): Promise<WebAssembly.Module> =>
  compiled(ownBinary(await runnableBuild(build)));

/** The binary that computes models, started once per build. */
export async function modelsBinding(build?: WantedBuild): Promise<ModelsBinding> {
  const module = await modelsBinary(build);
  return once(started, module, async () => {
    const binding = await instantiate(createModels, module).catch((cause: unknown) => {
      // Out of memory: no fault of the binary.
      if (cause instanceof RangeError) throw cause;
      forget(module);
      throw failed("the package's binary for models does not start", cause);
    });
    if (carriesTallTiles) binding.useTallTiles();
    return binding;
  });
}
