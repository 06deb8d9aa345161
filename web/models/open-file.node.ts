import { open } from 'node:fs/promises';
import type { OpenFile, OpenOptions } from './folder.js';
import { openFile as fetchFile } from './open-file.web.js';

/** A file on a server or, in Node, of the disk. @returns null where there is none */
export async function openFile(url: URL, options: OpenOptions): Promise<OpenFile | null> {
  if (url.protocol !== 'file:') return fetchFile(url, options);
  const { signal } = options;
  signal?.throwIfAborted();
  const file = await open(url).catch((cause: unknown) => {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new Error(`${url.href} cannot be read`, { cause });
  });
  if (!file) return null;
  const { size } = await file.stat();
  const stream = file.createReadStream({ highWaterMark: 2 ** 18, ...(signal && { signal }) });
  const reading = stream[Symbol.asyncIterator]();
  return {
    size,
    isRange: false,
    chunks: {
      next: () => reading.next(),
      // The iterator that was never asked would leave the file open.
      async return() {
        stream.destroy();
        await file.close().catch(() => undefined);
        return { done: true, value: undefined };
      },
    },
  };
}
