/**
 * Figures as JSON: `{ "tokens": […], "weights": [heads][n][n] }` or `{ "tokens": […], "attentions":
 * [layers][heads][n][n] }`, of two texts with `queryTokens` and `keyTokens` in place of `tokens`, or of an encoder–decoder
 * `{ "tokens": […], "decoderTokens": […], "crossAttentions": [layers][heads][t][s] }`; in a file for `src` or in a script of
 * the page.
 */
import type { ReactiveController, ReactiveElement } from 'lit';
import { bytesAt } from '../api/bytes-at.js';
import { isPage } from '../api/wrong-file.js';
import { type Problem, type Reason, reasonOf, Refusal } from '../elements/base/problem.js';
import { serverOfFile } from './addresses.js';
import { ablatedHeads, ablatedText } from './ablated.js';
import { ATTENTIONS, type FigureData, Layers, LONGEST_WORD } from './figure.js';
import type { Origin, PretrainedFacts, Weights, WeightSource } from './source.js';

/** Largest numbers of layers, heads and words in a file. */
const MOST_LAYERS = 128;
const MOST_HEADS = 512;
const MOST_WORDS = 2048;

/** Longest member besides the tokens and weights that is read, in characters. */
const LONGEST_MEMBER = 2 ** 14;

/** Longest inline script, in characters: it is parsed before the first paint. */
const MOST_INLINE = 16 * 2 ** 20;

/** A file of more bytes is parsed in a worker: on the page it would take a slow device over 100 ms. */
const MOST_ON_PAGE = 2 ** 20;

interface FigureFile {
  readonly layers: Layers;
  /** The pretrained model that the weights are of; null if the file names none. */
  readonly model: PretrainedFacts | null;
  /** The text that the tokens are of; null if the file has none. */
  readonly sentence: string | null;
  /** Heads that were taken out, as in the attribute `ablated`; '' if the file names none. */
  readonly ablated: string;
}

/**
 * Parses JSON to values that are cheap to send from a worker: nested arrays of numbers, all of one shape, become
 * `{ data, shape }`. Others are left for `Figure.from` to refuse. Its source text runs in the worker, so it uses nothing
 * from outside.
 */
function parseFigure(text: string): unknown {
  const tensorOf = (value: unknown): unknown => {
    const shape: number[] = [];
    for (let row = value; Array.isArray(row); row = row[0] as unknown) shape.push(row.length);
    if (shape.length < 3 || shape.length > 4) return value;
    const size = shape.reduce((product, length) => product * length);
    // Each number takes two characters at least: rows of other lengths than the first do not reserve memory.
    if (size > text.length / 2) return value;
    const data = new Float64Array(size);
    let count = 0;
    const isRegular = (part: unknown, axis: number): boolean => {
      if (!Array.isArray(part) || part.length !== shape[axis]) return false;
      if (axis + 1 < shape.length) return part.every((each) => isRegular(each, axis + 1));
      return part.every((number) => typeof number === 'number' && ((data[count++] = number), true));
    };
    return isRegular(value, 0) ? { data, shape } : value;
  };
  const file: unknown = JSON.parse(text);
  if (typeof file !== 'object' || file === null || Array.isArray(file)) return null;
  const members = file as Record<string, unknown>;
  const { weights } = members;
  members.weights = Array.isArray(weights) ? tensorOf(weights) : undefined;
  for (const [name, value] of Object.entries(members)) {
    if (/attentions$|^valueWeighted$/i.test(name))
      members[name] = Array.isArray(value) ? value.map(tensorOf) : undefined;
  }
  return members;
}

