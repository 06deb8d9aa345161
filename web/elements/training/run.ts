/** A training run: its control, its results, and which head they choose. */
import type { ReactiveController, ReactiveElement } from 'lit';
import type { HeadPlace } from '../../sources/figure.js';
import type { RelationKind } from '../../training/language/sentence.js';
import type {
  Chance,
  Evaluation,
  Inspection,
  Plan,
  Report,
  SavedModel,
  Watched,
} from '../../training/protocol.js';
import type { Session } from '../../training/session.js';
import { loadRunning } from './load-running.js';

/** Collects the results of a training run. */
export class History {
  parameterCount = 0;
  chance: Chance | null = null;
  readonly evaluations: Evaluation[] = [];
  /** Per report: its step, and the mean loss of the steps since the report before. */
  readonly losses: (readonly [step: number, loss: number])[] = [];
  step: number;
  tokens: number;
  /** Training speed in steps per second; 0 if unknown. */
  pace = 0;
  /** Steps at which a copy of the model was kept, so that its weights can still be inspected. */
  kept: readonly number[] = [];

  /** @param loadedAt step of the model that was loaded from a file; null if training started in the page */
  constructor(
    readonly plan: Plan,
    readonly loadedAt: number | null,
    tokens = 0,
  ) {
    this.step = loadedAt ?? 0;
    this.tokens = tokens;
  }

  get lastEvaluation(): Evaluation | undefined {
    return this.evaluations.at(-1);
  }

  /** The evaluation at a step, else the last one before it. */
  evaluationAt(step: number): Evaluation | undefined {
    return this.evaluations.findLast((evaluation) => evaluation.step <= step) ?? this.evaluations[0];
  }
}

/** All heads of a model, layer by layer. */
export const headsOf = ({ numLayers, numHeads }: Plan): readonly HeadPlace[] =>
  Array.from({ length: numLayers * numHeads }, (_, index) => ({
    layer: Math.floor(index / numHeads),
    head: index % numHeads,
  }));

export const scoreOf = (evaluation: Evaluation, kind: RelationKind, { layer, head }: HeadPlace): number =>
  evaluation.scores[kind][layer]?.[head] ?? 0;

/** The head with the highest score for a role. */
export function bestHead(evaluation: Evaluation, kind: RelationKind, plan: Plan): HeadPlace {
  return headsOf(plan).reduce((best, place) =>
    scoreOf(evaluation, kind, place) > scoreOf(evaluation, kind, best) ? place : best,
  );
}

/** While the model trains, another head is shown only if it scores this much more than the shown one. */
const CLEARLY = 0.05;

const FIRST: HeadPlace = { layer: 0, head: 0 };

/**
 * Chooses the head that scores highest for what determines the hidden word, over held-out sentences. While the model
 * trains it keeps the shown head until another one is clearly better; at rest it is exactly the best one.
 */
export class BestHead {
  #place = FIRST;
  #history: History | null = null;
  #kind: RelationKind | null = null;

  /** The chosen head; the first one where nothing is measured or no relation is known. */
  get place(): HeadPlace {
    return this.#place;
  }

  /** @param kind what determines the hidden word; null if no single word does */
  update(history: History | null, kind: RelationKind | null, isTraining: boolean): void {
    const isNew = history !== this.#history || kind !== this.#kind;
    this.#history = history;
    this.#kind = kind;
    if (isNew) this.#place = FIRST;
    const evaluation = history?.lastEvaluation;
    if (!history || !evaluation || kind === null) return;
    const best = bestHead(evaluation, kind, history.plan);
    const lead = scoreOf(evaluation, kind, best) - scoreOf(evaluation, kind, this.#place);
    if (lead > (isTraining && !isNew ? CLEARLY : 0)) this.#place = best;
  }
}

/** What a run does. */
export type Phase = 'idle' | 'preparing' | 'training' | 'paused' | 'done' | 'failed';

const same = (a: Watched, b: Watched): boolean =>
  a.hidden === b.hidden && a.ids.length === b.ids.length && a.ids.every((id, place) => id === b.ids[place]);

/** Controls a training run, collects its results, and updates its host after each report of the worker. */
export class RunController implements ReactiveController {
  phase: Phase = 'idle';
  history: History | null = null;
  /** The watched sentence's weights in the current model. */
  now: Inspection | null = null;
  /** Message about an error that ended training; '' without one. */
  problem = '';
  /** Whether training failed because the server sent something other than the requested file. */
  isWrongFile = false;
  /** Whether training runs on the page's main thread, because workers are unavailable. */
  isOnPage = false;
  /** Whether the worker has not reported for an unusually long time. */
  isSilent = false;

