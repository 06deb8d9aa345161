import type { ReactiveController, ReactiveElement } from 'lit';
import { whenNear } from '../base/near-viewport.js';

/** Sentences of the language that is learned. */
export type Sentences = typeof import('./sentences.js');

/** Loads the language when its host comes near the viewport: a page whose reader never gets there need not have it. */
export class SentencesController implements ReactiveController {
  /** null until it is there. */
  module: Sentences | null = null;

  /** Why the last attempt failed; null where it did not. */
  failure: unknown = null;

  #stop = (): void => undefined;

  constructor(private readonly host: ReactiveElement) {
    host.addController(this);
  }

  hostConnected(): void {
    if (this.module) return;
    this.#stop = whenNear(this.host, () => {
      void this.#load();
    });
  }

  hostDisconnected(): void {
    this.#stop();
  }

  /** Tries again to load it. */
  readonly retry = (): void => {
    this.failure = null;
    this.host.requestUpdate();
    void this.#load();
  };

  async #load(): Promise<void> {
    try {
      this.module = await import('./sentences.js');
    } catch (error) {
      this.failure = error;
    }
    this.host.requestUpdate();
  }
}
