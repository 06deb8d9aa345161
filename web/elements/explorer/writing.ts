import type { ReactiveController, ReactiveElement } from 'lit';
import type { Sampling } from './prediction-reading.js';

/** Milliseconds for which each new token is shown while the model continues by itself. */
const PACE = 250;

export interface WrittenText {
  /** The text with its next token; null where the model ends it, undefined until that is computed and drawn. */
  readonly next: () => string | null | undefined;
  readonly show: (text: string) => void;
  /** The shown text. */
  readonly text: () => string;
  /** How its next token is drawn. */
  readonly sampling: () => Sampling;
}

/** Continues the shown text with the model's tokens, one by one. */
export class Writing implements ReactiveController {
  isRunning = false;
  /** Whether the last change of the text was a new token. */
  hasGrown = false;
  /** The texts before each added token. */
  #past: string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly host: ReactiveElement,
    private readonly written: WrittenText,
  ) {
    host.addController(this);
  }

  /** How the next token is drawn: every token has a seed of its own, so that the same settings give the same text. */
  get sampling(): Sampling {
    const settings = this.written.sampling();
    return { ...settings, seed: (settings.seed + this.#past.length) >>> 0 };
  }

  get canGoBack(): boolean {
    return this.#past.length > 0;
  }

  /** Adds the next token; without one nothing happens. */
  step(): void {
    const next = this.written.next();
    if (typeof next !== 'string') return;
    this.#past.push(this.written.text());
    this.#show(next);
  }

  back(): void {
    this.stop();
    const last = this.#past.pop();
    if (last !== undefined) this.#show(last);
  }

  run(): void {
    this.isRunning = true;
    this.host.requestUpdate();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.isRunning = false;
    this.host.requestUpdate();
  }

  /** The reader has written another text. */
  forget(): void {
    if (this.isRunning) this.stop();
    this.#past = [];
    this.hasGrown = false;
  }

  hostUpdated(): void {
    if (!this.isRunning || this.#timer !== undefined) return;
    const next = this.written.next();
    if (next === undefined) return;
    if (next === null) {
      this.stop();
      return;
    }
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.step();
    }, PACE);
  }

  hostDisconnected(): void {
    this.stop();
  }

  #show(text: string): void {
    this.hasGrown = true;
    this.written.show(text);
    this.host.requestUpdate();
  }
}
