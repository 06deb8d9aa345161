import { readWasm } from '#wasm-bytes';
import { tagOf } from './errors.js';
import { once } from './once.js';

/** Where a binary comes from. */
export type Source = string | URL | Response | BufferSource | WebAssembly.Module;

/** `message: cause`, keeping the cause. */
export function failed(message: string, cause: unknown): Error {
  return new Error(`${message}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
}

/** Tags instead of `instanceof`: objects may come from another realm. */
const isLocation = (source: Source): source is string | URL => ['String', 'URL'].includes(tagOf(source));
const isResponse = (source: Source): source is Response => tagOf(source) === 'Response';
const isBytes = (source: Source): source is BufferSource =>
  ArrayBuffer.isView(source) || tagOf(source) === 'ArrayBuffer';

async function compile(source: Source): Promise<WebAssembly.Module> {
  if (isLocation(source)) {
    const found = await readWasm(source).catch((cause: unknown) => {
      throw failed(`the WebAssembly file ${String(source)} could not be read`, cause);
    });
    return compile(found);
  }
  if (isBytes(source)) return WebAssembly.compile(source);
  if (!isResponse(source)) return source;
  if (!source.ok) {
    const status = `HTTP ${source.status} ${source.statusText}`;
    throw new Error(`the WebAssembly file ${source.url} could not be read: ${status}`);
  }
  // Streaming needs exactly this type; servers that do not know .wasm send another.
  const compiling =
    source.headers.get('content-type') === 'application/wasm'
      ? WebAssembly.compileStreaming(source)
      : source.arrayBuffer().then((bytes) => WebAssembly.compile(bytes));
  return compiling.catch((cause: unknown) => {
    // Of a connection that ends in the middle engines say no more than that.
    if (cause instanceof WebAssembly.CompileError) throw cause;
    throw failed(`the WebAssembly file ${source.url} could not be read`, cause);
  });
}

const copies = new WeakMap<object, Uint8Array<ArrayBuffer>>();

function bytesIn(source: BufferSource): Uint8Array {
  // Of a buffer that was transferred no view can be made.
  if (source.byteLength === 0) return new Uint8Array(0);
  return ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);
}

/**
 * A source that its owner can no longer change: an address as text, bytes as a copy. Bytes that are still the same get
 * the same copy again, so that they are compiled once.
 */
export function fixed(source: Source): Source {
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

/** Compiles each source, which must be `fixed`, once. */
export function compiled(source: Source): Promise<WebAssembly.Module> {
  const make = () =>
    compile(source).catch((cause: unknown) => {
      throw cause instanceof WebAssembly.CompileError
        ? failed('`wasm` must be a WebAssembly binary that this engine can compile', cause)
        : cause;
    });
  if (!isLocation(source)) return once(compiledByObject, source, make);
  const url = String(source);
  return once(compiledByUrl, url, async () => {
    const module = await make();
    urlOf.set(module, url);
    return module;
  });
}

/** Lets the address of a module that does not start be read anew: its host may have sent another file in its place. */
export function forget(module: WebAssembly.Module): void {
  const url = urlOf.get(module);
  if (url !== undefined) compiledByUrl.delete(url);
}
