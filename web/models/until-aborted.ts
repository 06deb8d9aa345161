/**
 * Does work that ends with a signal: the promise is rejected with its reason at once, wherever the work is. What the work
 * has begun with its own signal ends when the work does, whether it succeeds or fails.
 *
 * @param work checks its signal before it gives what somebody would have to dispose of
 */
export async function untilAborted<T>(
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController();
  const abort = () => {
    own.abort(signal?.reason);
  };
  signal?.addEventListener('abort', abort);
  try {
    return await new Promise((resolve, reject) => {
      own.signal.addEventListener('abort', () => {
        reject(own.signal.reason as Error);
      });
      work(own.signal).then(resolve, reject);
    });
  } finally {
    signal?.removeEventListener('abort', abort);
    own.abort();
  }
}
