import type { ReactiveController, ReactiveElement } from 'lit';
import { type AttentionModule, load } from '../../index.js';
import { whenNear } from './near-viewport.js';

let pending: Promise<AttentionModule> | undefined;

/** Loads the WebAssembly module, once per page. After a failure the next call tries again. */
export function sharedModule(): Promise<AttentionModule> {
  pending ??= load().catch((error: unknown) => {
    pending = undefined;
    console.error(error);
    throw error;
  });
  return pending;
}

/** Loads a module when its host comes near the viewport and needs it, then updates the host. */
export class ModuleController<Module = AttentionModule> implements ReactiveController {
  /** The loaded module; null until then. */
  module: Module | null = null;

  /** Error of the last attempt to load the module; null if it did not fail. */
  failure: unknown = null;

  /** Whether the host has come near the viewport. */
  isNear = false;

  #started = false;
  #stop = (): void => undefined;

  /**
   * @param isWanted whether the host needs the module; checked at every update
   * @param loadModule loads it; the page's WebAssembly module by default
   */
  constructor(
    private readonly host: ReactiveElement,
    private readonly isWanted: () => boolean = () => true,
    private readonly loadModule = sharedModule as () => Promise<Module>,
  ) {
    host.addController(this);
  }

  /** The loaded module. @throws Error before it is loaded */
  get loaded(): Module {
    if (this.module === null) throw new Error('the module is not loaded yet');
    return this.module;
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
    if (this.isNear && !this.#started && this.isWanted()) void this.#load();
  }

  readonly retry = (): void => {
    this.failure = null;
    this.#started = false;
    this.host.requestUpdate();
  };

  async #load(): Promise<void> {
    this.#started = true;
    try {
      this.module = await this.loadModule();
    } catch (error) {
      this.failure = error;
    }
    this.host.requestUpdate();
  }
}
