/** Earlier downloads in the browser's Cache Storage. Without it, or where it is full, files are downloaded each time. */
import type { ByteRange } from './folder.js';

const CACHE = 'multihead-attention-models';

/** null where there is none: Node, private windows, insecure pages. */
async function openCache(): Promise<Cache | null> {
  try {
    return await caches.open(CACHE);
  } catch {
    return null;
  }
}

/** Cache Storage keeps no partial responses and ignores fragments: a range has an address of its own. */
function keyOf(url: URL, range?: ByteRange): string {
  const key = new URL(url);
  if (range) key.searchParams.set('mha-bytes', `${range.start}-${range.end ?? ''}`);
  return key.href;
}

/** A response that is kept; null for none. Its status is 404 where the server said so. */
export async function keptFile(url: URL, range?: ByteRange): Promise<Response | null> {
  const store = await openCache();
  return (await store?.match(keyOf(url, range)).catch(() => undefined)) ?? null;
}

/** Removes a file with all ranges of it. */
export async function forgetFile(url: URL): Promise<void> {
  const store = await openCache();
  if (!store) return;
  const plain = (address: string): string => {
    const own = new URL(address);
    own.searchParams.delete('mha-bytes');
    return own.href;
  };
  const own = (await store.keys()).filter((request) => plain(request.url) === plain(url.href));
  await Promise.all(own.map((request) => store.delete(request)));
}

/** Notes that the server has no such file, for a later visit without network. */
export async function keepAbsence(url: URL): Promise<void> {
  const store = await openCache();
  await store?.put(keyOf(url), new Response(null, { status: 404 })).catch(() => undefined);
}

/** Writes a file into Cache Storage while it is read. It is kept once it has come completely. */
export class KeptCopy {
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  /** Resolves when the store takes no more: the file is kept, or cannot be. */
  readonly #stored: Promise<void>;
  #isOver = false;

  private constructor(store: Cache, key: string, headers: Headers) {
    // One chunk waits at a time: tee() would collect the file where the store is slower than the network.
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    this.#writer = writable.getWriter();
    this.#stored = store.put(key, new Response(readable, { headers })).then(
      () => this.#end(),
      () => this.#end(),
    );
    this.#writer.closed.catch(() => undefined);
  }

  /** null where nothing can be kept. */
  static async of(url: URL, range: ByteRange | undefined, headers: Headers): Promise<KeptCopy | null> {
    const store = await openCache();
    try {
      return store && new KeptCopy(store, keyOf(url, range), headers);
    } catch {
      // Streams as bodies are newer than Cache Storage.
      return null;
    }
  }

  async write(chunk: Uint8Array): Promise<void> {
    if (this.#isOver) return;
    this.#writer.write(chunk).catch(() => undefined);
    await Promise.race([this.#writer.ready, this.#stored]).catch(() => undefined);
  }

  /** The file is complete. */
  async close(): Promise<void> {
    if (this.#isOver) return;
    await Promise.race([this.#writer.close(), this.#stored]).catch(() => undefined);
    await this.#stored;
  }

  /** The file will not be complete. */
  discard(reason: unknown): void {
    if (this.#isOver) return;
    this.#end();
    this.#writer.abort(reason).catch(() => undefined);
  }

  #end(): void {
    this.#isOver = true;
  }
}
