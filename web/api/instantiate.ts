import type { ModuleOptions } from '../wasm/attention.js';

/** A worker of the thread pool that could not start or ended: no fault of the binary. */
export class WorkerFailure extends Error {
  constructor(cause: unknown) {
    super(`a worker failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/**
 * Instantiates a compiled module and hands it to its Emscripten loader. On its own the loader would never settle its
 * promise when instantiation fails.
 */
export const instantiate = <Binding, Options extends ModuleOptions>(
  createModule: (options: Options) => Promise<Binding>,
  module: WebAssembly.Module,
  options?: Omit<Options, keyof ModuleOptions>,
): Promise<Binding> =>
  new Promise((resolve, reject) => {
    const all = {
      ...options,
      instantiateWasm(imports, done) {
        WebAssembly.instantiate(module, imports as WebAssembly.Imports)
          .then((instance) => {
            done(instance, module);
          })
          .catch(reject);
        return {};
      },
    } as Options;
    createModule(all).then(resolve, reject);
  });