/** The error for a text that `JSON.parse` refuses. */
function notJson(text: string): Refusal {
  // Python's json.dumps writes NaN and Infinity.
  const isPython = /[[,:]\s*-?(?:NaN|Infinity)\b/.test(text);
  return new Refusal((strings) => (isPython ? strings.notInJson : strings.notJson));
}

/** Checks what `parseFigure` gave. @throws Refusal */
function checkFigure(parsed: unknown): FigureFile {
  const { tokens, queryTokens, keyTokens, decoderTokens, ...members } = (parsed ?? {}) as Record<
    string,
    unknown
  >;
  const { weights, attentions, valueWeighted, ...groupsAndOthers } = members;
  const { crossAttentions, encoderAttentions, decoderAttentions, ...others } = groupsAndOthers;
  const isOfOne = queryTokens === undefined && keyTokens === undefined;
  const isOfModel = Array.isArray(crossAttentions);
  const texts = isOfModel ? { tokens, decoderTokens } : isOfOne ? { tokens } : { queryTokens, keyTokens };
  const groups = [attentions, valueWeighted, crossAttentions, encoderAttentions, decoderAttentions];
  const layersOf = (isOfModel ? crossAttentions : Array.isArray(attentions) ? attentions : null) as
    unknown[] | null;
  if (!Object.values(texts).every(Array.isArray) || (!layersOf && weights === undefined)) {
    throw new Refusal((strings) => strings.noFields);
  }
  for (const [name, words] of Object.entries(texts) as [string, unknown[]][]) {
    if (words.length > MOST_WORDS) throw new Refusal((strings) => strings.tooManyWords(MOST_WORDS));
    for (const token of words) {
      if (typeof token !== 'string') throw new Refusal((strings) => strings.badTokens(name));
      if (token.length > LONGEST_WORD)
        throw new Refusal((strings) => strings.longWord(token.length, LONGEST_WORD));
    }
  }
  if (groups.some((group) => Array.isArray(group) && group.length > MOST_LAYERS)) {
    throw new Refusal((strings) => strings.tooManyLayers(MOST_LAYERS));
  }
  const read = (name: string): unknown =>
    JSON.stringify(others[name] ?? null).length <= LONGEST_MEMBER ? others[name] : undefined;
  const [words, sentence, ablated] = ['words', 'sentence', 'ablated'].map(read);
  const areWords = Array.isArray(words) && words.every((word) => Number.isInteger(word));
  // `Layers.from` checks what is in the weights.
  const ofModel = { crossAttentions, encoderAttentions, decoderAttentions };
  const data = layersOf
    ? { ...texts, ...(isOfModel ? ofModel : { attentions, valueWeighted }), ...(areWords && { words }) }
    : { ...texts, weights };
  const layers = Layers.from(data as FigureData);
  const all = ATTENTIONS.flatMap((name) => layers.group(name).all());
  if (all.some(({ heads }) => heads > MOST_HEADS)) {
    throw new Refusal((strings) => strings.tooManyHeads(MOST_HEADS));
  }
  return {
    layers,
    model: readPretrainedFacts(read('model')),
    sentence: typeof sentence === 'string' ? sentence : null,
    ablated: typeof ablated === 'string' ? ablatedText(ablatedHeads(ablated)) : '',
  };
}

/** Reads a figure's JSON at once. @throws Refusal for any other content */
export function readFigure(text: string): FigureFile {
  let parsed: unknown;
  try {
    parsed = parseFigure(text);
  } catch {
    throw notJson(text);
  }
  return checkFigure(parsed);
}

/** What a worker does with the bytes of a file. */
const WORKER = `const parse = ${parseFigure.toString()};
onmessage = ({ data }) => {
  try {
    postMessage({ parsed: parse(new TextDecoder().decode(data)) });
  } catch (error) {
    postMessage({ isJson: error.name !== 'SyntaxError' });
  }
};`;

/** Parses a file in a worker; null where there is none, or what was parsed cannot be sent. */
function parseInWorker(bytes: Uint8Array, signal: AbortSignal): Promise<{ parsed: unknown } | null> {
  const url = URL.createObjectURL(new Blob([WORKER], { type: 'text/javascript' }));
  let worker: Worker | undefined;
  return new Promise<{ parsed: unknown } | null>((resolve, reject) => {
    worker = new Worker(url);
    worker.onerror = (event) => {
      // The page parses the file; nothing is wrong.
      event.preventDefault();
      resolve(null);
    };
    worker.onmessage = ({ data }: MessageEvent<{ parsed: unknown } | { isJson: boolean }>) => {
      if ('parsed' in data) resolve(data);
      else if (data.isJson) resolve(null);
      else reject(notJson(new TextDecoder().decode(bytes)));
    };
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error);
    });
    worker.postMessage(bytes);
  })
    .catch((error: unknown) => {
      if (worker) throw error;
      return null;
    })
    .finally(() => {
      worker?.terminate();
      URL.revokeObjectURL(url);
    });
}

