/** What is computed before the page has its turn again, in weights that are read. */
const TURN = 2 ** 21;

/**
 * Values that are computed when they are first asked for, and kept. Where all at once would stop the page, some are
 * computed now; `changed` tells when to ask again for the others.
 */
export class InTurns<Value> {
  readonly #known = new Map<string, Value>();
  #left = TURN;
  #isAsked = false;
  #isTimed = false;

  constructor(private readonly changed: () => void) {}

  /** The value of this name; undefined while it waits for its turn. `cost` is how many weights `compute` reads. */
  get(name: string, cost: number, compute: () => Value): Value | undefined {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    if (!this.#isTimed) setTimeout(this.#turn);
    this.#isTimed = true;
    if (this.#left <= 0) {
      this.#isAsked = true;
      return undefined;
    }
    this.#left -= cost;
    const value = compute();
    this.#known.set(name, value);
    return value;
  }
  readonly #turn = (): void => {
    const isAsked = this.#isAsked;
    this.#isTimed = false;
    this.#isAsked = false;
    this.#left = TURN;
    if (isAsked) this.changed();
  };
}
