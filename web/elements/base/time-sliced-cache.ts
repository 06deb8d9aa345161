/** Number of weights that computations may read per time slice. */
const SLICE = 2 ** 21;

/**
 * Computes values on first use and caches them. To keep the page responsive, only some are computed per time slice;
 * `changed` is called when values that were postponed can be requested again.
 */
export class TimeSlicedCache<Value> {
  readonly #values = new Map<string, Value>();
  #left = SLICE;
  #isIncomplete = false;
  #isTimed = false;

  constructor(private readonly changed: () => void) {}

  /** The value `name`, or undefined until a later time slice. `cost` is the number of weights that `compute` reads. */
  get(name: string, cost: number, compute: () => Value): Value | undefined {
    const known = this.#values.get(name);
    if (known !== undefined) return known;
    if (!this.#isTimed) setTimeout(this.#startSlice);
    this.#isTimed = true;
    if (this.#left <= 0) {
      this.#isIncomplete = true;
      return undefined;
    }
    this.#left -= cost;
    const value = compute();
    this.#values.set(name, value);
    return value;
  }

  readonly #startSlice = (): void => {
    const isIncomplete = this.#isIncomplete;
    this.#isTimed = false;
    this.#isIncomplete = false;
    this.#left = SLICE;
    if (isIncomplete) this.changed();
  };
}
