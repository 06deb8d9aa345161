import { isAtHand, ownModel } from '#trained-model';
import type { ReactiveController, ReactiveElement } from 'lit';
import type { TrainedModel } from '../../training/trained.js';

const pending = new Map<string, Promise<TrainedModel>>();

/** A model's file, and its card beside it. */
function filesAt(address: string): { model: URL; card: URL } {
  const model = new URL(address, document.baseURI);
  return { model, card: new URL(model.href.replace(/\.safetensors(?=$|[?#])/, '.json')) };
}

/**
 * Whether a reader may be offered the model at this address (null for the package's own): it was named, comes with these
 * scripts, or is loaded.
 */
export const isOffered = (address: string | null): boolean =>
  address !== null || isAtHand() || pending.has(ownModel().model.href);

/** The model at this address, once for all elements of a page. A failed attempt is forgotten. */
async function modelAt(address: string | null): Promise<TrainedModel> {
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

/** Loads the trained model that its host wants, and renders the host again. */
export class TrainedController implements ReactiveController {
  /** null until it is there. */
  model: TrainedModel | null = null;

  /** Why it does not come; null as long as it may. */
  error: unknown = null;

  /** What was asked for last: undefined for nothing, null for the package's own. */
  #asked: string | null | undefined;

  /** @param wanted the address of the model's file, null for the package's own, undefined for none */
  constructor(
    private readonly host: ReactiveElement,
    private readonly wanted: () => string | null | undefined,
  ) {
    host.addController(this);
  }

  /** Whether the model is on its way. */
  get isLoading(): boolean {
    return this.#asked !== undefined && this.model === null && this.error === null;
  }

  hostUpdate(): void {
    const wanted = this.wanted();
    if (wanted === this.#asked) return;
    this.#asked = wanted;
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
      error = reason ?? new Error('the model does not come');
    }
    if (address !== this.#asked) return;
    this.model = model;
    this.error = error;
    this.host.requestUpdate();
  }
}