/**
 * Fetches a figure's JSON file.
 *
 * @throws (rejects) NoBytesError if it cannot be fetched, Refusal for any other content and for an address that is not plain
 */
async function fetchFigure(src: string, signal: AbortSignal): Promise<FigureFile> {
  if (serverOfFile(src) === 'refused') throw new Refusal((strings) => strings.badAddress(src));
  const url = new URL(src, document.baseURI);
  const bytes = await bytesAt(url, signal);
  if (isPage(bytes)) throw new Refusal((strings) => strings.wrongFile(url.href));
  const answer = bytes.length > MOST_ON_PAGE ? await parseInWorker(bytes, signal) : null;
  return answer ? checkFigure(answer.parsed) : readFigure(new TextDecoder().decode(bytes));
}

/**
 * Reads an element's `<script type="application/json">`, drawn until the module or the model is loaded. There may be several:
 * of a model, and of the model before training.
 */
export function inlineFigures(element: Element): FigureFile[] {
  const texts = Array.from(
    element.querySelectorAll(':scope > script[type="application/json"]'),
    ({ textContent }) => textContent,
  ).filter(Boolean);
  return texts.map((text) => {
    if (text.length > MOST_INLINE) throw new Refusal((strings) => strings.longScript(MOST_INLINE));
    return readFigure(text);
  });
}

/** A file's member `model`; null if it has no name. */
function readPretrainedFacts(model: unknown): PretrainedFacts | null {
  const { name, source, family, causal, license, untrained } = (model ?? {}) as Record<
    keyof PretrainedFacts,
    unknown
  >;
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);
  const known = text(name);
  if (known === null) return null;
  return {
    ...{ name: known, source: text(source), family: text(family), license: text(license) },
    ...{ causal: causal === true, untrained: untrained === true },
  };
}

/** Origin of the weights of a file that names their pretrained model; null for other files. */
export const fileOrigin = ({
  model,
  sentence,
  ablated,
}: FigureFile): Extract<Origin, { kind: 'model' }> | null =>
  model && { kind: 'model', model, sentence, ablated, unknown: 0 };

/** Problem with data or a file that is invalid as a whole. */
const problemWith = (what: 'badData' | 'badSource', reason: Reason): Problem => ({
  argument: what,
  message: (strings) => `${strings[what]} ${reason(strings)}`,
});

/** What `read` gives as a source: its weights, or why the page's own data cannot be drawn. */
export function sourceOf(read: () => Weights | null): WeightSource {
  try {
    return { weights: read(), problem: null };
  } catch (error) {
    return { weights: null, problem: problemWith('badData', reasonOf(error)) };
  }
}

/** Fetches the file that its host names in `src`. */
export class FileSource implements ReactiveController, WeightSource {
  weights: Weights | null = null;
  problem: Problem | null = null;
  #src: string | null = null;
  /** Of the running fetch; null without one. */
  #fetching: AbortController | null = null;

  /** @param wanted the address; null where the host draws something else */
  constructor(
    private readonly host: ReactiveElement,
    private readonly wanted: () => string | null,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    // Reconnected during a fetch: start it again.
    if (this.#fetching) void this.#fetch();
  }

  hostUpdate(): void {
    const src = this.wanted();
    if (src === this.#src) return;
    this.#src = src;
    this.weights = null;
    this.problem = null;
    void this.#fetch();
  }

  hostDisconnected(): void {
    this.#fetching?.abort();
  }

  async #fetch(): Promise<void> {
    this.#fetching?.abort();
    this.#fetching = null;
    if (this.#src === null) return;
    const fetching = (this.#fetching = new AbortController());
    try {
      const file = await fetchFigure(this.#src, fetching.signal);
      if (fetching.signal.aborted) return;
      this.weights = { layers: file.layers, origin: fileOrigin(file) };
    } catch (error) {
      if (fetching.signal.aborted) return;
      this.problem = problemWith('badSource', reasonOf(error));
    }
    this.#fetching = null;
    this.host.requestUpdate();
  }
}
