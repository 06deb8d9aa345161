/** Instantiates a binary. Nothing here has a bare specifier, so that workers of pages without a bundler can import it. */
import type { EngineBinding, ModuleOptions } from './attention.js';

/** A worker of the thread pool that could not start or ended: no fault of the binary. */
export class WorkerFailure extends Error {
  constructor(cause: unknown) {
    super(`a worker failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

interface Surroundings {
  readonly process?: { readonly versions?: { readonly v8?: string; readonly bun?: string } };
  readonly navigator?: { readonly userAgent?: string };
}

/** Ten times V8's version, which equals Chromium's; 0 for other engines, also for Bun, which reports a version of V8. */
export function v8Version({ process, navigator }: Surroundings): number {
  const { v8, bun } = process?.versions ?? {};
  const [major = 0, minor = 0] = (v8 ?? '').split('.').map(Number);
  if (major > 0 && bun === undefined) return 10 * major + minor;
  return Number(/Chrom(?:e|ium)\/(\d+)/.exec(navigator?.userAgent ?? '')?.[1] ?? 0);
}

/**
 * Whether the engine keeps the accumulators of 6-row tiles in registers, on x86 too. Measured: V8 12.9 spills them, 13.6
 * does not. Other engines are unmeasured and get the lower tiles, which are fast everywhere. Results are the same.
 */
export const carriesTallTiles = v8Version(globalThis) >= 136;

/**
 * Instantiates a compiled module and hands it to its Emscripten loader. On its own the loader would never settle its
 * promise when instantiation fails.
 */
export async function instantiate<Binding extends EngineBinding, Options extends ModuleOptions>(
  createModule: (options: Options) => Promise<Binding>,
  module: WebAssembly.Module,
  options?: Omit<Options, keyof ModuleOptions>,
): Promise<Binding> {
  const binding = await new Promise<Binding>((resolve, reject) => {
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
  if (carriesTallTiles) binding.useTallTiles();
  return binding;
}
