/** Type of a numeric property: the numbers that it accepts. */
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

export const divisorsOf = (n: number): number[] =>
  Array.from({ length: n }, (_, index) => index + 1).filter((divisor) => n % divisor === 0);

/** Seed of random numbers. */
export const SEED = new NumberRange(0, 2 ** 32 - 1);

/** Number of heads: the documents' layers are 32 dimensions wide. */
export const HEADS = new NumberRange(1, 32);

/** Index of a model's layer: a file has at most 128. */
export const LAYER = new NumberRange(0, 127);

/** Temperature of the softmax, which divides the scores. */
export const TEMPERATURE = new NumberRange(0, 100, false);

/** Share of a whole, which is 1. */
export const SHARE = new NumberRange(0, 1, false);

/** Index of a figure's head: a file has at most 512, and two summaries follow. */
export const HEAD = new NumberRange(0, 513);

/** A number that was set on a property and rejected. */
export interface OutOfRange {
  readonly attribute: string;
  readonly range: NumberRange;
  readonly got: unknown;
}
