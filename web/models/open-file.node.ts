import { open } from 'node:fs/promises';
import type { ByteRange, OpenFile } from './folder.js';
import { openFile as fetchFile } from './open-file.web.js';

/** A file on a server or, in Node, of the disk. @returns null where there is none */
export async function openFile(
  url: URL,
  options: { signal?: AbortSignal | undefined; range?: ByteRange | undefined; cache?: boolean },
): Promise<OpenFile | null> {
  if (url.protocol !== 'file:') return fetchFile(url, options);
  const { range, signal } = options;
  const file = await open(url).catch((cause: unknown) => {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new Error(`${url.href} cannot be read`, { cause });
  });
  if (!file) return null;
  const { size } = await file.stat();
  const stream = file.createReadStream({
    highWaterMark: 2 ** 18,
    ...(signal && { signal }),
    ...(range && { start: range.start, end: range.end - 1 }),
  });
  return { size: range ? range.end - range.start : size, chunks: stream[Symbol.asyncIterator]() };
}
