/** Where the files of a model come from: a folder on a server, dropped files, or memory. */
import { rangeError, tagOf, wrongKind } from '../api/errors.js';
import { readOptions } from '../api/options.js';
import type { Platform } from '../api/platform.js';
import { folderUrl, isHubName } from './address.js';
import { type ModelCard, readCard } from './card.js';
import type { Config } from './config-fields.js';
import { type FileNames, knownModel } from './known-models.js';
import { ownFiles } from './own-files.js';
import {
  forgetFile,
  type ByteRange,
  type ModelFolder,
  type OpenFile,
  type OpenUrl,
} from './open-file.web.js';

type AbortSignal = Platform<'AbortSignal'>;
type File = Platform<'File'>;
type FileList = Platform<'FileList'>;
type FileSystemDirectoryHandle = Platform<'FileSystemDirectoryHandle'>;
type URL = Platform<'URL'>;

/** The bytes of a model in memory, without any network. */
export interface ModelBytes {
  /** config.json, as text or parsed. */
  readonly config: string | object;
  /** One safetensors file, or its shards. */
  readonly weights: ArrayBuffer | Uint8Array | readonly (ArrayBuffer | Uint8Array)[];
  /** tokenizer.json, as text or parsed. */
  readonly tokenizer?: string | object;
  /** preprocessor_config.json of a model of images, as text or parsed. */
  readonly preprocessor?: string | object;
}

/**
 * Where a model is: the URL of its folder, a hub name `owner/name`, `minilm`, bytes in memory, or files and folders that the
 * reader has dropped or chosen.
 */
export type ModelSource = string | URL | ModelBytes | FileList | readonly File[] | FileSystemDirectoryHandle;

/** A source as it means the same in a worker: with absolute addresses. It can be cloned between threads. */
export type ModelPlace =
  | {
      readonly kind: 'url';
      readonly base: string;
      readonly names: FileNames;
      /** Its name on the hub; null for another address. */
      readonly hubName: string | null;
      /** Whether it is that of a named model. */
      readonly isNamed: boolean;
      /** Of a model that is known by a name; null where the folder may tell. */
      readonly card: ModelCard | null;
    }
  | { readonly kind: 'files'; readonly files: ReadonlyMap<string, File> }
  | { readonly kind: 'memory'; readonly files: ReadonlyMap<string, Uint8Array> };

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield bytes;
}

const textBytes = (value: string | object): Uint8Array =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));

/** Files in memory or of the reader's disk, by name. */
class LocalFolder<F extends File | Uint8Array> implements ModelFolder {
  readonly isRemote = false;

  constructor(
    private readonly files: ReadonlyMap<string, F>,
    private readonly read: (file: F) => { size: number; chunks: AsyncIterator<Uint8Array> },
  ) {}

  open(file: string): Promise<OpenFile | null> {
    const isOnly = file === 'model.safetensors' && !this.files.has(`${file}.index.json`);
    const found = this.files.get(file) ?? (isOnly ? this.#onlyWeights() : undefined);
    return Promise.resolve(found ? { ...this.read(found), isRange: false } : null);
  }

  missing(file: string, instead = ''): Error {
    return new Error(`the model has no file ${file}${instead}`);
  }

  forget(): Promise<boolean> {
    return Promise.resolve(false);
  }

  /** A single safetensors file of any name. */
  #onlyWeights(): F | undefined {
    const weights = [...this.files].filter(([name]) => name.endsWith('.safetensors'));
    return weights.length === 1 ? weights[0]?.[1] : undefined;
  }
}

/** @internal The chunks of a stream. Safari's streams are no async iterables. */
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
  readonly cache: boolean;
}

class UrlFolder implements ModelFolder {
  readonly isRemote: boolean;
  readonly #opened = new Map<string, URL>();
  #usesKept = false;

  constructor(
    private readonly base: URL,
    private readonly names: FileNames,
    /** What else the author may have meant, for errors. */
    private readonly hint: string,
    private readonly options: FolderOptions,
  ) {
    // The files of the package's own model have addresses of their own. They are small.
    const isOwn = Object.values(names)
      .flat()
      .some((name) => URL.canParse(name));
    this.isRemote = base.protocol !== 'file:' && !isOwn;
  }

  async open(file: string, signal: AbortSignal | undefined, range?: ByteRange): Promise<OpenFile | null> {
    const { openUrl, cache } = this.options;
    for (const name of this.names[file] ?? [file]) {
      const url = new URL(name, this.base);
      const opened = await openUrl(url, { signal, range, cache }).catch((error: unknown) => {
        if (this.hint === '' || signal?.aborted || !(error instanceof Error)) throw error;
        throw new Error(error.message + this.hint, { cause: error });
      });
      if (!opened) continue;
      this.#opened.set(url.href, url);
      if (opened.isKept) this.#usesKept = true;
      return opened;
    }
    return null;
  }

  missing(file: string, instead = this.hint): Error {
    const [own] = this.names[file] ?? [];
    if (own !== undefined && URL.canParse(own)) return new Error(`${own} was not found`);
    return new Error(`${this.base.href} has no file ${file}${instead}`);
  }

