/**
 * Pretrained models as a source: those of a page, each loaded once in a worker of its own however many figures show it, and
 * what a figure asks them for.
 */
import type { ReactiveController, ReactiveElement } from 'lit';
import { Refusal } from '../elements/base/problem.js';
import { folderUrl, isPlainAddress } from '../models/address.js';
import type { ModelCard } from '../models/card.js';
import type { WorkerModel } from '../models/in-worker.js';
import type { Tensor } from '../api/tensor.js';
import type { Tokens } from '../models/encoding.js';
import type { HeadMaskOptions } from '../models/inputs.js';
import { isInPackage, knownModels, languagesOf } from '../models/known-models.js';
import type { LoadProgress } from '../models/progress.js';
import { ablatedHeads } from './ablated.js';
import { ChosenFiles, chosenName, readAddress, serverOfFolder } from './addresses.js';
import { Figure, Layers } from './figure.js';
import {
  isSameText,
  type ModelRequest,
  type PretrainedFacts,
  type TextRequest,
  type TextResult,
} from './source.js';

/** Milliseconds that a model is kept after its last figure has gone: a figure that is moved in the page comes back. */
const KEPT = 10_000;

/** Milliseconds after which readers are told that a model computes, and may stop it. */
const LONG = 3000;

/** Milliseconds that a server has to answer: a model may be kept in Cache Storage. */
const ANSWER = 3000;

/** Why a model cannot be opened, or has ended, in words for readers. */
function refusalOf(error: unknown, name: string): unknown {
  const kind = error instanceof Error ? error.name : '';
  if (kind === 'TimeoutError') return new Refusal((strings) => strings.endlessTokenizer(name));
  if (kind === 'NotAllowedError') return new Refusal((strings) => strings.noWorker(name));
  return error;
}

/** Models that the reader has chosen from the disk. */
const chosen = new ChosenFiles<readonly File[]>();

/**
 * Makes files of the reader's disk a model of this page.
 *
 * @param folder the name of their folder, if they do not tell it themselves
 * @returns the model's address for the attribute `model`
 */
export function addFiles(files: readonly File[], folder?: string): string {
  const own = files[0]?.webkitRelativePath.split('/')[0];
  return chosen.add(folder ?? (own === '' ? files[0]?.name : own) ?? '', files);
}

