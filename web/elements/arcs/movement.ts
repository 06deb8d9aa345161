import type { ReactiveControllerHost } from 'lit';
import type { Figure } from '../../sources/figure.js';

type WeightAt = (query: number, key: number) => number;

/** Time of a movement in milliseconds, unless the style sheet sets `--mha-movement`. */
const USUAL = 250;
/** More words than this are redrawn at once: each frame draws an arc for every pair. */
const MOST_WORDS = 24;

const reduced = typeof matchMedia === 'undefined' ? null : matchMedia('(prefers-reduced-motion: reduce)');

/** Slow at both ends. */
const eased = (part: number): number => part * part * (3 - 2 * part);

/** Milliseconds of a CSS time such as `700ms` or `0.25s`. */
function millisecondsOf(text: string): number {
  const number = parseFloat(text);
  if (Number.isNaN(number)) return USUAL;
  return /[\d.]s$/.test(text.trim()) ? 1000 * number : number;
}

/** Moves drawn weights to new ones of the same words: of another head or model, or after training instead of before. */
export class Movement {
  #drawn: { figure: Figure; head: number; query: number | null } | null = null;
  /** The weights at the start of the movement, a row per query. */
  #from: number[][] | null = null;
  #start = 0;
  #time = USUAL;

  constructor(private readonly host: ReactiveControllerHost & Element) {}

  /** Returns the weights to draw now, and asks the host to draw again until they are those of the figure. */
  towards(figure: Figure, head: number, query: number | null): WeightAt {
    const last = this.#drawn;
    if (last?.figure !== figure || last.head !== head || last.query !== query) {
      this.#from = last && this.#startOf(last, figure, query);
      this.#drawn = { figure, head, query };
    }
    const to: WeightAt = (from, key) => figure.at(head, from, key);
    const from = this.#from;
    const part = from ? (performance.now() - this.#start) / this.#time : 1;
    if (!from || part >= 1) {
      this.#from = null;
      return to;
    }
    requestAnimationFrame(() => {
      this.host.requestUpdate();
    });
    return between(from, to, eased(part));
  }

  /** The weights that are drawn now, if a movement starts from them; else null. */
  #startOf(
    last: { figure: Figure; head: number; query: number | null },
    figure: Figure,
    query: number | null,
  ): number[][] | null {
    const isSame =
      last.query === query &&
      last.figure.tokens.join(' ') === figure.tokens.join(' ') &&
      figure.size <= MOST_WORDS;
    if (!isSame || reduced?.matches || document.hidden) return null;
    const to: WeightAt = (from, key) => last.figure.at(last.head, from, key);
    const part = (performance.now() - this.#start) / this.#time;
    const now = this.#from && part < 1 ? between(this.#from, to, eased(part)) : to;
    this.#start = performance.now();
    this.#time = millisecondsOf(getComputedStyle(this.host).getPropertyValue('--mha-movement'));
    if (this.#time === 0) return null;
    const places = figure.tokens.map((_, index) => index);
    return places.map((from) => places.map((key) => now(from, key)));
  }
}

const between =
  (from: readonly (readonly number[])[], to: WeightAt, part: number): WeightAt =>
  (query, key) => {
    const start = from[query]?.[key] ?? 0;
    return start + (to(query, key) - start) * part;
  };
