import { availableParallelism } from 'node:os';

/** Runs `work` on every item, as many at a time as there are processors. */
export async function forEachParallel(items, work) {
  const queue = [...items];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
}
