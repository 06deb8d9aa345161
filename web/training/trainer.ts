import type { Encoder, EncoderClass } from './encoder.js';
import { untrainedEncoder } from './encoder-sizes.js';
import { type Evaluator, evaluator } from './evaluation.js';
import { inspect } from './inspect.js';
import { mulberry32 } from './language/mulberry.js';
import type { Uniform } from './language/sentence.js';
import {
  type Command,
  type PlainTensors,
  type Report,
  type SavedModel,
  type Start,
  toPlainTensors,
} from './protocol.js';
import { trainStep } from './train-step.js';

/** Each step trains on this many sentences: half of what scripts use, so that a page shows steps twice as often. */
const BATCH_SIZE = 32;
/** Milliseconds between two progress reports. */
const REPORT_INTERVAL = 240;
/** Number of evaluations up to the planned last step. */
const EVALUATIONS = 24;
/** Number of parameter snapshots that are kept; beyond it, every second one is dropped. */
const MAX_SNAPSHOTS = 60;

/** Returns the step of the next evaluation: the first ones are close together, because accuracy changes most there. */
export function nextEvaluation(step: number, steps: number): number {
  const stepOf = (index: number) => Math.round(steps * (index / EVALUATIONS) ** 1.5);
  let index = 1;
  while (index <= EVALUATIONS && stepOf(index) <= step) index++;
  return index <= EVALUATIONS ? stepOf(index) : step + Math.max(1, Math.round(steps / EVALUATIONS));
}

/** Trains one model in small pieces, so that its thread can handle commands in between. */
export class Trainer {
  readonly #encoder: Encoder;
  /** Holds the parameters of an earlier step while they are inspected or evaluated. */
  readonly #snapshotEncoder: Encoder;
  readonly #evaluator: Evaluator;
  readonly #start: Start;
  readonly #report: (report: Report) => void;
  readonly #uniform: Uniform;
  readonly #snapshots = new Map<number, PlainTensors>();
  readonly #pieces: Generator<'busy' | 'idle', never>;

  #step: number;
  /** Number of steps in this run, without those of a loaded model. */
  #stepsInRun = 0;
  #tokens: number;
  #lastStep: number;
  #isRunning: boolean;
  #watched: Start['watched'];

  #losses = { sum: 0, count: 0 };
  #lastReport = { step: -1, time: 0 };

