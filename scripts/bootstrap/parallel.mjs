import { availableParallelism } from 'node:os';

/**
 * Runs `work` on every item, as many at a time as there are processors. After a failure nothing new is begun, and it is
 * told when all that had begun has ended: whoever then removes files is alone with them.
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
