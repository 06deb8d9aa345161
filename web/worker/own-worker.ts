import { statedWorker } from '../api/locations.js';
import { startWorker } from './rpc.js';

/** A script of the package that runs in a worker. */
interface OwnScript {
  readonly name: string;
  /** Its place in `dist`. */
  readonly file: string;
  /** Creates it as bundlers recognize it. */
  readonly create: () => Worker;
  /** The address of a module beside it, where no bundler has moved it. */
  readonly beside: string;
}

/**
 * For a package on another origin, such as a CDN: a browser starts no worker from there, but a worker of this origin may
 * import its files.
 */
function importingWorker(address: string, name: string): Worker {
  const script = new Blob([`import ${JSON.stringify(address)};`], { type: 'text/javascript' });
  const url = URL.createObjectURL(script);
  const worker = new Worker(url, { type: 'module', name });
  worker.addEventListener('message', () => {
    URL.revokeObjectURL(url);
  });
  return worker;
}

/** A worker that runs; null where none can: a policy of the page forbids it, the environment has no workers, or the signal ends it. */
export async function startOwnWorker(
  { name, file, create, beside }: OwnScript,
  signal: AbortSignal,
): Promise<Worker | null> {
  if (typeof Worker === 'undefined') return null;
  const stated = statedWorker(file);
  const start = stated ? () => new Worker(stated, { type: 'module', name }) : create;
  // Bundlers must not take the address for that of an asset.
  const address = stated?.href ?? beside.replace(/[^/]*$/u, file.replace(/^.*\//u, ''));
  return (await startWorker(start, signal)) ?? startWorker(() => importingWorker(address, name), signal);
}
