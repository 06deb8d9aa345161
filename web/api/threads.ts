import { canShareMemory, createWorker, processors } from '#pool-worker';
import createAttention from '../wasm/attention-threads.js';
import type { Build, PoolWorker, ThreadedBinding } from '../wasm/attention.js';
import { instantiate } from './instantiate.js';

/**
 * Locates the package's own binary of a build. URLs are literals, because bundlers and server tracers (`@vercel/nft`)
 * look for these; the tracers miss them in an arrow function without a body.
 */
export function threadedBinary(build: Build): URL {
  switch (build) {
    case 'relaxed':
      return new URL('../wasm/relaxed-threads.wasm', import.meta.url);
    case 'simd':
      return new URL('../wasm/simd-threads.wasm', import.meta.url);
    case 'scalar':
      return new URL('../wasm/scalar-threads.wasm', import.meta.url);
  }
}

/**
 * The most threads for `auto`. More processors are mostly hyper-threads and slow cores; with a few hundred tokens every
 * loop ends by waiting for the slowest. Every worker costs some megabytes.
 */
const MOST_OF_AUTO = 8;
/** The most threads that can be requested: more workers exhaust memory. */
const MOST = 64;

/** The number of threads for the option `threads`; 0 where memory cannot be shared. */
export function threadsFor(asked: number | 'auto'): number {
  if (!canShareMemory()) return 0;
  return asked === 'auto' ? Math.min(processors(), MOST_OF_AUTO) : Math.min(asked, MOST);
}

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

/**
 * Instantiates a multi-threaded binary and starts its threads.
 *
 * @throws (rejects) the error of the binary, its memory or its workers
 */
export async function instantiateThreaded(
  module: WebAssembly.Module,
  threads: number,
): Promise<ThreadedBinding> {
  const workers: PoolWorker[] = [];
  let failed = false;
  /** When one worker ends, terminate all: the others would wait forever. */
  const end = () => {
    failed = true;
    for (const worker of workers.splice(0)) worker.terminate();
  };
  try {
    const binding = await new Promise<ThreadedBinding>((resolve, reject) => {
      instantiate(createAttention, module, {
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
