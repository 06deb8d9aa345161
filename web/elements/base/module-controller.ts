import type { ReactiveController, ReactiveElement } from 'lit';
import type { AttentionModule } from '../../index.js';
import { whenNear } from './near.js';
import { sharedModule } from './shared-module.js';

/** Loads the page's one module when its host comes near the viewport and wants it, and renders the host again. */
export class ModuleController implements ReactiveController {
  /** null until it is there. */
  module: AttentionModule | null = null;

  /** Why the last attempt failed; null where it did not. */
  failure: unknown = null;

  /** Whether the host has come near the viewport. */
  isNear = false;

  #asked = false;
  #stop = (): void => undefined;

  /** @param wanted whether the host has anything to compute; asked whenever it is drawn */
  constructor(
    private readonly host: ReactiveElement,
    private readonly wanted: () => boolean = () => true,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    this.#stop = whenNear(this.host, () => {
      this.isNear = true;
      this.host.requestUpdate();
    });
  }

  hostDisconnected(): void {
    this.#stop();
  }

  hostUpdate(): void {
    if (this.isNear && !this.#asked && this.wanted()) void this.#load();
  }

  /** Tries again to load the module. */
  readonly retry = (): void => {
    this.failure = null;
    this.#asked = false;
    this.host.requestUpdate();
  };

  async #load(): Promise<void> {
    this.#asked = true;
    try {
      this.module = await sharedModule();
    } catch (error) {
      this.failure = error;
    }
    this.host.requestUpdate();
  }
}
