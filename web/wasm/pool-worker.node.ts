import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { PoolWorker } from './attention.js';
import { WorkerFailure } from './instantiate.js';

export const canShareMemory = (): boolean => true;

export const processors = availableParallelism;

type OnError = (error: WorkerFailure) => void;

function startWorker(loader: 'attention' | 'models', onError: OnError): PoolWorker {
  const script = new URL('./pool-worker-script.node.js', import.meta.url);
  // The worker gets none of the program's flags: some, such as `--input-type`, are invalid for a worker's file.
  const worker: Worker & { onmessage?: (event: { data: unknown }) => void } = new Worker(script, {
    execArgv: [],
    workerData: loader,
  });
  worker.on('message', (data) => worker.onmessage?.({ data }));
  worker.on('error', (cause) => {
    onError(new WorkerFailure(cause));
  });
  worker.on('exit', (code) => {
    onError(new WorkerFailure(`it ended with ${code}`));
  });
  return worker;
}

/** A worker that runs the loader of the multi-threaded binaries. */
export const createWorker = (onError: OnError): PoolWorker => startWorker('attention', onError);

/** The same for the binaries of pretrained models. */
export const createModelsWorker = (onError: OnError): PoolWorker => startWorker('models', onError);
