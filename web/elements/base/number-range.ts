/** The type of a property that is a number: which numbers it takes. */
export class NumberRange {
  constructor(
    readonly least: number,
    readonly most: number,
    /** true: whole numbers from `least` to `most`; false: any above `least` and at most `most`. */
    readonly isWhole = true,
  ) {}

  holds(value: unknown): value is number {
    if (typeof value !== 'number' || value > this.most) return false;
    return this.isWhole ? Number.isInteger(value) && value >= this.least : value > this.least;
  }
}

/** Of random numbers. */
export const SEED = new NumberRange(0, 2 ** 32 - 1);

/** Heads of a layer of the documents, 32 dimensions wide. */
export const HEADS = new NumberRange(1, 32);

/** A layer of a model, from 0: a file has 128 at most. */
export const LAYER = new NumberRange(0, 127);

/** Scores are divided by it. */
export const TEMPERATURE = new NumberRange(0, 100, false);

/** Of a whole that is 1. */
export const SHARE = new NumberRange(0, 1, false);

/** A head of a figure, from 0: a file has 512 at most, and two more are their summaries. */
export const HEAD = new NumberRange(0, 513);

/** A number that a property was given and did not take. */
export interface Outside {
  /** The property's attribute. */
  readonly attribute: string;
  readonly range: NumberRange;
  /** What came. */
  readonly got: unknown;
}
