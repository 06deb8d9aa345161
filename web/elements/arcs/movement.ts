import type { Stroke } from './geometry.js';

/** What is drawn of the weights: the chosen word's row of numbers, and the arcs. */
export interface Drawing {
  readonly row: readonly number[] | null;
  readonly strokes: ReadonlyMap<number, Stroke>;
}

/** More arcs than this do not move: drawing each of them anew would take longer than a frame. */
const MOST_ARCS = 600;

const mix = (from: number, to: number, share: number): number => from + (to - from) * share;

/** Slow at both ends. */
const eased = (share: number): number => share * share * (3 - 2 * share);

/** Weights on the way from what was drawn to what they are. Arcs that one side lacks grow from nothing, or shrink to it. */
export class Movement {
  readonly #start = performance.now();

  constructor(
    private readonly from: Drawing,
    private readonly milliseconds: number,
  ) {}

  get isOver(): boolean {
    return performance.now() >= this.#start + this.milliseconds;
  }

  /** What is drawn now. */
  towards(to: Drawing): Drawing {
    const { from } = this;
    const keys = new Set([...from.strokes.keys(), ...to.strokes.keys()]);
    if (this.isOver || keys.size > MOST_ARCS) return to;
    const share = eased((performance.now() - this.#start) / this.milliseconds);
    const strokes = new Map<number, Stroke>();
    for (const key of keys) {
      const start = from.strokes.get(key);
      const end = to.strokes.get(key);
      const one = end ?? start;
      if (!one) continue;
      strokes.set(key, {
        ...one,
        width: mix(start?.width ?? 0, end?.width ?? 0, share),
        opacity: mix(start?.opacity ?? 0, end?.opacity ?? 0, share),
        size: mix(start?.size ?? 0, end?.size ?? 0, share),
      });
    }
    const row = to.row?.map((weight, key) => mix(from.row?.[key] ?? weight, weight, share)) ?? null;
    return { row, strokes };
  }
}
