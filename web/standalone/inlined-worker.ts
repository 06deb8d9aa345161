/** Starts a worker whose script is in this file: a classic one, because pages opened as files may not start modules. */
export function inlinedWorker(source: string, name: string): Worker {
  const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  try {
    return new Worker(url, { name });
  } finally {
    // By then the worker has fetched the URL.
    URL.revokeObjectURL(url);
  }
}