  async forget(): Promise<boolean> {
    if (!this.options.cache) return false;
    for (const url of this.#opened.values()) await forgetFile(url);
    return this.#usesKept;
  }
}

function urlPlace(address: string, revision: string, base: string | undefined): ModelPlace {
  const named = knownModel(address);
  const own = named?.isInPackage ? ownFiles(address) : null;
  const isHub = isHubName(address);
  if (!isHub && /^\s*$|\.safetensors$/i.test(address)) {
    throw rangeError('source', `be a folder of a model, got "${address}"`);
  }
  const slashed = own?.base ?? folderUrl(address, revision);
  if (!URL.canParse(slashed, base)) {
    throw rangeError(
      'source',
      `be the URL of a folder, a hub name "owner/name" or a known name, got "${address}"`,
    );
  }
  return {
    kind: 'url',
    base: new URL(slashed, base).href,
    names: own?.names ?? named?.names ?? {},
    hubName: isHub ? address : null,
    isNamed: named !== null,
    card: named?.card ?? null,
  };
}

const MEMBERS = ['config', 'weights', 'tokenizer', 'preprocessor'];

function memoryPlace({ config, weights, tokenizer, preprocessor }: ModelBytes): ModelPlace {
  const shards = (Array.isArray(weights) ? weights : [weights]) as readonly (ArrayBuffer | Uint8Array)[];
  const files = new Map<string, Uint8Array>([['config.json', textBytes(config)]]);
  if (tokenizer !== undefined) files.set('tokenizer.json', textBytes(tokenizer));
  if (preprocessor !== undefined) files.set('preprocessor_config.json', textBytes(preprocessor));
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
  return { kind: 'memory', files };
}

/** The path of a file in the folder that was dropped or chosen; its name alone where the browser tells no path. */
const pathOf = (file: File): string => file.webkitRelativePath || file.name;

/** The files beside the topmost config.json: folders of a repository may hold files of the same names. */
function filesPlace(files: readonly File[]): ModelPlace {
  const folderOfFile = (file: File) => pathOf(file).slice(0, -file.name.length);
  const depthOf = (file: File) => pathOf(file).split('/').length;
  const configs = files.filter(({ name }) => name === 'config.json');
  const top = Math.min(...configs.map(depthOf));
  const [config, ...others] = configs.filter((file) => depthOf(file) === top);
  if (others.length > 0) {
    throw rangeError('source', `hold one model, got ${configs.map(pathOf).join(' and ')}`);
  }
  const own = config ? files.filter((file) => folderOfFile(file) === folderOfFile(config)) : files;
  return { kind: 'files', files: new Map(own.map((file) => [file.name, file])) };
}

async function filesIn(handle: FileSystemDirectoryHandle): Promise<File[]> {
  const files: File[] = [];
  for await (const entry of (handle as unknown as { values(): AsyncIterable<FileSystemHandle> }).values()) {
    if (entry.kind === 'file') files.push(await (entry as FileSystemFileHandle).getFile());
  }
  return files;
}

/**
 * @param revision branch, tag or commit of a hub folder
 * @param base what relative addresses are relative to; undefined where there is no page
 * @throws TypeError, RangeError for something that is no source of a model
 */
export async function placeOf(
  source: ModelSource,
  revision: string,
  base: string | undefined,
): Promise<ModelPlace> {
  if (typeof source === 'string') return urlPlace(source, revision, base);
  const tag = tagOf(source);
  if (tag === 'URL') return urlPlace((source as URL).href, revision, base);
  if (tag === 'FileList' || Array.isArray(source)) {
    const files = Array.from(source as FileList);
    for (const [i, file] of files.entries()) {
      if (tagOf(file) !== 'File') throw wrongKind(`source[${i}]`, 'a File', file);
    }
    return filesPlace(files);
  }
  if (tag === 'FileSystemDirectoryHandle')
    return filesPlace(await filesIn(source as FileSystemDirectoryHandle));
  if (tag === 'Object' && 'config' in source && 'weights' in source)
    return memoryPlace(readOptions('a model in memory', source, MEMBERS, 'source', 'a member'));
  throw wrongKind('source', 'a URL, a hub name, files or { config, weights }', source);
}

/** The card of the model at a place; null where none is known. */
export const cardAt = async (
  place: ModelPlace,
  folder: ModelFolder,
  config: Config,
): Promise<ModelCard | null> => (place.kind === 'url' ? place.card : null) ?? readCard(folder, config);

/** Bytes as files: another thread gets them without a copy in its memory. */
export function asFiles(place: ModelPlace): ModelPlace {
  if (place.kind !== 'memory') return place;
  const files = Array.from(place.files, ([name, bytes]) => {
    const isShared = tagOf(bytes.buffer) === 'SharedArrayBuffer';
    return [name, new File([(isShared ? bytes.slice() : bytes) as Uint8Array<ArrayBuffer>], name)] as const;
  });
  return { kind: 'files', files: new Map(files) };
}

export function folderAt(place: ModelPlace, options: FolderOptions): ModelFolder {
  switch (place.kind) {
    case 'url':
      return new UrlFolder(
        new URL(place.base),
        place.names,
        place.hubName === null ? '' : `; a folder of that name is written ./${place.hubName}/`,
        options,
      );
    case 'files':
      return new LocalFolder(place.files, (file) => ({ size: file.size, chunks: chunksOf(file.stream()) }));
    case 'memory':
      return new LocalFolder(place.files, (bytes) => ({ size: bytes.length, chunks: one(bytes) }));
  }
}
