import type { ReactiveController, ReactiveElement } from 'lit';
import { drive } from '../../training/drive.js';
import type { Redundancy, Similarity } from '../../training/redundancy.js';
import type { TrainedModel } from '../../training/trained.js';

/** Milliseconds of work before the reader has a turn. */
const SLICE = 8;

/** Measures the heads of a model when the reader asks for it, beside everything else that the page does. */
export class RedundancyRun implements ReactiveController {
  /** null until it is measured. */
  result: Redundancy | null = null;

  /** Whether it could not be measured. */
  failed = false;

  /** Pieces that are done; null where nothing is measured now. */
  pieces: number | null = null;

  #model: TrainedModel | null = null;
  #stop = (): void => undefined;

  constructor(private readonly host: ReactiveElement) {
    host.addController(this);
  }

  hostDisconnected(): void {
    if (this.pieces !== null) this.forget();
  }

  /** Whether what is known, or is being measured, is about this model. */
  isAbout(model: TrainedModel): boolean {
    return this.#model === model;
  }

  /** Ends what runs, and knows nothing any more. */
  forget(): void {
    this.#stop();
    this.#stop = () => undefined;
    this.#model = null;
    this.result = null;
    this.failed = false;
    this.pieces = null;
  }

  async measure(model: TrainedModel, similarity: Similarity): Promise<void> {
    this.forget();
    this.#model = model;
    this.pieces = 0;
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
    const driver = drive(
      {
        work: () => {
          try {
            const piece = work.next();
            if (piece.done !== true) {
              this.pieces = (this.pieces ?? 0) + 1;
              return true;
            }
            this.result = piece.value;
            this.pieces = null;
          } catch (error) {
            this.#fail(error);
          }
          return false;
        },
        tell: () => {
          this.host.requestUpdate();
        },
      },
      SLICE,
    );
    this.#stop = () => {
      driver.stop();
      // Whatever it holds is let go.
      work.return(undefined as never);
    };
    driver.wake();
  }

  #fail(error: unknown): void {
    console.error(error);
    this.failed = true;
    this.pieces = null;
    this.host.requestUpdate();
  }
}