/** Short name of a model: of a hub model its own, of a folder its last part. */
export function nameOf(address: string): string {
  const known = knownModels().find(({ name }) => name === address);
  if (known) return known.title;
  const files = chosenName(address);
  if (files !== null) return files;
  if (/^[\w.-]+\/[\w.-]+$/.test(address)) return address;
  if (!isPlainAddress(address)) return address;
  const path = address.replace(/[?#].*$/, '').replace(/\/+$/, '');
  return decodeURIComponent(path.slice(path.lastIndexOf('/') + 1)) || address;
}

/** Whether the page's policy lets it ask a server. A worker, which does ask, is not under the policy of a `<meta>`. */
async function isAllowed(url: URL): Promise<boolean> {
  if (url.origin === location.origin) return true;
  let allowed = true;
  const forbid = ({ effectiveDirective, blockedURI }: SecurityPolicyViolationEvent) => {
    const isOfServer = `${blockedURI}/`.startsWith(`${url.origin}/`);
    if (effectiveDirective === 'connect-src' && isOfServer) allowed = false;
  };
  document.addEventListener('securitypolicyviolation', forbid);
  // A server that cannot be reached is no answer, and the event comes in a task of its own.
  const signal = AbortSignal.timeout(ANSWER);
  await fetch(url, { method: 'HEAD', mode: 'no-cors', cache: 'force-cache', signal }).catch(
    () => new Promise((resolve) => setTimeout(resolve, 50)),
  );
  document.removeEventListener('securitypolicyviolation', forbid);
  return allowed;
}

/** Whether a download may cost the reader money: on a phone, and where the browser is asked to save data. */
function isCostly(source: string): boolean {
  if (isInPackage(source)) return false;
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  return connection?.saveData === true || matchMedia('(pointer: coarse) and (max-width: 40rem)').matches;
}

/** How far a model is. Fires `change`. */
export class ModelSession extends EventTarget {
  model: WorkerModel | null = null;
  progress: LoadProgress | null = null;
  /** Why it could not be loaded; null if it could. */
  error: unknown = null;
  /** Whether the reader has stopped the download or what was computed. */
  isStopped = false;
  /** Computations that take long. */
  readonly #long = new Set<ReturnType<typeof setTimeout>>();
  #hasReloaded = false;
  #hasBegun = false;
  #users = 0;
  #card: ModelCard | null = null;
  #controller: AbortController | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** What `loadModel` takes. */
  readonly source: string;
  /** Whether it is the model before training. */
  readonly untrained: boolean;

  /** @param address as in the attribute `model`; of the model before training as `untrainedAddress` gives it */
  constructor(readonly address: string) {
    super();
    ({ source: this.source, untrained: this.untrained } = readAddress(address));
  }

  /** Whether nobody has begun the download. */
  get isWaiting(): boolean {
    return !this.model && !this.isLoading && !this.#hasBegun;
  }

  /** Begins the download, unless a click is to begin it: the page's author wants it so, or it may cost the reader money. */
  begin(asksFirst: boolean): void {
    const { source } = this;
    const isChosen = chosenName(source) !== null;
    if (this.isWaiting && (isChosen || !(asksFirst || isCostly(source)))) this.load();
  }

  get isLoading(): boolean {
    return this.#controller !== null;
  }

  /** Whether something is computed that takes long. */
  get isBusy(): boolean {
    return this.#long.size > 0;
  }

  get facts(): PretrainedFacts | null {
    const { model, source, untrained } = this;
    return (
      model && {
        name: nameOf(source),
        source: chosenName(source) === null ? source : null,
        untrained: untrained || model.config.training_steps === 0,
        family: model.family,
        causal: model.reader.causal,
        license: this.#card?.license ?? null,
      }
    );
  }

  /** Loads the model unless that has begun, or tries again. */
  load(): void {
    if (!this.model && !this.#controller) void this.#load();
  }

  /** Ends the download, or what is computed with the worker that computes it. */
  stop(): void {
    this.#dispose();
    this.isStopped = true;
    this.#changed();
  }

  /** Computes with the model, which may end by that: its worker may fail, or the reader stop it. */
  async compute<T>(work: () => Promise<T>): Promise<T> {
    const { model } = this;
    const timer = setTimeout(() => {
      this.#long.add(timer);
      this.#changed();
    }, LONG);
    try {
      return await work();
    } catch (error) {
      const hasChanged = error instanceof Error && error.name === 'ChangedFile' && !this.#hasReloaded;
      if (model === this.model && (model?.failure || hasChanged)) {
        this.#dispose();
        this.#hasReloaded ||= hasChanged;
        if (hasChanged) this.load();
        else this.error = refusalOf(error, nameOf(this.source));
        this.#changed();
      }
      throw error;
    } finally {
      clearTimeout(timer);
      if (this.#long.delete(timer)) this.#changed();
    }
  }

  addUser(): void {
    clearTimeout(this.#timer);
    this.#users++;
  }

  removeUser(): void {
    if (--this.#users > 0) return;
    this.#timer = setTimeout(() => {
      sessions.delete(this.address);
      this.#dispose();
    }, KEPT);
  }

  #dispose(): void {
    this.#controller?.abort();
    this.#controller = null;
    this.model?.dispose();
    this.model = null;
  }

  async #load(): Promise<void> {
    const controller = (this.#controller = new AbortController());
    const { signal } = controller;
    this.#hasBegun = true;
    this.error = null;
    this.isStopped = false;
    this.progress = null;
    this.#changed();
    try {
      const { source, untrained } = this;
      const files = chosen.get(source);
      if (!files && chosenName(source) !== null) {
        throw new Refusal((strings) => strings.lostFiles(nameOf(source)));
      }
      if (!files) {
        // Says how to configure a model that has no folder.
        if (serverOfFolder(source) === 'refused') throw new Refusal((strings) => strings.badAddress(source));
        if (!isInPackage(source)) {
          const config = new URL('config.json', new URL(folderUrl(source), location.href));
          if (!(await isAllowed(config))) throw new Refusal((strings) => strings.forbidden(source));
        }
      }
      const { loadModelInWorker } = await import('../models/index.js');
      const model = await loadModelInWorker(files ?? source, {
        ...{ untrained, signal },
        onProgress: (progress) => {
          this.progress = progress;
          if (!signal.aborted) this.#changed();
        },
      });
      // Stopped after the last byte.
      if (signal.aborted) model.dispose();
      else {
        this.model = model;
        void this.#readCard(model);
      }
    } catch (error) {
      if (!signal.aborted) this.error = refusalOf(error, nameOf(this.source));
    }
    if (this.#controller === controller) this.#controller = null;
    this.#changed();
  }

  /** The card names the licence; a model without one is shown without. */
  async #readCard(model: WorkerModel): Promise<void> {
    try {
      this.#card = await model.card;
    } catch {
      // The model was disposed meanwhile.
    }
    this.#changed();
  }

  /** Tells the figures, but not while one of them is updating, which would go unnoticed. */
  #changed(): void {
    queueMicrotask(() => this.dispatchEvent(new Event('change')));
  }
}

const sessions = new Map<string, ModelSession>();

/** The page's session of a model. Whoever shows it calls `addUser` and later `removeUser`. */
function sessionOf(address: string): ModelSession {
  let session = sessions.get(address);
  if (!session) sessions.set(address, (session = new ModelSession(address)));
  return session;
}

/** The session of a loaded model. */
export type OpenSession = ModelSession & { model: WorkerModel };

/** How requests of one kind are computed. */
export interface ModelTask<Request extends ModelRequest, Result> {
  /** Computes a request with its loaded model; `show` may give a part of the result before. */
  readonly compute: (
    session: OpenSession,
    request: Request,
    show?: (result: Result) => void,
  ) => Promise<Result>;
  /** Whether two requests ask the same but for the layer. */
  readonly isSame: (a: Request, b: Request) => boolean;
  /** Whether a result has the layer. */
  readonly has: (result: Result, layer: number) => boolean;
}

/** Weights of all layers are computed together up to this number; beyond, those of the chosen layer alone. */
const MOST_WEIGHTS = 2 ** 25;

/** Layers to ask `forward` for, as its option `attentions`: all, or the nearest to `layer`. */
export function layersToCompute(
  { numLayers, numHeads }: Pick<WorkerModel, 'numLayers' | 'numHeads'>,
  tokens: number,
  layer: number,
): true | [number] {
  const isLarge = numLayers * numHeads * tokens ** 2 > MOST_WEIGHTS;
  return isLarge ? [Math.min(layer, numLayers - 1)] : true;
}

/**
 * Loads the model that its host asks for and computes the host's request, anew at every change. While one is computed only
 * the latest waits, so that a figure follows the typing.
 */
export class ModelController<Request extends ModelRequest, Result> implements ReactiveController {
  session: ModelSession | null = null;
  /** What was computed last, and for which request; it stays until the next. */
  answer: { readonly request: Request; readonly result: Result } | null = null;
  isComputing = false;
  /** The last request that could not be computed. */
  #failure: { readonly request: Request; readonly error: unknown } | null = null;

  /**
   * @param wanted returns what the host shows; null for something else than a model
   * @param load the attribute `load`: a download begins at once for `view`, the default, and else at a click
   */
  constructor(
    private readonly host: ReactiveElement,
    private readonly task: ModelTask<Request, Result>,
    private readonly wanted: () => Request | null,
    private readonly load: () => string | null,
  ) {
    host.addController(this);
  }

  /** Why the present request could not be computed; null if it could, or has not been. */
  get error(): unknown {
    const request = this.wanted();
    return request && this.#hasFailed(request) ? this.#failure?.error : null;
  }

  hostConnected(): void {
    this.host.requestUpdate();
  }

  hostUpdate(): void {
    const request = this.wanted();
    this.#use(request ? sessionOf(request.address) : null);
    this.session?.begin((this.load() ?? 'view') !== 'view');
    if (request) this.#compute(request);
  }

  hostDisconnected(): void {
    this.#use(null);
  }

  #use(session: ModelSession | null): void {
    if (session === this.session) return;
    this.session?.removeEventListener('change', this.#changed);
    this.session?.removeUser();
    this.session = session;
    this.#failure = null;
    session?.addEventListener('change', this.#changed);
    session?.addUser();
    // One that failed for another figure is tried again: its server may be back.
    if (session && !session.isStopped && !session.isWaiting) session.load();
  }

  readonly #changed = (): void => {
    this.host.requestUpdate();
  };

  #hasFailed(request: Request): boolean {
    const failed = this.#failure?.request;
    return failed !== undefined && this.task.isSame(request, failed) && request.layer === failed.layer;
  }

  #compute(request: Request): void {
    const { session, answer, task } = this;
    if (!session?.model || this.isComputing || this.#hasFailed(request)) return;
    if (answer && task.isSame(request, answer.request) && task.has(answer.result, request.layer)) return;
    this.isComputing = true;
    void this.#run(request, session as OpenSession);
  }

  async #run(request: Request, session: OpenSession): Promise<void> {
    const { model } = session;
    let answer: typeof this.answer = null;
    let failed: { request: Request; error: unknown } | null = null;
    const show = (result: Result): void => {
      if (!this.isComputing || session !== this.session) return;
      this.answer = { request, result };
      this.host.requestUpdate();
    };
    try {
      const result = await session.compute(() => this.task.compute(session, request, show));
      answer = { request, result };
    } catch (error) {
      failed = { request, error };
    }
    this.isComputing = false;
    // Otherwise another model is shown by now, or none, or the worker has ended.
    if (session === this.session && (answer || session.model === model)) {
      this.answer = answer ?? this.answer;
      this.#failure = failed;
    }
    this.host.requestUpdate();
  }
}