  #session: Session | null = null;
  #watched: Watched = { ids: [], hidden: null };
  #steps = 0;
  /** The watched sentence's weights at earlier steps, by step; null while the worker computes them. */
  readonly #earlier = new Map<number, Inspection | null>();
  #saved: ((model: SavedModel) => void)[] = [];
  /** Number of the current run, by which reports of older runs are recognised and ignored. */
  #run = 0;

  /** @param onReport called after every report of the run */
  constructor(
    private readonly host: ReactiveElement,
    private readonly onReport: (report: Report) => void,
  ) {
    host.addController(this);
  }

  hostDisconnected(): void {
    this.reset();
  }

  /** The step at which training ends. */
  get steps(): number {
    return this.#steps;
  }

  get isRunning(): boolean {
    return this.phase === 'preparing' || this.phase === 'training';
  }

  /** Starts training a new model, or loads a saved one, whose training can be continued. */
  async start(plan: Plan, model: SavedModel | null): Promise<void> {
    this.reset();
    const run = this.#run;
    this.#steps = plan.steps;
    this.history = new History(plan, model?.step ?? null, model?.tokens);
    this.#setPhase('preparing');
    try {
      const { Session } = await loadRunning();
      if (run !== this.#run) return;
      this.#session = new Session(
        { plan, watched: this.#watched, model },
        {
          report: (report) => this.#addReport(report),
          workerUnavailable: () => {
            this.isOnPage = true;
            this.host.requestUpdate();
          },
          silenceChanged: (isSilent) => {
            if (isSilent === this.isSilent) return;
            this.isSilent = isSilent;
            this.host.requestUpdate();
          },
        },
      );
    } catch (error) {
      if (run === this.#run) this.#addReport({ type: 'failed', message: String(error) });
    }
  }

  pause(): void {
    this.#session?.send({ type: 'pause' });
    this.#setPhase('paused');
  }

  /** Continues training; `more` steps are added to the planned end. */
  resume(more = 0): void {
    this.#steps = Math.max(this.#steps, this.history?.step ?? 0) + more;
    this.#session?.send({ type: 'resume', steps: this.#steps });
    this.#setPhase('training');
  }

  /** Ends the run and discards its results. */
  reset(): void {
    this.#run++;
    this.#session?.stop();
    this.#session = null;
    this.history = null;
    this.now = null;
    this.problem = '';
    this.isWrongFile = false;
    this.isOnPage = false;
    this.isSilent = false;
    this.#saved = [];
    this.#earlier.clear();
    this.#setPhase('idle');
  }

  /** Requests the current model from the worker. */
  save(): Promise<SavedModel> {
    return new Promise((resolve) => {
      this.#saved.push(resolve);
      this.#session?.send({ type: 'save' });
    });
  }

  /** Sets the sentence whose weights the worker reports. */
  watch(watched: Watched): void {
    if (same(watched, this.#watched)) return;
    this.#watched = watched;
    this.now = null;
    this.#earlier.clear();
    this.#session?.send({ type: 'watch', watched });
  }

  /** The watched sentence's weights at an earlier step; null until the worker has computed them. */
  viewAt(step: number): Inspection | null {
    const known = this.#earlier.get(step);
    if (known !== undefined) return known;
    if (!this.history?.kept.includes(step)) return null;
    this.#earlier.set(step, null);
    this.#session?.send({ type: 'inspect', watched: this.#watched, step });
    return null;
  }

  #addReport(report: Report): void {
    const { history } = this;
    if (!history) return;
    switch (report.type) {
      case 'ready':
        history.parameterCount = report.parameterCount;
        if (this.phase === 'preparing') this.phase = history.loadedAt === null ? 'training' : 'paused';
        break;
      case 'chance':
        history.chance = report.chance;
        break;
      case 'progress':
        history.step = report.step;
        history.tokens = report.tokens;
        if (report.stepsPerSecond > 0)
          history.pace =
            history.pace === 0 ? report.stepsPerSecond : 0.8 * history.pace + 0.2 * report.stepsPerSecond;
        if (report.loss !== null) history.losses.push([report.step, report.loss]);
        break;
      case 'evaluation':
        history.evaluations.push(report.evaluation);
        history.kept = report.snapshots;
        break;
      case 'inspection':
        if (!same(report.inspection.watched, this.#watched)) return;
        if (report.isCurrent) this.now = report.inspection;
        else this.#earlier.set(report.inspection.step, report.inspection);
        break;
      case 'saved':
        for (const resolve of this.#saved.splice(0)) resolve(report.model);
        return;
      case 'done':
        this.phase = 'done';
        break;
      case 'failed':
        this.problem = report.message;
        this.isWrongFile = report.isWrongFile ?? false;
        this.phase = 'failed';
    }
    this.onReport(report);
    this.host.requestUpdate();
  }

  #setPhase(phase: Phase): void {
    this.phase = phase;
    this.host.requestUpdate();
  }
}
