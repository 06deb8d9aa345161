import { gridTarget } from '../base/arrow-keys.js';

/** A selected query, a pair of query and key, in a figure of two texts also a key alone, or neither, as word indices from 0. */
export interface Place {
  readonly query: number | null;
  readonly key: number | null;
}

/** One cell of a head's matrix. */
export interface Pair {
  readonly query: number;
  readonly key: number;
}

/** Detail of `mha-select`: the locked selection, as indices from 0 into `weights.at(head, query, key)`. */
export interface MhaSelectDetail extends Place {
  readonly head: number;
  /** The head's layer, in a figure of a model with several. */
  readonly layer?: number;
}

const nowhere: Place = { query: null, key: null };

/** Whether nothing is selected. */
export const isNowhere = ({ query, key }: Place): boolean => (query ?? key) === null;

const same = (a: Place, b: Place) => a.query === b.query && a.key === b.key;

/**
 * Head, query and key that all views of a figure share: pointing previews, a click locks, Escape clears. Every change
 * fires a plain `change` event.
 */
export class Selection extends EventTarget {
  #head = 0;
  #layer = 0;
  #locked = nowhere;
  #previewHead: { readonly head: number; readonly layer: number } | null = null;
  #preview: Place | null = null;

  /** The chosen head. */
  get head(): number {
    return this.#head;
  }

  /** The chosen head's layer; 0 in figures of one layer. */
  get layer(): number {
    return this.#layer;
  }

  /** The head to draw: the previewed one, else the chosen one. */
  get shownHead(): number {
    return this.#previewHead?.head ?? this.#head;
  }

  /** The layer of the head to draw. */
  get shownLayer(): number {
    return this.#previewHead?.layer ?? this.#layer;
  }

  get locked(): Place {
    return this.#locked;
  }

  /** The query and key to draw: the previewed ones, else the locked ones. */
  get shown(): Place {
    return this.#preview ?? this.#locked;
  }

  chooseHead(head: number, layer = this.#layer): void {
    if (head === this.#head && layer === this.#layer && this.#previewHead === null) return;
    this.#head = head;
    this.#layer = layer;
    this.#previewHead = null;
    this.#changed();
  }

  previewHead(head: number | null, layer = this.#layer): void {
    if (head === (this.#previewHead?.head ?? null) && (head === null || layer === this.shownLayer)) return;
    this.#previewHead = head === null ? null : { head, layer };
    this.#changed();
  }

  lock(place: Place): void {
    if (same(place, this.#locked) && this.#preview === null) return;
    this.#locked = place;
    this.#preview = null;
    this.#changed();
  }

  /** Locks a query or pair, or clears the selection if it was locked already. */
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

/** Cell that the key (also Page Up and Down) moves to in a grid of queries and keys; null for other keys. */
export function pairTarget(
  event: KeyboardEvent,
  { query, key }: Pair,
  { size, keys }: { readonly size: number; readonly keys: number },
): Pair | null {
  const target = gridTarget(event, { row: query, column: key }, size, keys, true);
  return target && { query: target.row, key: target.column };
}