  constructor(Encoder: EncoderClass, start: Start, report: (report: Report) => void) {
    const { plan, model, watched } = start;
    this.#encoder = untrainedEncoder(Encoder, plan);
    this.#snapshotEncoder = untrainedEncoder(Encoder, plan);
    if (model) {
      this.#encoder.loadStateDict(model.parameters);
      if (model.optimizer) this.#encoder.loadOptimizerState(model.optimizer);
    }
    this.#start = start;
    this.#report = report;
    this.#step = model?.step ?? 0;
    this.#tokens = model?.tokens ?? 0;
    this.#lastStep = plan.steps;
    this.#isRunning = model === null;
    this.#watched = watched;
    // The seed depends on the step: a loaded model continues with other sentences than those of its first steps.
    this.#uniform = mulberry32(plan.seed + 0x9e3779b1 * this.#step);
    this.#evaluator = evaluator();
    this.#pieces = this.#inPieces();
    report({ type: 'ready', parameterCount: this.#encoder.parameterCount });
  }

  command(command: Command): void {
    switch (command.type) {
      case 'pause':
        this.#isRunning = false;
        break;
      case 'resume':
        this.#lastStep = command.steps;
        this.#isRunning = true;
        break;
      case 'watch':
        this.#watched = command.watched;
        this.#inspect();
        break;
      case 'inspect': {
        // If the snapshot was dropped meanwhile, there is no answer: the page was told which steps are kept.
        const parameters = this.#snapshots.get(command.step);
        if (!parameters) return;
        this.#snapshotEncoder.loadStateDict(parameters);
        const inspection = inspect(this.#snapshotEncoder, command.step, command.watched);
        this.#report({ type: 'inspection', inspection, isCurrent: false });
        break;
      }
      case 'save':
        this.#report({ type: 'saved', model: this.#savedModel() });
    }
  }

  /** Does one piece of the training; returns false when there is nothing to do. */
  work(): boolean {
    return this.#pieces.next().value === 'busy';
  }

  /** Reports progress, at most every `REPORT_INTERVAL` while it trains. */
  reportProgress(): void {
    const now = performance.now();
    const steps = this.#step - this.#lastReport.step;
    const elapsed = now - this.#lastReport.time;
    if (steps === 0 || (elapsed < REPORT_INTERVAL && this.#isRunning)) return;
    const { sum, count } = this.#losses;
    this.#report({
      type: 'progress',
      step: this.#step,
      loss: count === 0 ? null : sum / count,
      tokens: this.#tokens,
      stepsPerSecond: this.#lastReport.time === 0 ? 0 : (1000 * steps) / elapsed,
    });
    this.#losses = { sum: 0, count: 0 };
    this.#lastReport = { step: this.#step, time: now };
    this.#inspect();
  }

  dispose(): void {
    this.#encoder.dispose();
    this.#snapshotEncoder.dispose();
  }

  *#inPieces(): Generator<'busy' | 'idle', never> {
    const { steps } = this.#start.plan;
    // A loaded model gets its untrained state as the first point of the curves.
    if (this.#step > 0) yield* this.#evaluate(this.#snapshotEncoder, 0);
    yield* this.#evaluate(this.#encoder, this.#step);
    this.#inspect();
    this.#report({ type: 'chance', chance: yield* this.#evaluator.chance() });
    let due = nextEvaluation(this.#step, steps);
    for (;;) {
      if (!this.#isRunning) {
        yield 'idle';
        continue;
      }
      if (this.#step >= this.#lastStep) {
        this.#isRunning = false;
        this.reportProgress();
        this.#report({ type: 'done' });
        continue;
      }
      this.#trainStep();
      yield 'busy';
      if (this.#step >= due || this.#step >= this.#lastStep) {
        yield* this.#evaluate(this.#encoder, this.#step);
        due = nextEvaluation(this.#step, steps);
      }
    }
  }

  #trainStep(): void {
    const { loss, tokens } = trainStep(this.#encoder, this.#uniform, {
      step: this.#step,
      lastStep: this.#lastStep,
      stepsInRun: this.#stepsInRun,
      batchSize: BATCH_SIZE,
    });
    if (!Number.isFinite(loss)) throw new Error(`the loss of step ${this.#step + 1} is ${loss}`);
    this.#losses.sum += loss;
    this.#losses.count++;
    this.#step++;
    this.#stepsInRun++;
    this.#tokens += tokens;
  }

  *#evaluate(encoder: Encoder, step: number): Generator<'busy', void> {
    const evaluation = yield* this.#evaluator.evaluate(encoder, step);
    this.#snapshots.set(step, toPlainTensors(encoder.stateDict()));
    if (this.#snapshots.size > MAX_SNAPSHOTS) {
      // Drops every second snapshot, but neither the first nor the last.
      [...this.#snapshots.keys()].slice(1, -1).forEach((old, index) => {
        if (index % 2 === 0) this.#snapshots.delete(old);
      });
    }
    this.#report({ type: 'evaluation', evaluation, snapshots: [...this.#snapshots.keys()] });
  }

  #inspect(): void {
    const inspection = inspect(this.#encoder, this.#step, this.#watched);
    this.#report({ type: 'inspection', inspection, isCurrent: true });
  }

  #savedModel(): SavedModel {
    return {
      plan: this.#start.plan,
      step: this.#step,
      tokens: this.#tokens,
      parameters: toPlainTensors(this.#encoder.stateDict()),
      optimizer: toPlainTensors(this.#encoder.optimizerState()),
    };
  }
}
