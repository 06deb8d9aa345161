import type { ReactiveController, ReactiveElement } from 'lit';
import type { WorkerModel } from '../../models/in-worker.js';
import { type ModelSession, sessionOf } from './model-store.js';

/** What a host asks a model for. */
export interface Asked {
  /** The model, as in the attribute `model`. */
  readonly address: string;
  /** The chosen layer, from 0. */
  readonly layer: number;
}

/** How requests of one kind are computed. */
export interface Reading<Request extends Asked, Result> {
  /** Computes a request with its loaded model. */
  readonly read: (session: ModelSession & { model: WorkerModel }, request: Request) => Promise<Result>;
  /** Whether two requests ask the same but for the layer. */
  readonly isSame: (a: Request, b: Request) => boolean;
  /** Whether a result has the layer. */
  readonly has: (result: Result, layer: number) => boolean;
}

/** Weights of all layers are computed together up to this number; beyond, those of the chosen layer alone. */
const MOST_WEIGHTS = 2 ** 25;

/** Layers to ask `forward` for, as its option `attentions`: all, or the nearest to `layer`. */
export function layersToCompute(model: WorkerModel, tokens: number, layer: number): true | [number] {
  const { numLayers, numHeads } = model;
  const isLarge = numLayers * numHeads * tokens ** 2 > MOST_WEIGHTS;
  return isLarge ? [Math.min(layer, numLayers - 1)] : true;
}

/**
 * Loads the model that its host asks for and computes the host's request, anew at every change. While one is computed only
 * the latest waits, so that a figure follows the typing.
 */
export class ModelController<Request extends Asked, Result> implements ReactiveController {
  session: ModelSession | null = null;
  /** What was computed last, and for which request; it stays until the next. */
  answer: { readonly request: Request; readonly result: Result } | null = null;
  isComputing = false;
  /** The last request that could not be computed. */
  #failed: { readonly request: Request; readonly error: unknown } | null = null;

  /** @param wanted returns what the host shows; null for something else than a model */
  constructor(
    private readonly host: ReactiveElement,
    private readonly reading: Reading<Request, Result>,
    private readonly wanted: () => Request | null,
  ) {
    host.addController(this);
  }

  /** Why the present request could not be computed; null if it could, or has not been. */
  get error(): unknown {
    const request = this.wanted();
    return request && this.#hasFailed(request) ? this.#failed?.error : null;
  }

  hostConnected(): void {
    this.host.requestUpdate();
  }

  hostUpdate(): void {
    const request = this.wanted();
    this.#use(request ? sessionOf(request.address) : null);
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
    this.#failed = null;
    session?.addEventListener('change', this.#changed);
    session?.addUser();
    // One that failed for another figure is tried again: its server may be back.
    if (session && !session.isStopped) session.load();
  }

  readonly #changed = (): void => {
    this.host.requestUpdate();
  };

  #hasFailed(request: Request): boolean {
    const failed = this.#failed?.request;
    return failed !== undefined && this.reading.isSame(request, failed) && request.layer === failed.layer;
  }

  #compute(request: Request): void {
    const { session, answer, reading } = this;
    if (!session?.model || this.isComputing || this.#hasFailed(request)) return;
    if (answer && reading.isSame(request, answer.request) && reading.has(answer.result, request.layer))
      return;
    this.isComputing = true;
    void this.#run(request, session as ModelSession & { model: WorkerModel });
  }

  async #run(request: Request, session: ModelSession & { model: WorkerModel }): Promise<void> {
    const { model } = session;
    let answer: typeof this.answer = null;
    let failed: { request: Request; error: unknown } | null = null;
    try {
      answer = { request, result: await session.compute(() => this.reading.read(session, request)) };
    } catch (error) {
      failed = { request, error };
    }
    this.isComputing = false;
    // Otherwise another model is shown by now, or none, or the worker has ended.
    if (session === this.session && (answer || session.model === model)) {
      this.answer = answer ?? this.answer;
      this.#failed = failed;
    }
    this.host.requestUpdate();
  }
}
