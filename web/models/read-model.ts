/** Reads the files of a model. Runs in a worker, too: nothing here may be imported by a bare name. */
import { rangeError } from '../api/errors.js';
import { enter } from '../api/handle.js';
import { type Entry, label } from '../api/safetensors-header.js';
import { isPage } from '../api/wrong-file.js';
import type { Architecture } from './architecture.js';
import { SETTINGS } from './encoding.js';
import { type Config, isObject, readFields } from './config-fields.js';
import { checkMemory, checkNames, checkShapes, checkSizes } from './check-tensors.js';
import { cardAt, folderAt, type FolderOptions, type ModelPlace } from './folder.js';
import { FirstValues } from './first-values.js';
import { architectureOf, readsImages } from './families/index.js';
import { asVector, withScales } from './int8-weights.js';
import type { ModelHandle, ModelsBinding } from '../wasm/models.js';
import type { ModelFolder, OpenFile } from './open-file.web.js';
import { NO_RULES, type WritingRules } from './choices.js';
import { readEnds } from './generate.js';
import { Model, type ModelDtype, type ModelParts } from './model.js';
import { preprocessingFrom } from './preprocessing.js';
import { type LoadProgress, ProgressMeter } from './progress.js';
import { ChangedFile, RangedFile, readRange } from './ranged-file.js';
import { FetchedRows, type RowSource, StoredRows } from './rows.js';
import { type TextTokenizer, tokenizerFrom, type Watch } from './tokenizer.js';
import { sentencePieceFile, sentencePieceFrom } from './sentencepiece.js';
import {
  byteLevelFrom,
  idsOfLines,
  isOfKoBert,
  KOBERT_FILE,
  withConfig,
  wordPieceFrom,
} from './vocabulary-files.js';
import {
  ByteReader,
  checkFinite,
  matrixOf,
  readHeader,
  readTensors,
  type Rows,
  writeRows,
} from './weights.js';

/** A folder that is read until the signal ends it. */
interface ReadPlace {
  readonly folder: ModelFolder;
  readonly signal?: AbortSignal | undefined;
  /** Whether to ask for ranges of the weights. */
  readonly inRanges?: boolean;
}

/** The weights in one file, and the list of the files that hold them otherwise. */
const [SINGLE, INDEX] = ['model.safetensors', 'model.safetensors.index.json'];

/** So many bytes tell a page. */
const PAGE_BYTES = 24;

/** Bytes of weights for which memory is taken before they have come, where nobody has said how long the file is. */
const MOST_UNSEEN = 2 ** 26;

interface ReadOptions extends FolderOptions {
  /** What `load()` gave, for `attentionLayer`; null in a worker. */
  readonly module: ModelParts['module'];
  readonly dtype: ModelDtype;
  /**
   * Whether rows of the token table may be left on the server until `Model.prepare`, where it gives ranges of files.
   */
  readonly rowsOnDemand?: boolean;
  /** Whether random first values take the place of the file's. */
  readonly untrained: boolean;
  readonly onProgress?: ((progress: LoadProgress) => void) | undefined;
  readonly signal: AbortSignal;
  /** Uses the tokenizer, where it may come to no end. */
  readonly watch?: Watch;
}

/** The most bytes that a file of text may have: those of vocabularies several times what models have, any other's a MiB. */
const MOST_TEXT: ReadonlyMap<string, number> = new Map([
  ['tokenizer.json', 2 ** 26],
  ...[
    ...[INDEX, 'tokenizer_config.json', 'vocab.txt', 'vocab.json', 'merges.txt'],
    ...['spiece.model', 'sentencepiece.bpe.model', 'tokenizer.model', 'spm.model', 'source.spm'],
  ].map((file) => [file, 2 ** 24] as const),
]);

async function readAll({ chunks, size }: OpenFile, file: string): Promise<Uint8Array> {
  const most = MOST_TEXT.get(file) ?? 2 ** 20;
  const read: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  while (Math.max(length, size ?? 0) <= most) {
    const next = await chunks.next();
    if (next.done === true) return new Uint8Array(await new Blob(read).arrayBuffer());
    // A copy: the reader may use the same memory for the next chunk.
    read.push(next.value.slice());
    length += next.value.length;
  }
  throw rangeError(file, `have at most ${most} bytes, got more`);
}

