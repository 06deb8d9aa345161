import type { ReactiveController, ReactiveElement } from 'lit';
import type { Redundancy, Similarity } from '../../training/redundancy.js';
import { inSlices } from '../../training/time-slices.js';
import type { TrainedModel } from '../../training/trained.js';

/** Milliseconds of measuring per time slice. */
const SLICE = 8;

/** Measures the redundancy of a model's heads in time slices. */
export class RedundancyRun implements ReactiveController {
  result: Redundancy | null = null;

  failed = false;

  isBusy = false;

  #model: TrainedModel | null = null;
  #stop = (): void => undefined;

  constructor(private readonly host: ReactiveElement) {
    host.addController(this);
  }

  hostDisconnected(): void {
    if (this.isBusy) this.forget();
  }

  /** Whether the result or the running measurement belongs to this model. */
  isAbout(model: TrainedModel): boolean {
    return this.#model === model;
  }

  /** Stops the measurement and discards the result. */
  forget(): void {
    this.#stop();
    this.#stop = () => undefined;
    this.#model = null;
    this.result = null;
    this.failed = false;
    this.isBusy = false;
  }

  async measure(model: TrainedModel, similarity: Similarity): Promise<void> {
    this.forget();
    this.#model = model;
    this.isBusy = true;
    this.host.requestUpdate();
    try {
      const { redundancy } = await import('../../training/redundancy.js');
      if (this.#model !== model) return;
      this.#begin(redundancy(model, similarity));
    } catch (error) {
      if (this.#model === model) this.#fail(error);
    }
  }

  #begin(work: Generator<'busy', Redundancy>): void {
    const slices = inSlices(
      {
        work: () => {
          try {
            const piece = work.next();
            if (piece.done !== true) return true;
            this.result = piece.value;
            this.isBusy = false;
          } catch (error) {
            this.#fail(error);
          }
          return false;
        },
        afterSlice: () => this.host.requestUpdate(),
      },
      SLICE,
    );
    this.#stop = () => {
      slices.stop();
      // `return` runs the generator's `finally` blocks, which free the model's memory.
      work.return(undefined as never);
    };
    slices.wake();
  }

  #fail(error: unknown): void {
    console.error(error);
    this.failed = true;
    this.isBusy = false;
    this.host.requestUpdate();
  }
}
