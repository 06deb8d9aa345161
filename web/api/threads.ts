import { canShareMemory, createWorker, processors } from '#pool-worker';
import createAttention from '../wasm/attention-threads.js';
import type { Build, PoolWorker, ThreadedBinding } from '../wasm/attention.js';
import { instantiate } from './instantiate.js';

/**
 * The package's own binary of a build. Bundlers find the files through literal URLs, and so do tracers of servers
 * (`@vercel/nft`), but not in an arrow function without a body.
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
 * The most that `auto` takes. Machines that offer more count hyper-threads and slow cores, which a layer of a few
 * hundred tokens waits for at the end of every loop rather than gains from; and every worker costs some megabytes.
 */
const MOST_OF_AUTO = 8;
/** The most that are started at all: beyond, workers take what memory there is. */
const MOST = 64;

/** How many threads to start for what was asked for; 0 where the memory of a multi-threaded binary cannot be. */
export function threadsFor(asked: number | 'auto'): number {
  if (!canShareMemory()) return 0;
  return asked === 'auto' ? Math.min(processors(), MOST_OF_AUTO) : Math.min(asked, MOST);
}

const PAGE = 65_536;
/** As `CMakeLists.txt` links them. */
const INITIAL_MEMORY = 2 ** 24;
/** All that a pointer reaches, or else what phones have: shared memory is reserved at once in its largest size. */
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
 * Instantiates a multi-threaded binary and brings its threads up.
 *
 * @throws (rejects) whatever keeps the binary, its memory or its workers from starting
 */
export async function instantiateThreaded(
  module: WebAssembly.Module,
  threads: number,
): Promise<ThreadedBinding> {
  const workers: PoolWorker[] = [];
  let failed = false;
  /** One that ends takes the others with it: without work they would wait for ever. */
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
