/** Reads the files of a model. Runs in a worker, too: nothing here may be imported by a bare name. */
import { formatShape, rangeError } from '../api/errors.js';
import { type Entry, label } from '../api/safetensors-header.js';
import { isPage } from '../api/wrong-file.js';
import type { Architecture, Config } from './architecture.js';
import { architectureOf } from './families/index.js';
import type { ModelsBinding } from '../wasm/models.js';
import type { ModelFolder } from './folder.js';
import { Model, type ModelParts } from './model.js';
import { ELEMENT_TYPES, StoredRows } from './rows.js';
import { type TextTokenizer, tokenizerFrom, wordPieceFrom } from './tokenizer.js';
import { ByteReader, matrixOf, readHeader, readTensors, type Rows } from './weights.js';

/** How far a download is. */
export interface LoadProgress {
  readonly file: string;
  readonly loaded: number;
  /** null where the server does not say. */
  readonly total: number | null;
}

/** What is told about a download, and what ends it. */
export interface ReadOptions {
  readonly onProgress?: ((progress: LoadProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Files of text larger than this are none of a model's. */
const MOST_TEXT = 64 * 2 ** 20;

async function readAll(reader: AsyncIterator<Uint8Array>, file: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (let next = await reader.next(); next.done !== true; next = await reader.next()) {
    chunks.push(next.value);
    length += next.value.length;
    if (length > MOST_TEXT) throw rangeError(file, `have at most ${MOST_TEXT} bytes, got more`);
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

async function readText(folder: ModelFolder, file: string, signal?: AbortSignal): Promise<string | null> {
  const opened = await folder.open(file, signal);
  if (!opened) return null;
  const bytes = await readAll(opened.chunks, file);
  if (isPage(bytes)) throw rangeError(file, 'be a file of a model, got a page (HTML)');
  return new TextDecoder().decode(bytes);
}

async function readJson(folder: ModelFolder, file: string, signal?: AbortSignal): Promise<Config | null> {
  const text = await readText(folder, file, signal);
  if (text === null) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw rangeError(file, `be JSON, got ${(cause as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw rangeError(file, 'hold a JSON object');
  }
  return value as Config;
}

export async function readTokenizer(
  folder: ModelFolder,
  signal?: AbortSignal,
): Promise<TextTokenizer | null> {
  const [json, config] = await Promise.all([
    readJson(folder, 'tokenizer.json', signal),
    readJson(folder, 'tokenizer_config.json', signal),
  ]);
  if (json) return tokenizerFrom(json, config ?? {});
  const vocabulary = await readText(folder, 'vocab.txt', signal);
  return vocabulary === null ? null : tokenizerFrom(wordPieceFrom(vocabulary, config ?? {}), config ?? {});
}

/** The files that hold the weights: one, or the shards that an index lists. */
async function weightFiles(folder: ModelFolder, signal?: AbortSignal): Promise<string[]> {
  const index = await readJson(folder, 'model.safetensors.index.json', signal);
  if (!index) return ['model.safetensors'];
  const map = index.weight_map ?? {};
  const names = Array.isArray(index.shards) ? (index.shards as string[]) : [...new Set(Object.values(map))];
  if (names.length === 0 || !names.every((name) => typeof name === 'string')) {
    throw rangeError('model.safetensors.index.json', 'list the file of each tensor in weight_map');
  }
  return names.toSorted();
}

/** An open file of weights whose header is read. */
interface Shard {
  readonly file: string;
  readonly reader: ByteReader;
  readonly entries: ReadonlyMap<string, Entry>;
}

async function openShard(
  folder: ModelFolder,
  file: string,
  { signal, onProgress }: ReadOptions,
): Promise<Shard> {
  const opened = await folder.open(file, signal);
  if (!opened) throw new Error(`the model has no file ${file}`);
  let loaded = 0;
  const reader = new ByteReader(opened.chunks, file, (bytes) => {
    loaded += bytes;
    onProgress?.({ file, loaded, total: opened.size });
  });
  const { entries } = await readHeader(reader, file, opened.size);
  return { file, reader, entries };
}

/** Checks that the files hold all tensors of the model in their shapes, and none that it does not know. */
function checkTensors(architecture: Architecture, entries: ReadonlyMap<string, Entry>, model: Model): void {
  const { tensors, tables, ignored } = architecture;
  const shapes = model.shapes();
  for (const [name, { dtype, shape }] of entries) {
    const uses = tensors.get(name) ?? [];
    if (uses.length === 0 && !tables.has(name)) {
      if (ignored.test(name)) continue;
      throw rangeError(label(name), `be a tensor of ${architecture.family}, got one that it does not have`);
    }
    if (ELEMENT_TYPES[dtype] === undefined) {
      throw rangeError(label(name), `be of dtype ${Object.keys(ELEMENT_TYPES).join(', ')}, got ${dtype}`);
    }
    const table = tables.get(name);
    if (table && table.join() !== shape.join()) {
      throw rangeError(label(name), `have shape ${formatShape([...table])}, got ${formatShape([...shape])}`);
    }
    for (const { parameter, transposed = false, part: [, of] = [0, 1] } of uses) {
      const expected = shapes[parameter] ?? [];
      const [rows, columns] = matrixOf(shape);
      const whole =
        expected.length === 1
          ? [1, (expected[0] ?? 0) * of]
          : transposed
            ? [expected[1], (expected[0] ?? 0) * of]
            : [(expected[0] ?? 0) * of, expected[1]];
      if (whole.join() !== [rows, columns].join()) {
        throw rangeError(
          label(name),
          `have ${whole.join(' × ')} values, got shape ${formatShape([...shape])}`,
        );
      }
    }
  }
  for (const name of [...tensors.keys(), ...tables.keys()]) {
    if (!entries.has(name)) throw rangeError(label(name), 'be in the file of the model, got no such tensor');
  }
}

/** Reads the tensors of all files into the model. */
async function readWeights(
  shards: readonly Shard[],
  architecture: Architecture,
  model: Model,
): Promise<void> {
  const { tensors, tables, tied, input } = architecture;
  const stored = new Map<string, Uint8Array>();
  const isTied = (name: string) => tied !== undefined && input.kind === 'text' && name === input.token;
  let count = 0;
  const take = (name: string, entry: Entry, rows: Rows): void => {
    if (tensors.has(name)) model.write(name, entry, rows);
    if (tables.has(name) && !isTied(name)) {
      const bytes = stored.get(name) ?? new Uint8Array(entry.end - entry.begin);
      bytes.set(rows.bytes, (bytes.length / matrixOf(entry.shape)[0]) * rows.first);
      stored.set(name, bytes);
    }
  };
  for (const { reader, entries } of shards) {
    await readTensors(reader, entries, take);
    await reader.end();
    for (const [name, { shape }] of entries) {
      if (tensors.has(name) || tables.has(name)) count += shape.reduce((product, n) => product * n, 1);
    }
  }
  for (const { entries } of shards) {
    for (const [name, { dtype, shape }] of entries) {
      const bytes = stored.get(name);
      if (bytes) model.setTable(name, new StoredRows(bytes, dtype, shape.at(-1) ?? 1));
    }
  }
  model.setParameterCount(count);
}

/** The model of a folder, without its tokenizer. */
export async function readModel(
  binding: ModelsBinding,
  folder: ModelFolder,
  options: ReadOptions & Pick<ModelParts, 'module' | 'dtype'>,
): Promise<Model> {
  const { signal, module, dtype } = options;
  const config = await readJson(folder, 'config.json', signal);
  if (!config) throw new Error('the model has no file config.json');
  const shards: Shard[] = [];
  const entries = new Map<string, Entry>();
  for (const file of await weightFiles(folder, signal)) {
    const shard = await openShard(folder, file, options);
    for (const [name, entry] of shard.entries) entries.set(name, entry);
    shards.push(shard);
  }
  const architecture = architectureOf(config, new Set(entries.keys()));
  const model = new Model(binding, { architecture, config, module, dtype });
  try {
    checkTensors(architecture, entries, model);
    await readWeights(shards, architecture, model);
    signal?.throwIfAborted();
  } catch (error) {
    model.dispose();
    throw error;
  }
  return model;
}
