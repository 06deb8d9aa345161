import { createWorker } from '#training-worker';
import { WrongFile } from '../api/wrong-file.js';
import { trainingBinary } from './binary.js';
import type { Executor } from './executor.js';
import type { Command, Report } from './protocol.js';

/** Milliseconds of work between two turns of the event loop, where training shares the page's thread. */
const PAGE_SLICE = 8;

/** After this many milliseconds without a report the listener is told. */
const SILENCE_LIMIT = 20_000;

type StartCommand = Extract<Command, { type: 'start' }>;

export interface SessionListener {
  report(report: Report): void;
  /** No worker can be created: training blocks the page's thread in short slices. */
  workerUnavailable(): void;
  /** true: no report for `SILENCE_LIMIT` while training; false: reports arrive again. */
  silenceChanged(isSilent: boolean): void;
}

/**
 * One training run: in a worker, or in short slices on the page's thread where none can be created (the page is a local
 * file, or its policy forbids workers).
 */
export class Session {
  #executor: Executor | null = null;
  /** Commands before the first report: sent again to the page's thread if the worker fails to start. */
  #unconfirmed: Command[] | null = [];
  #isOver = false;
  /** Whether a report is due; false while training is paused. */
  #isBusy = true;
  #wasResumed = false;
  #silenceTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly start: Omit<StartCommand, 'type' | 'binary'>,
    private readonly listener: SessionListener,
  ) {
    void this.#begin();
  }

  send(command: Exclude<Command, StartCommand>): void {
    if (command.type === 'resume') this.#isBusy = this.#wasResumed = true;
    if (command.type === 'pause') this.#isBusy = false;
    this.#restartSilenceTimer();
    this.#unconfirmed?.push(command);
    this.#executor?.send(command);
  }

  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#silenceTimer);
    this.#executor?.stop();
  }

  async #begin(): Promise<void> {
    try {
      const binary = await trainingBinary();
      if (this.#isOver) return;
      this.#unconfirmed?.unshift({ type: 'start', binary, ...this.start });
      this.#restartSilenceTimer();
      let worker: Worker;
      try {
        worker = createWorker();
      } catch {
        await this.#executeOnPage();
        return;
      }
      this.#executeInWorker(worker);
    } catch (error) {
      console.error(error);
      this.#fail(error);
    }
  }

  #executeInWorker(worker: Worker): void {
    worker.addEventListener('message', ({ data }: MessageEvent<Report>) => {
      this.#receive(data);
    });
    worker.addEventListener('error', (event) => {
      // Keeps the error out of the console: the listener shows it.
      event.preventDefault();
      worker.terminate();
      if (this.#isOver) return;
      if (this.#unconfirmed) void this.#executeOnPage();
      else this.#fail(event.message || 'the worker failed');
    });
    this.#execute({
      send(command) {
        worker.postMessage(command);
      },
      stop() {
        worker.terminate();
      },
    });
  }

  async #executeOnPage(): Promise<void> {
    this.listener.workerUnavailable();
    try {
      const { executeHere } = await import('./executor.js');
      if (this.#isOver) return;
      this.#execute(
        executeHere((report) => {
          this.#receive(report);
        }, PAGE_SLICE),
      );
    } catch (error) {
      this.#fail(error);
    }
  }

  #execute(executor: Executor): void {
    this.#executor = executor;
    for (const command of this.#unconfirmed ?? []) executor.send(command);
  }

  #receive(report: Report): void {
    if (this.#isOver) return;
    this.#unconfirmed = null;
    this.listener.silenceChanged(false);
    // A loaded model waits for `resume` after the report `chance`.
    const isWaiting = report.type === 'chance' && this.start.model !== null && !this.#wasResumed;
    if (report.type === 'done' || isWaiting) this.#isBusy = false;
    if (report.type === 'failed') this.stop();
    else this.#restartSilenceTimer();
    this.listener.report(report);
  }

  #fail(error: unknown): void {
    if (this.#isOver) return;
    this.stop();
    this.listener.report({
      type: 'failed',
      message: error instanceof Error ? error.message : String(error),
      isWrongFile: error instanceof WrongFile,
    });
  }

  /** A timer, because there is no event when a browser kills a worker, for want of memory for example. */
  #restartSilenceTimer(): void {
    clearTimeout(this.#silenceTimer);
    if (!this.#isBusy) return;
    this.#silenceTimer = setTimeout(() => {
      this.listener.silenceChanged(true);
    }, SILENCE_LIMIT);
  }
}
