import { isAtHand, ownModel } from '#trained-model';
import type { ReactiveController, ReactiveElement } from 'lit';
import type { TrainedModel } from '../../training/trained.js';
import { Refusal } from '../base/problem.js';
import { serverOfFile } from '../model/server.js';

const pending = new Map<string, Promise<TrainedModel>>();

/** URLs of a model's file and of its model card, a JSON file beside it. */
function filesAt(address: string): { model: URL; card: URL } {
  const model = new URL(address, document.baseURI);
  return { model, card: new URL(model.href.replace(/\.safetensors(?=$|[?#])/, '.json')) };
}

/**
 * Whether the model at this address (null for the package's own) can be offered: its address was given, or it is bundled
 * with these scripts, or already loaded.
 */
export const isOffered = (address: string | null): boolean =>
  address !== null || isAtHand() || pending.has(ownModel().model.href);

/** Loads the model at this address, once per page. After a failure the next call tries again. */
async function modelAt(address: string | null): Promise<TrainedModel> {
  if (address !== null && serverOfFile(address) === 'refused') {
    throw new Refusal((strings) => strings.badAddress(address));
  }
  const { loadTrained } = await import('../../training/trained.js');
  const { model, card } = address === null ? ownModel() : filesAt(address);
  let loading = pending.get(model.href);
  if (!loading) {
    loading = loadTrained(model, card);
    pending.set(model.href, loading);
    loading.catch(() => pending.delete(model.href));
  }
  return loading;
}

/** Loads the trained model that its host needs, then updates the host. */
export class TrainedController implements ReactiveController {
  /** The loaded model; null until then. */
  model: TrainedModel | null = null;

  /** Error of the last attempt to load the model; null if it did not fail. */
  error: unknown = null;

  /** Address of the last request, as `wanted` gives it. */
  #requested: string | null | undefined;

  /** @param wanted returns the address of the model's file; null for the package's own, undefined for none */
  constructor(
    private readonly host: ReactiveElement,
    private readonly wanted: () => string | null | undefined,
  ) {
    host.addController(this);
  }

  get isLoading(): boolean {
    return this.#requested !== undefined && this.model === null && this.error === null;
  }

  hostUpdate(): void {
    const wanted = this.wanted();
    if (wanted === this.#requested) return;
    this.#requested = wanted;
    this.model = null;
    this.error = null;
    if (wanted !== undefined) void this.#load(wanted);
  }

  async #load(address: string | null): Promise<void> {
    let model: TrainedModel | null = null;
    let error: unknown = null;
    try {
      model = await modelAt(address);
    } catch (reason) {
      error = reason ?? new Error('the model could not be loaded');
    }
    if (address !== this.#requested) return;
    this.model = model;
    this.error = error;
    this.host.requestUpdate();
  }
}
