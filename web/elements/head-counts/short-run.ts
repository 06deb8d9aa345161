import type { ReactiveController, ReactiveElement } from 'lit';
import { overall } from '../../training/head-runs.js';
import type { Report, Watched } from '../../training/protocol.js';
import type { Session } from '../../training/session.js';
import type { Point } from './curves.js';

export type Phase = 'idle' | 'training' | 'stopped' | 'done' | 'failed';

/** The models to train, one after the other. */
export interface ShortPlan {
  readonly numLayers: number;
  readonly embedDim: number;
  readonly feedForwardDim: number;
  readonly heads: readonly number[];
  readonly steps: number;
  readonly seed: number;
}

/** Placeholder: a training session must report the weights of some sentence, but this chart shows none. */
const UNWATCHED: Watched = { ids: [0], hidden: null };

/** Trains one model per number of heads, for a few steps each, and updates its host. */
export class ShortRun implements ReactiveController {
  phase: Phase = 'idle';
  plan: ShortPlan | null = null;
  /** Accuracy of each finished model. */
  points: readonly Point[] = [];
  /** Message about an error that ended training; '' without one. */
  problem = '';
  /** Whether training failed because the server sent something other than the requested file. */
  isWrongFile = false;
  /** Whether training runs on the page's main thread, because workers are unavailable. */
  isOnPage = false;
  /** Whether the worker has not reported for an unusually long time. */
  isSilent = false;

  #session: Session | null = null;
  #stepOfModel = 0;
  #accuracy = 0;
  #startTime = 0;
  /** Number of the current run, by which reports of older runs are recognised and ignored. */
  #run = 0;

  /** @param onFinished called after each finished model */
  constructor(
    private readonly host: ReactiveElement,
    private readonly onFinished: () => void,
  ) {
    host.addController(this);
  }

  hostDisconnected(): void {
    if (this.phase === 'training') this.stop();
  }

  /** Number of heads of the model being trained. */
  get heads(): number | undefined {
    return this.plan?.heads[this.points.length];
  }

  /** Number of steps done, over all models. */
  get step(): number {
    return this.points.length * (this.plan?.steps ?? 0) + this.#stepOfModel;
  }

  /** Number of planned steps, over all models. */
  get steps(): number {
    return this.plan ? this.plan.heads.length * this.plan.steps : 0;
  }

  /** Estimated milliseconds until all models are trained; null before the first step. */
  get left(): number | null {
    const { step } = this;
    return step === 0 ? null : ((performance.now() - this.#startTime) / step) * (this.steps - step);
  }

  start(plan: ShortPlan): void {
    this.stop();
    this.plan = plan;
    this.points = [];
    this.problem = '';
    this.isWrongFile = false;
    this.isOnPage = false;
    this.#startTime = performance.now();
    this.#setPhase('training');
    void this.#train();
  }

  /** Stops training and keeps the finished models. */
  stop(): void {
    this.#run++;
    this.#session?.stop();
    this.#session = null;
    this.#stepOfModel = 0;
    this.isSilent = false;
    this.#setPhase('stopped');
  }

  /** Trains the next model. */
  async #train(): Promise<void> {
    const { plan, heads } = this;
    if (!plan || heads === undefined) return;
    const run = ++this.#run;
    const { numLayers, embedDim, feedForwardDim, seed, steps } = plan;
    const onReport = (report: Report) => {
      if (run === this.#run) this.#onReport(report);
    };
    try {
      const { Session } = await import('../../training/session.js');
      if (run !== this.#run) return;
      this.#session = new Session(
        {
          plan: { numLayers, numHeads: heads, embedDim, feedForwardDim, seed, steps },
          watched: UNWATCHED,
          model: null,
        },
        {
          report: onReport,
          workerUnavailable: () => {
            this.isOnPage = true;
            this.host.requestUpdate();
          },
          silenceChanged: (isSilent) => {
            this.isSilent = isSilent;
            this.host.requestUpdate();
          },
        },
      );
    } catch (error) {
      onReport({ type: 'failed', message: String(error) });
    }
  }

  #onReport(report: Report): void {
    switch (report.type) {
      case 'progress':
        this.#stepOfModel = report.step;
        break;
      case 'evaluation':
        this.#accuracy = overall(report.evaluation.accuracyOf);
        break;
      case 'done':
        this.#finishModel();
        break;
      case 'failed':
        this.stop();
        this.problem = report.message;
        this.isWrongFile = report.isWrongFile ?? false;
        this.phase = 'failed';
    }
    this.host.requestUpdate();
  }

  #finishModel(): void {
    const { heads } = this;
    if (heads === undefined) return;
    this.#session?.stop();
    this.#session = null;
    this.#stepOfModel = 0;
    this.points = [...this.points, { heads, value: this.#accuracy }];
    if (this.heads === undefined) this.phase = 'done';
    else void this.#train();
    this.onFinished();
  }

  #setPhase(phase: Phase): void {
    this.phase = phase;
    this.host.requestUpdate();
  }
}