/**
 * The option of `forward` and others that takes these heads out.
 *
 * @throws Refusal for heads that the model does not have
 */
export function headMaskOf(
  ablated: string,
  { numLayers, numHeads }: { numLayers: number; numHeads: number },
): HeadMaskOptions {
  const places = ablatedHeads(ablated);
  if (places.length === 0) return {};
  const headMask = Array.from({ length: numLayers }, () => new Array<number>(numHeads).fill(1));
  for (const { layer, head } of places) {
    const row = headMask[layer];
    if (!row || head >= numHeads) {
      throw new Refusal((strings) => strings.noHead(`${layer}.${head}`, numLayers, numHeads));
    }
    row[head] = 0;
  }
  return { headMask };
}

// The figures of a text.

/** @throws Refusal where a model cannot read so many tokens */
export function checkLength({ maxLength }: WorkerModel, tokens: number): void {
  if (tokens > maxLength) throw new Refusal((strings) => strings.tooLongForModel(tokens, maxLength));
}

export const textTask: ModelTask<TextRequest, TextResult> = {
  isSame: isSameText,
  // A layer that the model does not have is no reason to compute the text again.
  has: ({ layers }, layer) => layers.has(Math.min(layer, layers.count - 1)),
  async compute(session, request, show) {
    const { model, facts } = session;
    const { text, ablated, valueWeighted = false } = request;
    if (!facts) throw new Error('the model was disposed');
    const mask = headMaskOf(ablated, model);
    const tokens = await model.tokenize(text);
    checkLength(model, tokens.shown.length);
    const unknown = tokens.unknown.length;
    const origin = { kind: 'model', model: facts, sentence: text, ablated, unknown } as const;
    const resultOf = (layers: Layers): TextResult => ({ layers, origin });
    if (model.startId !== null && model.hasLanguageHead && !valueWeighted) {
      const result = await writtenLayers(model, request, tokens, mask, (layers) => {
        show?.(resultOf(layers));
      });
      return { ...result, origin };
    }
    const wanted = layersToCompute(model.reader, tokens.shown.length, request.layer);
    const options = { attentions: wanted, ...mask, ...(valueWeighted && { valueWeighted }) };
    const output = await model.forward(text, options);
    const words = { ...tokens, unknown: unknownOf(tokens) };
    const passed = output.valueWeighted ? layersOf(output.valueWeighted, wanted, model.reader, words) : null;
    return resultOf(layersOf(output.attentions, wanted, model.reader, words, null, passed));
  },
};

