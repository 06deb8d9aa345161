import { readWasm } from '#wasm-bytes';
import { tagOf } from '../api/errors.js';
import { bytesIn } from '../api/typed-array.js';
import { from, isPage, pageInstead, WrongFile } from '../api/wrong-file.js';

export type Source = string | URL | Response | BufferSource | WebAssembly.Module;

/** Makes an error that reads `message: cause`. */
export function withCause(message: string, cause: unknown): Error {
  return new Error(`${message}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
}

/** Compares tags instead of using `instanceof`, because objects may come from another realm. */
const isLocation = (source: Source): source is string | URL => ['String', 'URL'].includes(tagOf(source));
const isResponse = (source: Source): source is Response => tagOf(source) === 'Response';
const isBytes = (source: Source): source is BufferSource =>
  ArrayBuffer.isView(source) || tagOf(source) === 'ArrayBuffer';

const EXPECTED = '`wasm` must be a WebAssembly binary';

/** `\0asm`, the first bytes of every binary. */
const MAGIC = [0x00, 0x61, 0x73, 0x6d];

/**
 * @param address '' where unknown
 * @param type the server's Content-Type
 */
async function compileBytes(
  bytes: Uint8Array<ArrayBuffer>,
  address: string,
  type = '',
): Promise<WebAssembly.Module> {
  if (MAGIC.every((byte, place) => bytes[place] === byte)) return WebAssembly.compile(bytes);
  if (type.startsWith('text/html') || isPage(bytes)) throw pageInstead(EXPECTED, address);
  const start = Array.from(bytes.subarray(0, 4), (byte) => byte.toString(16).padStart(2, '0')).join(' ');
  throw new WrongFile(`${EXPECTED}, got bytes that begin with ${start || 'none'}${from(address)}`, address);
}

async function compile(source: Source, address: string): Promise<WebAssembly.Module> {
  if (isLocation(source)) {
    const found = await readWasm(source).catch((cause: unknown) => {
      throw withCause(`the WebAssembly file ${address} could not be read`, cause);
    });
    return compile(found, address);
  }
  if (isBytes(source)) return compileBytes(bytesIn(source), address);
  if (!isResponse(source)) return source;
  if (!source.ok) {
    const status = `HTTP ${source.status} ${source.statusText}`;
    throw new WrongFile(`the WebAssembly file ${source.url} could not be read: ${status}`, source.url);
  }
  // Streaming compilation takes only this Content-Type; servers without an entry for .wasm send another.
  const type = source.headers.get('content-type') ?? '';
  const compiling =
    type === 'application/wasm'
      ? WebAssembly.compileStreaming(source)
      : source.arrayBuffer().then((bytes) => compileBytes(new Uint8Array(bytes), address, type));
  return compiling.catch((cause: unknown) => {
    // For a connection that breaks off, the engines' messages do not name the file.
    if (cause instanceof WebAssembly.CompileError || cause instanceof WrongFile) throw cause;
    throw withCause(`the WebAssembly file ${source.url} could not be read`, cause);
  });
}

interface PromiseMap<K, V> {
  get(key: K): Promise<V> | undefined;
  set(key: K, value: Promise<V>): unknown;
  delete(key: K): boolean;
}

/** The promise of `key`, started at the first call; a rejected one is removed, so that the next call tries again. */
export function once<K, V>(promises: PromiseMap<K, V>, key: K, start: () => Promise<V>): Promise<V> {
  let promise = promises.get(key);
  if (!promise) {
    promise = start();
    promises.set(key, promise);
    promise.catch(() => promises.delete(key));
  }
  return promise;
}

const copies = new WeakMap<object, Uint8Array<ArrayBuffer>>();

/**
 * A snapshot of a source: an address as text, bytes as a copy. Unchanged bytes get the same copy again, so that they are
 * compiled once.
 */
export function snapshot(source: Source): Source {
  if (isLocation(source)) return String(source);
  if (!isBytes(source)) return source;
  const bytes = bytesIn(source);
  const last = copies.get(source);
  if (last?.length === bytes.length && last.every((byte, i) => byte === bytes[i])) return last;
  const copy = bytes.slice();
  copies.set(source, copy);
  return copy;
}

const compiledByUrl = new Map<string, Promise<WebAssembly.Module>>();
const compiledByObject = new WeakMap<object, Promise<WebAssembly.Module>>();
const urlOf = new WeakMap<WebAssembly.Module, string>();

/** Compiles each source once. Pass what `snapshot()` returns. */
export function compiled(source: Source): Promise<WebAssembly.Module> {
  const address = isLocation(source) ? String(source) : isResponse(source) ? source.url : '';
  const make = () =>
    compile(source, address).catch((cause: unknown) => {
      throw cause instanceof WebAssembly.CompileError
        ? withCause(`${EXPECTED} that this engine can compile, got one${from(address)}`, cause)
        : cause;
    });
  if (!isLocation(source)) return once(compiledByObject, source, make);
  return once(compiledByUrl, address, async () => {
    const module = await make();
    urlOf.set(module, address);
    return module;
  });
}

/** Removes the address of a module that does not start from the cache: its host may have sent a wrong file. */
export function forget(module: WebAssembly.Module): void {
  const url = urlOf.get(module);
  if (url !== undefined) compiledByUrl.delete(url);
}
