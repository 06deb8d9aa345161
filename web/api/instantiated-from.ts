import type { ModuleOptions } from '../wasm/attention.js';

/** Instantiates here rather than in the generated loader, whose promise would never settle on a failure. */
export const instantiatedFrom = (
  module: WebAssembly.Module,
  onError: (error: unknown) => void,
): ModuleOptions => ({
  instantiateWasm(imports, done) {
    WebAssembly.instantiate(module, imports)
      .then((instance) => {
        done(instance, module);
      })
      .catch(onError);
    return {};
  },
});