/** Tokens that stand for text outside the vocabulary. */
const unknownOf = ({ shown, unknown }: Tokens): string[] => unknown.map((place) => shown[place] ?? '');

/** The words of a figure: those that look, and in a figure of two texts those that are looked at. */
interface FigureWords {
  readonly shown: readonly string[];
  readonly words: ArrayLike<number>;
  readonly unknown: readonly string[];
  readonly keys?: Pick<Tokens, 'shown' | 'words'>;
}

/** Figures of a model's attentions. @param wanted the layers that were computed */
function layersOf(
  attentions: readonly Tensor[],
  wanted: true | [number],
  { numLayers, numHeads }: { readonly numLayers: number; readonly numHeads: number },
  { shown, words, unknown, keys }: FigureWords,
  groups: Layers['groups'] = null,
  passed: Layers | null = null,
): Layers {
  const heads = Array.from({ length: numHeads }, (_, head) => head);
  return new Layers(
    numLayers,
    (layer) => {
      const { data = new Float32Array() } = attentions[wanted === true ? layer : 0] ?? {};
      const part = { layer, words, ...(keys && { keyWords: keys.words }) };
      return new Figure(shown, heads, data, false, null, part, unknown, keys?.shown);
    },
    (layer) => (wanted === true ? layer >= 0 && layer < numLayers : layer === wanted[0]),
    groups,
    passed,
  );
}

