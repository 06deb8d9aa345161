import { type Examination, examination } from './examination.js';
import type { Encoder, EncoderClass } from './encoder.js';
import { mulberry32 } from './language/mulberry.js';
import type { Uniform } from './language/sentence.js';
import { lesson, untrained } from './lesson.js';
import { look } from './look.js';
import type { Command, Plan, Report, SavedModel, SentTensors, Watched } from './protocol.js';
import { allAsSent } from './sent.js';

/** Sentences of a step: fewer than a script takes, so that a reader sees more steps. */
const BATCH = 32;
/** Between two reports, in milliseconds. */
const REPORT = 240;
/** Exams up to the end that was planned first. */
const EXAMS = 24;
/** Models that are kept to look back at; beyond, every second one is forgotten. */
const MOST_KEPT = 60;

type Start = Extract<Command, { type: 'start' }>;

/** The next step after which there is an exam: dense at first, where most happens. */
export function nextExam(step: number, steps: number): number {
  const shareOf = (index: number) => Math.round(steps * (index / EXAMS) ** 1.5);
  let index = 1;
  while (index <= EXAMS && shareOf(index) <= step) index++;
  return index <= EXAMS ? shareOf(index) : step + Math.max(1, Math.round(steps / EXAMS));
}

/** One run of training, in pieces of some milliseconds. */
export class Course {
  readonly #encoder: Encoder;
  /** Looks back: has the parameters of an earlier step. */
  readonly #earlier: Encoder;
  readonly #examination: Examination;
  readonly #plan: Plan;
  readonly #report: (report: Report) => void;
  readonly #uniform: Uniform;
  readonly #kept = new Map<number, SentTensors>();
  readonly #pieces: Generator<'busy' | 'idle', never>;

  #step: number;
  /** Steps of this run; a model from a file had others before. */
  #taken = 0;
  #tokens: number;
  #goal: number;
  #isRunning: boolean;
  #watched: Watched;

  #losses = { sum: 0, count: 0 };
  #told = { step: -1, time: 0 };

  constructor(Encoder: EncoderClass, start: Start, report: (report: Report) => void) {
    const { plan, model, watched } = start;
    this.#encoder = untrained(Encoder, plan);
    this.#earlier = untrained(Encoder, plan);
    if (model) {
      this.#encoder.loadStateDict(model.parameters);
      if (model.optimizer) this.#encoder.loadOptimizerState(model.optimizer);
    }
    this.#plan = plan;
    this.#report = report;
    this.#step = model?.step ?? 0;
    this.#tokens = model?.tokens ?? 0;
    this.#goal = plan.steps;
    this.#isRunning = model === null;
    this.#watched = watched;
    // Going on from a saved model draws other sentences than it was shown first.
    this.#uniform = mulberry32(plan.seed + 0x9e3779b1 * this.#step);
    this.#examination = examination();
    this.#pieces = this.#inPieces();
    report({ type: 'ready', parameterCount: this.#encoder.parameterCount });
  }

  /** Does what the page asks for, once the run has begun. */
  command(command: Exclude<Command, Start>): void {
    switch (command.type) {
      case 'pause':
        this.#isRunning = false;
        break;
      case 'resume':
        this.#goal = command.steps;
        this.#isRunning = true;
        break;
      case 'watch':
        this.#watched = command.watched;
        this.#view();
        break;
      case 'look':
        this.#lookBack(command.watched, command.step);
        break;
      case 'save':
        this.#report({ type: 'saved', model: this.#model() });
    }
  }

  /** Does one piece; false when there is nothing to do. */
  work(): boolean {
    return this.#pieces.next().value === 'busy';
  }

  /** Tells how far it is, but not too often. */
  tell(): void {
    const now = performance.now();
    const steps = this.#step - this.#told.step;
    if (steps === 0 || (now - this.#told.time < REPORT && this.#isRunning)) return;
    const { sum, count } = this.#losses;
    this.#report({
      type: 'progress',
      step: this.#step,
      loss: count === 0 ? null : sum / count,
      tokens: this.#tokens,
      pace: this.#told.time === 0 ? 0 : (1000 * steps) / (now - this.#told.time),
    });
    this.#losses = { sum: 0, count: 0 };
    this.#told = { step: this.#step, time: now };
    this.#view();
  }

  dispose(): void {
    this.#encoder.dispose();
    this.#earlier.dispose();
  }

  *#inPieces(): Generator<'busy' | 'idle', never> {
    // A model that was loaded is compared with one that has learned nothing, too.
    if (this.#step > 0) yield* this.#examine(this.#earlier, 0);
    yield* this.#examine(this.#encoder, this.#step);
    this.#view();
    this.#report({ type: 'chance', chance: yield* this.#examination.chance() });
    let due = nextExam(this.#step, this.#plan.steps);
    for (;;) {
      if (!this.#isRunning) {
        yield 'idle';
        continue;
      }
      if (this.#step >= this.#goal) {
        this.#isRunning = false;
        this.tell();
        this.#report({ type: 'done' });
        continue;
      }
      this.#train();
      yield 'busy';
      if (this.#step >= due || this.#step >= this.#goal) {
        yield* this.#examine(this.#encoder, this.#step);
        due = nextExam(this.#step, this.#plan.steps);
      }
    }
  }

  #train(): void {
    const schedule = { step: this.#step, goal: this.#goal, taken: this.#taken, batchSize: BATCH };
    const { loss, tokens } = lesson(this.#encoder, this.#uniform, schedule);
    if (!Number.isFinite(loss)) throw new Error(`the loss of step ${this.#step + 1} is ${loss}`);
    this.#losses.sum += loss;
    this.#losses.count++;
    this.#step++;
    this.#taken++;
    this.#tokens += tokens;
  }

  *#examine(encoder: Encoder, step: number): Generator<'busy', void> {
    const exam = yield* this.#examination.of(encoder, step);
    this.#kept.set(step, allAsSent(encoder.stateDict()));
    if (this.#kept.size > MOST_KEPT) this.#forget();
    this.#report({ type: 'exam', exam, kept: [...this.#kept.keys()] });
  }

  /** Forgets every second model but the first and the last. */
  #forget(): void {
    [...this.#kept.keys()].slice(1, -1).forEach((step, index) => {
      if (index % 2 === 0) this.#kept.delete(step);
    });
  }

  #view(): void {
    this.#report({ type: 'view', view: look(this.#encoder, this.#step, this.#watched), isNow: true });
  }

  /** What was forgotten meanwhile is not answered: the page was told which steps are kept. */
  #lookBack(watched: Watched, step: number): void {
    const parameters = this.#kept.get(step);
    if (!parameters) return;
    this.#earlier.loadStateDict(parameters);
    this.#report({ type: 'view', view: look(this.#earlier, step, watched), isNow: false });
  }

  #model(): SavedModel {
    return {
      plan: this.#plan,
      step: this.#step,
      tokens: this.#tokens,
      parameters: allAsSent(this.#encoder.stateDict()),
      optimizer: allAsSent(this.#encoder.optimizerState()),
    };
  }
}
