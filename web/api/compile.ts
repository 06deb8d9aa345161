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

async function compile(source: Source): Promise<WebAssembly.Module> {
  if (isLocation(source)) {
    const found = await readWasm(source).catch((cause: unknown) => {
      throw failed(`the WebAssembly file ${String(source)} could not be read`, cause);
    });
    return compile(found);
  }
  if (tagOf(source) === 'WebAssembly.Module') return source;
  if (!isResponse(source)) return WebAssembly.compile(source as BufferSource);
  if (!source.ok) {
    const status = `HTTP ${source.status} ${source.statusText}`;
    throw new Error(`the WebAssembly file ${source.url} could not be read: ${status}`);
  }
  // Streaming needs exactly this type; servers that do not know .wasm send another.
  return source.headers.get('content-type') === 'application/wasm'
    ? WebAssembly.compileStreaming(source)
    : WebAssembly.compile(await source.arrayBuffer());
}

const compiledByUrl = new Map<string, Promise<WebAssembly.Module>>();
const compiledByObject = new WeakMap<object, Promise<WebAssembly.Module>>();

/** Compiles each source once. */
export function compiled(source: Source): Promise<WebAssembly.Module> {
  const make = () =>
    compile(source).catch((cause: unknown) => {
      throw cause instanceof WebAssembly.CompileError
        ? failed('`wasm` must be a WebAssembly binary that this engine can compile', cause)
        : cause;
    });
  return isLocation(source)
    ? once(compiledByUrl, String(source), make)
    : once(compiledByObject, source, make);
}
