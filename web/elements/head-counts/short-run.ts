import type { ReactiveController, ReactiveElement } from 'lit';
import { overall } from '../../training/head-runs.js';
import type { Report, Watched } from '../../training/protocol.js';
import type { Session } from '../../training/session.js';
import type { Point } from './curves.js';

export type Phase = 'idle' | 'training' | 'stopped' | 'done' | 'failed';

/** What models are trained, one after the other. */
export interface ShortPlan {
  readonly numLayers: number;
  readonly embedDim: number;
  readonly feedForwardDim: number;
  readonly heads: readonly number[];
  readonly steps: number;
  readonly seed: number;
}

/** A run looks at a sentence all the time; nobody asks for its weights here. */
const UNWATCHED: Watched = { ids: [0], hidden: null };

/** Trains one model for each number of heads, a short time each. Renders its host when something is new. */
export class ShortRun implements ReactiveController {
  phase: Phase = 'idle';
  plan: ShortPlan | null = null;
  /** The accuracy of each model that has got to its last step. */
  points: readonly Point[] = [];
  /** What went wrong, in the words of whatever it was. */
  problem = '';
  /** Whether a server sent something else in place of a file. */
  isWrongFile = false;
  /** Whether training is on the page's own thread. */
  isOnPage = false;
  /** Whether nothing was heard for long. */
  isSilent = false;

  #session: Session | null = null;
  #stepOfModel = 0;
  #accuracy = 0;
  #begin = 0;
  /** Counts the runs: what belongs to an older one is not heard. */
  #run = 0;

  /** @param told is called when a model has got to its last step, and when all have */
  constructor(
    private readonly host: ReactiveElement,
    private readonly told: () => void,
  ) {
    host.addController(this);
  }

  hostDisconnected(): void {
    if (this.phase === 'training') this.stop();
  }

  /** The number of heads that is trained now. */
  get heads(): number | undefined {
    return this.plan?.heads[this.points.length];
  }

  /** Steps that all models together have taken. */
  get step(): number {
    return this.points.length * (this.plan?.steps ?? 0) + this.#stepOfModel;
  }

  /** Steps that all models together will take. */
  get steps(): number {
    return this.plan ? this.plan.heads.length * this.plan.steps : 0;
  }

  /** Milliseconds that are left, as far as is known; null before the first steps. */
  get left(): number | null {
    const { step } = this;
    return step === 0 ? null : ((performance.now() - this.#begin) / step) * (this.steps - step);
  }

  /** Begins anew. */
  start(plan: ShortPlan): void {
    this.stop();
    this.plan = plan;
    this.points = [];
    this.problem = '';
    this.isWrongFile = false;
    this.isOnPage = false;
    this.#begin = performance.now();
    this.#turnTo('training');
    void this.#train();
  }

  /** Ends it; what is finished stays. */
  stop(): void {
    this.#run++;
    this.#session?.stop();
    this.#session = null;
    this.#stepOfModel = 0;
    this.isSilent = false;
    this.#turnTo('stopped');
  }

  /** Trains the next model. */
  async #train(): Promise<void> {
    const { plan, heads } = this;
    if (!plan || heads === undefined) return;
    const run = ++this.#run;
    const { numLayers, embedDim, feedForwardDim, seed, steps } = plan;
    const hear = (report: Report) => {
      if (run === this.#run) this.#hear(report);
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
          report: hear,
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
      hear({ type: 'failed', message: String(error) });
    }
  }

  #hear(report: Report): void {
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
    this.told();
  }

  #turnTo(phase: Phase): void {
    this.phase = phase;
    this.host.requestUpdate();
  }
}
