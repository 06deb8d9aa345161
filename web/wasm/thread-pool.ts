/** Instances of multi-threaded binaries: shared memory and a pool of workers. */
import type { createWorker } from '#pool-worker';
import type { EngineBinding, PoolWorker, ThreadedModuleOptions, ThreadPool } from './attention.js';
import { instantiate } from './instantiate.js';

const PAGE = 65_536;
/** The initial size of shared memory in bytes, which `cmake/wasm.cmake` sets in the binaries. */
const INITIAL_MEMORY = 2 ** 24;
/** The maximum size of shared memory, reserved at once: 4 GiB, or 512 MiB where that fails, as on phones. */
const MAXIMUM_MEMORY = [2 ** 32, 2 ** 29];

function sharedMemory(): WebAssembly.Memory {
  let failure: unknown;
  for (const maximum of MAXIMUM_MEMORY) {
    try {
      return new WebAssembly.Memory({
        initial: INITIAL_MEMORY / PAGE,
        maximum: maximum / PAGE,
        shared: true,
      });
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

const nextTurn = () => new Promise((resolve) => setTimeout(resolve));

/** The loader of a kind of multi-threaded binaries, and how its workers are created. */
export interface PoolLoader<Binding> {
  readonly createModule: (options: ThreadedModuleOptions) => Promise<Binding>;
  readonly createWorker: typeof createWorker;
}

/**
 * Instantiates a multi-threaded binary and starts its threads.
 *
 * @throws (rejects) the error of the binary, its memory or its workers
 */
export async function instantiateThreaded<Binding extends EngineBinding & ThreadPool>(
  module: WebAssembly.Module,
  threads: number,
  { createModule, createWorker }: PoolLoader<Binding>,
): Promise<Binding> {
  const workers: PoolWorker[] = [];
  let failed = false;
  /** When one worker ends, terminate all: the others would wait forever. */
  const end = () => {
    failed = true;
    for (const worker of workers.splice(0)) worker.terminate();
  };
  try {
    const binding = await new Promise<Binding>((resolve, reject) => {
      instantiate(createModule, module, {
        threads,
        wasmMemory: sharedMemory(),
        createWorker() {
          const worker = createWorker((error) => {
            end();
            reject(error);
          });
          workers.push(worker);
          return worker;
        },
      })
        .then(async (binding) => {
          binding.startThreads(threads);
          while (binding.runningThreads() < binding.threadCount() && !failed) await nextTurn();
          resolve(binding);
        })
        .catch(reject);
    });
    for (const worker of workers) worker.unref?.();
    return binding;
  } catch (error) {
    end();
    throw error;
  }
}
