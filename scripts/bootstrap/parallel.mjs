import { availableParallelism } from 'node:os';

/**
 * Runs `work` on every item, as many at a time as there are processors. A failure starts nothing new, and rejects only
 * after all running work has ended, so that the caller can safely delete files.
 */
export async function forEachParallel(items, work) {
  const queue = [...items];
  const worker = async () => {
    try {
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
    } finally {
      queue.length = 0;
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: availableParallelism() }, worker));
  const failed = ended.find(({ status }) => status === 'rejected');
  if (failed) throw failed.reason;
}