/** Milliseconds between two figures of a text that is being written. */
const WRITING = 300;

/** The word of each token that a model has written: −1 for special ones, such as `</s>`. */
function wordsOfWritten(tokens: readonly string[]): number[] {
  const isMarked = tokens.some((token) => /^[▁Ġ]/u.test(token));
  let word = -1;
  return tokens.map((token) => {
    // Not bytes, such as `<0x0A>`.
    if (/^(?:<(?!0x)[^>]+>|\[[^\]]+\])$/u.test(token)) return -1;
    const begins = isMarked ? /^[▁Ġ]/u.test(token) : !token.startsWith('##');
    return begins || word < 0 ? ++word : word;
  });
}

/**
 * The figures of a text and of what an encoder–decoder writes from it. In `cross` a row is a written token: where the model
 * looked when it wrote it. In `decoder` the rows are the tokens that the decoder took.
 *
 * @param show gets the figures of the text so far while it is written
 * @returns those of the whole text, and the ids that the decoder took (`written`)
 */
async function writtenLayers(
  model: WorkerModel,
  { text, layer }: TextRequest,
  read: Tokens,
  mask: HeadMaskOptions,
  show: (layers: Layers) => void,
): Promise<Pick<TextResult, 'layers' | 'written'>> {
  const start = model.startId ?? 0;
  const most = Math.min(2 * read.shown.length + 32, model.maxLength - 1);
  const sizes = { numLayers: model.numLayers, numHeads: model.numHeads };
  const wanted = layersToCompute(
    // A layer that both stacks have.
    { ...sizes, numLayers: Math.min(sizes.numLayers, model.reader.numLayers) },
    Math.max(most, read.shown.length),
    layer,
  );
  const readWords = { ...read, unknown: unknownOf(read) };
  /** @param written tokens, that with which the decoder starts before them */
  const figures = async (written: readonly { id: number; token: string; shown: string }[]) => {
    const wordsOf = (some: typeof written): FigureWords => ({
      shown: some.map(({ shown }) => shown),
      words: wordsOfWritten(some.map(({ token }) => token)),
      unknown: [],
    });
    const [taken, given] = [wordsOf(written.slice(0, -1)), wordsOf(written.slice(1))];
    const output = await model.forward(
      { text, decoderInputIds: [written.slice(0, -1).map(({ id }) => id)] },
      { attentions: wanted },
    );
    const { encoderAttentions = [], decoderAttentions = [], crossAttentions = [] } = output;
    return layersOf(
      crossAttentions,
      wanted,
      sizes,
      { ...given, unknown: readWords.unknown, keys: read },
      {
        encoder: layersOf(encoderAttentions, wanted, model.reader, readWords),
        decoder: layersOf(decoderAttentions, wanted, sizes, taken),
      },
    );
  };
  const written = [{ id: start, token: '', shown: '' }];
  let last = performance.now();
  let isDrawing = false;
  const { ids, tokens, shown } = await model.generate(text, {
    maxNewTokens: most,
    // Refused by the model, which has two stacks.
    ...mask,
    onToken: (token) => {
      written.push(token);
      if (isDrawing || performance.now() - last < WRITING) return;
      isDrawing = true;
      figures([...written])
        .then(show, () => {
          // What is wrong is said of the whole text.
        })
        .finally(() => {
          isDrawing = false;
          last = performance.now();
        });
    },
  });
  return {
    layers: await figures(ids.map((id, i) => ({ id, token: tokens[i] ?? '', shown: shown[i] ?? '' }))),
    written: ids.slice(0, -1),
  };
}

/** Whether Hangul reaches a model that is not known to have learned Korean in pieces smaller than syllables, or not at all. */
export function isHangulBroken({
  request,
  result: { layers, origin },
}: {
  request: TextRequest;
  result: TextResult;
}): boolean {
  if (languagesOf(origin.model.source ?? '')?.includes('ko')) return false;
  const syllables = (request.text.match(/[가-힣]/gu) ?? []).length;
  return syllables > 0 && (origin.unknown > 0 || layers.group('encoder').figure(0).size > 2 * syllables);
}
