import { createWorker } from '#training-worker';
import { carriesTallTiles } from '../api/builds.js';
import { WrongFile } from '../api/wrong-file.js';
import { trainingBinary } from './binary.js';
import type { Command, Plan, Report, SavedModel, Watched } from './protocol.js';
import type { Run } from './run.js';

/** On the page itself the reader has a turn after every step. */
const SLICE = 8;

/** Without a word from the run for so long, in milliseconds, the reader is told. */
const SILENCE = 20_000;

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** A worker, or null where a page's origin or policy forbids it. */
function workerOrNull(): Worker | null {
  try {
    return createWorker();
  } catch {
    return null;
  }
}

/** What is trained. */
export interface Start {
  readonly plan: Plan;
  readonly watched: Watched;
  readonly model: SavedModel | null;
}

/** Who is told. */
export interface Listener {
  report(report: Report): void;
  /** Training is on the page's own thread, for no worker can be had. */
  hasNoWorker(): void;
  /** Nothing was heard for long, or (false) something is again. */
  isSilent(silent: boolean): void;
}

/**
 * One run of training: in a worker, or where none can be had (opened as a file, or forbidden by the page's policy) in
 * short slices on the page itself.
 */
export class Session {
  #run: Run | null = null;
  /** What was sent before the run said its first word: one that takes a worker's place is told, too. */
  #unheard: Command[] | null = [];
  #isOver = false;
  /** Whether a word is expected: not while the reader lets it wait. */
  #isBusy = true;
  #wasResumed = false;
  #silence: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly start: Start,
    private readonly listener: Listener,
  ) {
    void this.#begin();
  }

  send(command: Exclude<Command, { type: 'start' }>): void {
    if (command.type === 'resume') this.#isBusy = this.#wasResumed = true;
    if (command.type === 'pause') this.#isBusy = false;
    this.#listen();
    this.#unheard?.push(command);
    this.#run?.send(command);
  }

  /** Ends it at once. */
  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#silence);
    this.#run?.stop();
  }

  async #begin(): Promise<void> {
    try {
      const module = await trainingBinary();
      if (this.#isOver) return;
      const start: Command = {
        type: 'start',
        binary: { module, tallTiles: carriesTallTiles },
        ...this.start,
      };
      this.#unheard?.unshift(start);
      this.#listen();
      const worker = workerOrNull();
      if (worker) this.#inWorker(worker);
      else await this.#onPage();
    } catch (error) {
      console.error(error);
      this.#fail(error);
    }
  }

  #inWorker(worker: Worker): void {
    worker.addEventListener('message', ({ data }: MessageEvent<Report>) => {
      this.#hear(data);
    });
    worker.addEventListener('error', (event) => {
      // The page's console need not know: the reader is told.
      event.preventDefault();
      worker.terminate();
      if (this.#isOver) return;
      if (this.#unheard) void this.#onPage();
      else this.#fail(event.message || 'the worker failed');
    });
    this.#run = {
      send(command) {
        worker.postMessage(command);
      },
      stop() {
        worker.terminate();
      },
    };
    this.#sendUnheard();
  }

  #sendUnheard(): void {
    for (const command of this.#unheard ?? []) this.#run?.send(command);
  }

  async #onPage(): Promise<void> {
    this.listener.hasNoWorker();
    try {
      const { runHere } = await import('./run.js');
      if (this.#isOver) return;
      this.#run = runHere((report) => {
        this.#hear(report);
      }, SLICE);
      this.#sendUnheard();
    } catch (error) {
      this.#fail(error);
    }
  }

  #hear(report: Report): void {
    if (this.#isOver) return;
    this.#unheard = null;
    this.listener.isSilent(false);
    // The last word of a model from a file, until it is to go on.
    const isReady = report.type === 'chance' && this.start.model !== null && !this.#wasResumed;
    if (report.type === 'done' || isReady) this.#isBusy = false;
    if (report.type === 'failed') this.stop();
    else this.#listen();
    this.listener.report(report);
  }

  #fail(error: unknown): void {
    if (this.#isOver) return;
    this.stop();
    this.listener.report({
      type: 'failed',
      message: textOf(error),
      isWrongFile: error instanceof WrongFile,
    });
  }

  /** Waits for the next word. A worker that the browser has ended says nothing. */
  #listen(): void {
    clearTimeout(this.#silence);
    if (!this.#isBusy) return;
    this.#silence = setTimeout(() => {
      this.listener.isSilent(true);
    }, SILENCE);
  }
}