/** @returns null where there is none; many servers answer with a page then */
async function readBytes(
  { folder, signal }: ReadPlace,
  file: string,
  { isNeeded = false } = {},
): Promise<Uint8Array | null> {
  const opened = await folder.open(file, signal);
  if (!opened) return null;
  try {
    const bytes = await readAll(opened, file);
    if (!isPage(bytes)) return bytes;
    if (isNeeded) throw rangeError(file, 'be a file of a model, got a page (HTML)');
    return null;
  } finally {
    await opened.chunks.return?.();
  }
}

async function readText(place: ReadPlace, file: string, options = {}): Promise<string | null> {
  const bytes = await readBytes(place, file, options);
  return bytes && new TextDecoder().decode(bytes);
}

async function readJson(place: ReadPlace, file: string, options = {}): Promise<Config | null> {
  const text = await readText(place, file, options);
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

/** Once each for config.json, the index and the weights, of which any may be damaged in the store. */
const MOST_READS = 4;

/**
 * Reads from a folder; where what Cache Storage has of it is damaged or does not fit together, anew from the server. A
 * file that changes while it is read is read once more, as a whole.
 *
 * @param open each attempt has a folder of its own, which knows what it took from Cache Storage
 */
async function readAnew<T>(
  open: () => ModelFolder,
  read: (folder: ModelFolder, isWhole: boolean) => Promise<T>,
): Promise<T> {
  let isWhole = false;
  for (let count = 1; ; count++) {
    const folder = open();
    try {
      return await read(folder, isWhole);
    } catch (error) {
      const isWrong = error instanceof RangeError || error instanceof TypeError;
      const isOld = isWrong && (await folder.forget());
      const isOther: boolean = error instanceof ChangedFile && !isWhole;
      if (!(isOld || isOther) || count === MOST_READS) throw error;
      isWhole ||= isOther;
    }
  }
}

/** tokenizer_config.json, whose settings no other file has. */
async function settingsIn(place: ReadPlace): Promise<Config> {
  const config = (await readJson(place, 'tokenizer_config.json')) ?? {};
  readFields(config, SETTINGS, 'tokenizer_config.json: ');
  return config;
}

/**
 * @param model config.json
 * @returns null for a model without a tokenizer, whose settings are not asked for then
 */
async function tokenizerIn(place: ReadPlace, model: Config, watch?: Watch): Promise<TextTokenizer | null> {
  const json = await readJson(place, 'tokenizer.json');
  const file = json ? undefined : sentencePieceFile(model);
  const bytes = file === undefined ? null : await readBytes(place, file);
  if (file !== undefined && bytes) {
    const vocab = file === 'source.spm' ? await readJson(place, 'vocab.json') : null;
    const config = await settingsIn(place);
    return tokenizerFrom(sentencePieceFrom({ file, bytes, config, model, vocab }), config, watch);
  }
  const words = json ? null : await readText(place, 'vocab.txt');
  const vocab = json || words !== null ? null : await readJson(place, 'vocab.json');
  const merges = vocab && (await readText(place, 'merges.txt'));
  if (!json && words === null && merges === null) return null;
  const config = await settingsIn(place);
  if (json) return tokenizerFrom(withConfig(json, config), config, watch);
  if (words !== null && isOfKoBert(words, config)) {
    const bytes = await readBytes(place, KOBERT_FILE);
    if (!bytes) throw place.folder.missing(KOBERT_FILE, ', which its vocab.txt needs: give token ids');
    const own = { ...config, tokenizer_class: 'KoBertTokenizer' };
    const source = { file: KOBERT_FILE, bytes, config: own, model, vocab: idsOfLines(words) };
    return tokenizerFrom(sentencePieceFrom(source), own, watch);
  }
  if (words !== null) return tokenizerFrom(wordPieceFrom(words, config), config, watch);
  const older = vocab && merges !== null ? byteLevelFrom(vocab, merges, config) : null;
  return older && tokenizerFrom(older, config, watch);
}

/** Adds a tensor. @throws RangeError that names it where there is one of this name */
function addEntry(entries: Map<string, Entry>, name: string, entry: Entry): void {
  if (entries.has(name)) throw rangeError(label(name), 'be in the files of the model once, got it twice');
  entries.set(name, entry);
}

/** A file beside the index, or in a folder below it. */
const SHARD = /^(?!.*\.\.)[\w[\]-][\w.[\]/-]*$/u;

/** The shards that an index lists. */
function shardFiles(index: Config): string[] {
  const map = index.weight_map ?? {};
  const names: unknown[] = Array.isArray(index.shards) ? index.shards : [...new Set(Object.values(map))];
  if (names.length === 0 || !names.every((name) => typeof name === 'string' && SHARD.test(name))) {
    throw rangeError(INDEX, 'list the file of each tensor in weight_map');
  }
  return (names as string[]).toSorted();
}

/**
 * Files of TensorFlow's time, such as bert-base-uncased, name the parameters of norms otherwise. torch.compile and
 * DataParallel put a name of their own before all others.
 */
const presentName = (name: string): string =>
  name
    .replace(/^(?:_orig_mod\.|module\.)+/u, '')
    .replace(/\.gamma$/u, '.weight')
    .replace(/\.beta$/u, '.bias');

/** An open file of weights whose header is read. */
interface Shard {
  readonly file: string;
  readonly reader: ByteReader;
  readonly entries: ReadonlyMap<string, Entry>;
  /** Where the data begins. */
  readonly dataStart: number;
  /** Where parts of the file may be left out. */
  readonly ranged: RangedFile | null;
}

/** @returns what to throw where the file is not there, or is a page: others may take its place */
async function openShard(
  { folder, signal, inRanges = false }: ReadPlace,
  file: string,
  meter: ProgressMeter,
): Promise<Shard | Error> {
  const opened = inRanges ? await RangedFile.open({ folder, file, signal }) : await folder.open(file, signal);
  if (!opened) return folder.missing(file);
  const ranged = opened instanceof RangedFile ? opened : null;
  const { size } = opened;
  const reader = new ByteReader(opened instanceof RangedFile ? opened : opened.chunks, file, (bytes) => {
    meter.add(file, bytes);
  });
  try {
    if (isPage(await reader.peek(PAGE_BYTES))) {
      await reader.close();
      return rangeError(file, 'be a safetensors file, got a page (HTML)');
    }
    meter.setTotal(file, size);
    const header = await readHeader(reader, file, size);
    const { dataStart } = header;
    const entries = new Map<string, Entry>();
    for (const [name, entry] of header.entries) {
      const present = presentName(name);
      addEntry(entries, present, asVector(present, entry));
    }
    const end = dataStart + Math.max(0, ...Array.from(entries.values(), (entry) => entry.end));
    meter.setTotal(file, end);
    if (size === null && end > MOST_UNSEEN) await reader.hold(end - dataStart);
    return { file, reader, entries, dataStart, ranged };
  } catch (error) {
    await reader.close();
    throw error;
  }
}

/** Weights in PyTorch's older format: one file, or the list of several. */
const PICKLES = ['pytorch_model.bin', 'pytorch_model.bin.index.json'];

/** What to throw where there are no weights that are read. */
async function missingWeights({ folder, signal }: ReadPlace): Promise<Error> {
  for (const file of PICKLES) {
    const opened = await folder.open(file, signal, { start: 0, end: 1 }).catch(() => null);
    await opened?.chunks.return?.();
    if (opened)
      return folder.missing(
        SINGLE,
        `, but ${file}, Python's pickles, which are not read: convert them with transformers (save_pretrained), or for a model ` +
          'of the hub try as revision a pull request of its converter: "refs/pr/1", "refs/pr/2" …',
      );
  }
  return folder.missing(SINGLE);
}

/**
 * Opens the weights into `shards`. As in transformers, an index counts only where there is no single file: it may be left
 * from an earlier form of the model.
 */
async function openShards(place: ReadPlace, meter: ProgressMeter, shards: Shard[]): Promise<void> {
  const single = await openShard(place, SINGLE, meter);
  if (!(single instanceof Error)) {
    shards.push(single);
    return;
  }
  const index = await readJson(place, INDEX);
  // A server that answers with a page has one in the place of every file.
  if (!index) throw single instanceof RangeError ? single : await missingWeights(place);
  meter.files = shardFiles(index);
  for (const file of meter.files) {
    const shard = await openShard(place, file, meter);
    if (shard instanceof Error) throw shard;
    shards.push(shard);
  }
}

/** The table of which only the rows that texts need are fetched, and where it is; null where it is read whole. */
function fetchedTable(
  shards: readonly Shard[],
  { tied, input, config, tables }: Architecture,
): { name: string; shard: Shard; entry: Entry; ranged: RangedFile } | null {
  // A tied head needs all rows, and who generates a text needs others at each token.
  if (tied !== undefined || config.causal || input.kind !== 'text' || !tables.has(input.token)) return null;
  for (const shard of shards) {
    const entry = shard.entries.get(input.token);
    const { ranged } = shard;
    if (entry && ranged) return { name: input.token, shard, entry, ranged };
  }
  return null;
}

/** Reads the tensors of all files: `write` takes rows for the binary, embedding tables are given. */
async function readWeights(
  shards: readonly Shard[],
  architecture: Architecture,
  write: (name: string, entry: Entry, rows: Rows) => void,
  { folder, signal }: ReadPlace,
  { meter, firstValues }: { meter: ProgressMeter; firstValues: FirstValues | null },
): Promise<Pick<ModelParts, 'tables' | 'parameterCount'>> {
  const { tensors, scales, tables, tied, input } = architecture;
  const stored = new Map<string, { entry: Entry; bytes: Uint8Array }>();
  const isTied = (name: string) => tied !== undefined && input.kind === 'text' && name === input.token;
  const sources = new Map<string, RowSource>();
  let parameterCount = 0;
  const take = (name: string, fileEntry: Entry, fileRows: Rows): void => {
    signal?.throwIfAborted();
    // First values are no whole numbers.
    if (firstValues && scales?.has(name) === true) return;
    const { entry, rows } = firstValues?.rows(name, fileEntry, fileRows) ?? {
      entry: fileEntry,
      rows: fileRows,
    };
    const isRead = tensors.has(name) || tables.has(name);
    if (isRead && entry.dtype !== 'I8') checkFinite(name, entry.dtype, rows.bytes);
    if (tensors.has(name)) write(name, entry, rows);
    if (tables.has(name) && !isTied(name)) {
      const { bytes } = stored.get(name) ?? { bytes: new Uint8Array(entry.end - entry.begin) };
      bytes.set(rows.bytes, (bytes.length / matrixOf(entry.shape)[0]) * rows.first);
      stored.set(name, { entry, bytes });
    }
  };
  const fetched = fetchedTable(shards, architecture);
  if (fetched) {
    const { name, entry, ranged, shard } = fetched;
    const { file, dataStart } = shard;
    const start = dataStart + entry.begin;
    const rowBytes = (entry.end - entry.begin) / (entry.shape[0] ?? 1);
    ranged.skip({ start, end: dataStart + entry.end });
    meter.setTotal(file, ranged.planned);
    const fetchRows = async (first: number, end: number) => {
      if (firstValues) return firstValues.rows(name, entry, { first, count: end - first }).rows.bytes;
      const range = { start: start + first * rowBytes, end: start + end * rowBytes };
      const bytes = await readRange({ folder, file }, range, ranged);
      checkFinite(name, entry.dtype, bytes);
      return bytes;
    };
    const [rows = 0, width = 0] = entry.shape;
    sources.set(name, new FetchedRows([rows, width], firstValues ? 'F32' : entry.dtype, fetchRows));
  }
  for (const shard of shards) {
    const { reader, entries } = shard;
    await readTensors(reader, entries, take, async (name, bytes) => {
      if (fetched?.shard !== shard || name !== fetched.name) return false;
      await reader.skip(bytes, fetched.ranged);
      return true;
    });
    await reader.end();
    for (const [name, { shape }] of entries) {
      if ((tensors.has(name) || tables.has(name)) && scales?.has(name) !== true)
        parameterCount += shape.reduce((product, n) => product * n, 1);
    }
  }
  for (const [name, { entry, bytes }] of stored) {
    sources.set(name, new StoredRows(bytes, entry.dtype, entry.shape.at(-1) ?? 1));
  }
  return { tables: sources, parameterCount };
}

/** `eos_token_id` of transformers' configuration classes, where config.json has no such field. */
const CLASS_ENDS: Readonly<Record<string, number>> = {
  bart: 2,
  gemma2: 1,
  gemma3: 1,
  gpt2: 50_256,
  gpt_neox: 2,
  llama: 2,
  marian: 0,
  mbart: 2,
  mistral: 2,
  mt5: 1,
  olmo2: 50_279,
  opt: 2,
  phi3: 32_000,
  roberta: 2,
  smollm3: 128_001,
  t5: 1,
};

/**
 * Which tokens end a text, are never in it, and begin it. What generation_config.json says comes before config.json, and
 * where there is that file, its other fields do not count.
 *
 * @throws (rejects) TypeError, RangeError
 */
async function writingRulesIn(place: ReadPlace, config: Config, family: string): Promise<WritingRules> {
  const generation = await readJson(place, 'generation_config.json');
  const [file, fields] = generation ? ['generation_config.json', generation] : ['config.json', config];
  const named = (name: string) => [`${file}: ${name}`, fields[name]] as const;
  const [banName, ban] = named('bad_words_ids');
  if (ban != null && !(Array.isArray(ban) && ban.every((ids) => Array.isArray(ids) && ids.length === 1)))
    throw rangeError(banName, 'be a list of single tokens, as in [[65000]]');
  return {
    ends:
      readEnds('generation_config.json: eos_token_id', generation?.eos_token_id) ??
      readEnds(
        'config.json: eos_token_id',
        config.eos_token_id === undefined ? CLASS_ENDS[family] : config.eos_token_id,
      ) ??
      [],
    banned: readEnds(banName, (ban as number[][] | null | undefined)?.flat()) ?? [],
    first: readEnds(...named('forced_bos_token_id'))?.[0] ?? null,
    last: readEnds(...named('forced_eos_token_id'))?.[0] ?? null,
  };
}

/** The parts of a model that its weights and their description give. Their memory is the caller's to free. */
async function partsIn(
  binding: ModelsBinding,
  place: ReadPlace,
  { dtype, onProgress, untrained, onConfig }: ReadOptions & { onConfig: (config: Config) => void },
): Promise<Omit<ModelParts, 'module' | 'tokenizer' | 'readCard'>> {
  const config = await readJson(place, 'config.json', { isNeeded: true });
  if (!config) throw place.folder.missing('config.json');
  onConfig(config);
  const meter = new ProgressMeter([SINGLE], onProgress);
  const shards: Shard[] = [];
  let handle: ModelHandle | null = null;
  try {
    const entries = new Map<string, Entry>();
    await openShards(place, meter, shards);
    for (const shard of shards) for (const [name, entry] of shard.entries) addEntry(entries, name, entry);
    for (const part of [config, ...Object.values(config).filter(isObject)]) checkSizes(part, entries);
    const architecture = withScales(architectureOf(config, new Set(entries.keys())), config, entries);
    checkNames(architecture, entries);
    checkMemory(architecture, entries);
    const { input: own, vision, writing, family, maps } = architecture;
    const input = vision?.input ?? own;
    const preprocessing =
      input.kind === 'image'
        ? preprocessingFrom(await readJson(place, 'preprocessor_config.json'), input, family)
        : null;
    const rules = architecture.config.causal ? await writingRulesIn(place, config, family) : NO_RULES;
    const other = writing?.encoder ?? vision;
    const stacks = [{ ...architecture.config, dtype, prefix: '' }];
    if (other) stacks.push({ ...other.config, dtype, prefix: other.prefix });
    const model = enter(binding, () => new binding.Model(stacks, maps));
    handle = model;
    checkShapes(
      architecture,
      entries,
      enter(binding, () => model.shapes()),
    );
    const write = (name: string, entry: Entry, rows: Rows) => {
      const parts = architecture.tensors.get(name) ?? [];
      enter(binding, () => {
        writeRows(model, parts, entry, rows);
      });
    };
    const firstValues = untrained ? new FirstValues(config, architecture) : null;
    const weights = await readWeights(shards, architecture, write, place, { meter, firstValues });
    place.signal?.throwIfAborted();
    return { ...weights, handle, architecture, config, preprocessing, rules };
  } catch (error) {
    handle?.delete();
    throw error;
  } finally {
    for (const { reader } of shards) await reader.close();
  }
}

/** Reads the model at a place, with its tokenizer. */
export async function readModel(
  starting: Promise<ModelsBinding>,
  place: ModelPlace,
  options: ReadOptions,
): Promise<Model> {
  const { signal, rowsOnDemand = false, module, watch } = options;
  const open = () => folderAt(place, options);
  let tokenizing = null as Promise<TextTokenizer | null> | null;
  /** Models of images have none: their folders are not asked for its files. */
  const onConfig = (config: Config) => {
    if (readsImages(config)) return;
    tokenizing ??= readAnew(open, (folder) => tokenizerIn({ folder, signal }, config, watch));
    // It is awaited later: an error of the weights comes first.
    tokenizing.catch(() => undefined);
  };
  const binding = await starting;
  const parts = await readAnew(open, (folder, isWhole) =>
    partsIn(
      binding,
      { folder, signal, inRanges: !isWhole && rowsOnDemand && folder.isRemote },
      { ...options, onConfig },
    ),
  );
  try {
    const tokenizer = await tokenizing;
    signal.throwIfAborted();
    return new Model(binding, {
      ...parts,
      module,
      tokenizer,
      readCard: () => cardAt(place, open(), parts.config),
    });
  } catch (error) {
    parts.handle.delete();
    throw error;
  }
}
