/** The pretrained models of a page: each is loaded once, in a worker of its own, however many figures show it. */
import { knownModel, knownModels } from '../../models/known-models.js';
import { folderUrl, isPlainAddress } from '../../models/address.js';
import type { ModelCard } from '../../models/card.js';
import type { LoadProgress } from '../../models/progress.js';
import type { WorkerModel } from '../../models/in-worker.js';
import { Refusal } from '../base/problem.js';
import { ChosenFiles, chosenName } from './chosen-files.js';
import { type PretrainedFacts, readAddress } from './pretrained-facts.js';
import { serverOfFolder } from './server.js';

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
        causal: model.causal,
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
        const isInPackage = knownModel(source)?.files !== undefined;
        if (serverOfFolder(source) === 'refused') throw new Refusal((strings) => strings.badAddress(source));
        if (!isInPackage) {
          const config = new URL('config.json', new URL(folderUrl(source), location.href));
          if (!(await isAllowed(config))) throw new Refusal((strings) => strings.forbidden(source));
        }
      }
      const { loadModelInWorker } = await import('../../models/index.js');
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
export function sessionOf(address: string): ModelSession {
  let session = sessions.get(address);
  if (!session) sessions.set(address, (session = new ModelSession(address)));
  return session;
}
