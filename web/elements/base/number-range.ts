/** The numbers that a property accepts; stands as `type` in its declaration. */
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

/** Range of seeds of random numbers. */
export const SEED = new NumberRange(0, 2 ** 32 - 1);

/** Range of the number of heads, up to the documents' embedDim of 32. */
export const HEADS = new NumberRange(1, 32);

/** Range of a layer's index: a model file has at most 128 layers. */
export const LAYER = new NumberRange(0, 127);

/** Range of a share of a row's weights; 1 is all. */
export const SHARE = new NumberRange(0, 1, false);

/** Range of a head's index in a figure: a file has at most 512 heads, followed by two summary heads. */
export const HEAD = new NumberRange(0, 513);

/** A value that was set on a numeric property but rejected. */
export interface OutOfRange {
  readonly attribute: string;
  readonly range: NumberRange;
  readonly got: unknown;
}
