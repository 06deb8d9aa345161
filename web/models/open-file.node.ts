import { open } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { type OpenFile, openFile as fetchFile, type OpenOptions } from './open-file.web.js';

const CHUNK = 2 ** 18;

/** What relative addresses are relative to: the working directory. */
export const hereBase = (): string => pathToFileURL(`${process.cwd()}/`).href;

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
  // The same memory for each chunk: what is left of those before would pile up until it is collected.
  const buffer = new Uint8Array(CHUNK);
  const close = async () => {
    await file.close();
    return { done: true, value: undefined } as const;
  };
  return {
    size,
    isRange: false,
    chunks: {
      async next() {
        signal?.throwIfAborted();
        const { bytesRead } = await file.read(buffer);
        return bytesRead > 0 ? { done: false, value: buffer.subarray(0, bytesRead) } : close();
      },
      return: close,
    },
  };
}
