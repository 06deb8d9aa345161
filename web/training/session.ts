import { createWorker } from '#training-worker';
import { WrongFile } from '../api/wrong-file.js';
import { Connection } from '../worker/rpc.js';
import { trainingBinary } from './binary.js';
import type { Command, Report, Start } from './protocol.js';
import type { TrainingMethods } from './service.js';

/** Milliseconds of work between two turns of the event loop, where training shares the page's thread. */
const PAGE_SLICE = 8;

/** After this many milliseconds without a report the listener is told. */
const SILENCE_LIMIT = 20_000;

export interface SessionListener {
  report(report: Report): void;
  /** No worker can be created: training blocks the page's thread in short slices. */
  workerUnavailable(): void;
  /** true: no report for `SILENCE_LIMIT` while training; false: reports arrive again. */
  silenceChanged(isSilent: boolean): void;
}

/**
 * One training run: in a worker, or in short slices on the page's thread where none can be created (the page's policy
 * forbids workers, or a local file imports modules).
 */
export class Session {
  #connection: Connection<TrainingMethods> | null = null;
  /** Commands before there is a connection. */
  readonly #early: Command[] = [];
  /** Ends a worker that is still starting. */
  readonly #end = new AbortController();
  /** Whether a report is due; false while training is paused. */
  #isBusy = true;
  #wasResumed = false;
  #silenceTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly start: Omit<Start, 'binary'>,
    private readonly listener: SessionListener,
  ) {
    this.#run().catch((error: unknown) => {
      if (!this.#connection) console.error(error);
      this.#fail(error);
    });
  }

  send(command: Command): void {
    if (command.type === 'resume') this.#isBusy = this.#wasResumed = true;
    if (command.type === 'pause') this.#isBusy = false;
    this.#restartSilenceTimer();
    if (this.#connection) this.#execute(command);
    else this.#early.push(command);
  }

  stop(): void {
    this.#end.abort();
    clearTimeout(this.#silenceTimer);
    this.#connection?.close(new Error('the training was stopped'));
  }

  async #run(): Promise<void> {
    const binary = await trainingBinary();
    if (this.#hasEnded()) return;
    this.#restartSilenceTimer();
    const worker = await createWorker(this.#end.signal);
    const target = worker ?? (await import('./service.js')).trainingService(PAGE_SLICE);
    const connection = new Connection<TrainingMethods>(target, 'the training');
    this.#connection = connection;
    if (this.#hasEnded()) {
      this.stop();
      return;
    }
    if (!worker) this.listener.workerUnavailable();
    const training = connection.call('start', [{ binary, ...this.start }], undefined, (report) => {
      this.#receive(report);
    });
    for (const command of this.#early) this.#execute(command);
    await training;
  }

  /** Whether it was stopped, or has failed, meanwhile. */
  #hasEnded(): boolean {
    return this.#end.signal.aborted;
  }

  #execute(command: Command): void {
    // An error of a command ends the run and comes as that of `start`.
    this.#connection?.call('command', [command]).catch(() => undefined);
  }

  #receive(report: Report): void {
    if (this.#hasEnded()) return;
    this.listener.silenceChanged(false);
    // A loaded model waits for `resume` after the report `chance`.
    const isWaiting = report.type === 'chance' && this.start.model !== null && !this.#wasResumed;
    if (report.type === 'done' || isWaiting) this.#isBusy = false;
    this.#restartSilenceTimer();
    this.listener.report(report);
  }

  #fail(error: unknown): void {
    if (this.#hasEnded()) return;
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
