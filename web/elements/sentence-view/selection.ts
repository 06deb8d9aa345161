/** A word that looks (`query`) and, where one pair is meant, the word it looks at (`key`). */
export interface Place {
  readonly query: number | null;
  readonly key: number | null;
}

/** One cell of a head: a word and a word that it looks at. */
export interface Pair {
  readonly query: number;
  readonly key: number;
}

/** Detail of `mha-select`: what is locked now, as indices from 0 into `weights.at(head, query, key)`. */
export interface MhaSelectDetail extends Place {
  readonly head: number;
}

const nowhere: Place = { query: null, key: null };

const same = (a: Place, b: Place) => a.query === b.query && a.key === b.key;

/**
 * What the reader looks at, shared by all views of one figure: pointing previews, a click locks, Escape clears.
 * Tells every change by a plain `change` event.
 */
export class Selection extends EventTarget {
  #head = 0;
  #locked = nowhere;
  #previewHead: number | null = null;
  #preview: Place | null = null;

  /** The chosen head. */
  get head(): number {
    return this.#head;
  }

  /** The head to draw: the one that is pointed at, else the chosen one. */
  get shownHead(): number {
    return this.#previewHead ?? this.#head;
  }

  get locked(): Place {
    return this.#locked;
  }

  /** The place to draw: the one that is pointed at, else the locked one. */
  get shown(): Place {
    return this.#preview ?? this.#locked;
  }

  chooseHead(head: number): void {
    if (head === this.#head && this.#previewHead === null) return;
    this.#head = head;
    this.#previewHead = null;
    this.#changed();
  }

  previewHead(head: number | null): void {
    if (head === this.#previewHead) return;
    this.#previewHead = head;
    this.#changed();
  }

  lock(place: Place): void {
    if (same(place, this.#locked) && this.#preview === null) return;
    this.#locked = place;
    this.#preview = null;
    this.#changed();
  }

  /** Locks a place, or releases it when it was locked already. */
  toggle(place: Place): void {
    this.lock(same(place, this.#locked) ? nowhere : place);
  }

  preview(place: Place | null): void {
    if (place === this.#preview || (place && this.#preview && same(place, this.#preview))) return;
    this.#preview = place;
    this.#changed();
  }

  clear(): void {
    this.lock(nowhere);
  }

  #changed(): void {
    this.dispatchEvent(new Event('change'));
  }
}
