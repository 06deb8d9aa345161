/** Index of the CLS token. */
export const CLS = 0;

export interface RankedPatch {
  readonly key: number;
  readonly weight: number;
}

/** How the patches of a picture lie among the tokens. */
export interface PatchLayout {
  readonly rows: number;
  readonly columns: number;
  /** Names of the learned tokens before the patches, as in the attribute `patch`; the first is `cls`. */
  readonly learned: readonly string[];
}

/** The weights of several heads on the patches of a picture, by head, query and key; the last two are token indices. */
export abstract class PatchMaps implements PatchLayout {
  readonly rows: number;
  readonly columns: number;
  readonly learned: readonly string[];

  constructor({ rows, columns, learned }: PatchLayout) {
    this.rows = rows;
    this.columns = columns;
    this.learned = learned;
  }

  /** Number of heads. */
  abstract readonly count: number;

  /** Weights (H,L,S). */
  protected abstract readonly weights: Float32Array;

  /** Number of patches. */
  get size(): number {
    return this.rows * this.columns;
  }

  /** The token of the first patch, and the number of learned tokens before it. */
  get first(): number {
    return this.learned.length;
  }

  get tokens(): number {
    return this.first + this.size;
  }

  at(head: number, query: number, key: number): number {
    return this.row(this.weights, head, query)[key] ?? 0;
  }

  /** A query's weights on all patches, row by row. */
  map(head: number, query: number): Float32Array {
    return this.row(this.weights, head, query).subarray(this.first);
  }

  maximum(head: number, query: number): number {
    return this.map(head, query).reduce((most, weight) => Math.max(most, weight), 0);
  }

  /** All patches by the query's weight on them, heaviest first; equal ones in the order of the picture. */
  ranking(head: number, query: number): RankedPatch[] {
    return Array.from(this.map(head, query), (weight, patch) => ({ key: this.first + patch, weight })).sort(
      (a, b) => b.weight - a.weight,
    );
  }

  /** Row and column of a patch, from 0. */
  placeOf(token: number): { row: number; column: number } {
    const patch = token - this.first;
    return { row: Math.floor(patch / this.columns), column: patch % this.columns };
  }

  isPatch(token: number): boolean {
    return token >= this.first;
  }

  /** Token index of the address `row,column` (from 0) or of a learned token's name; null for invalid addresses. */
  find(address: string | null): number | null {
    const learned = this.learned.indexOf(address ?? '');
    return learned === -1 ? this.findPatch(address) : learned;
  }

  /** Token index of the patch at `row,column` (from 0); null for invalid addresses. */
  findPatch(address: string | null): number | null {
    const [, row, column] = /^(\d+),(\d+)$/.exec(address ?? '') ?? [];
    if (row === undefined || Number(row) >= this.rows || Number(column) >= this.columns) return null;
    return this.first + Number(row) * this.columns + Number(column);
  }

  /** The address of a token, the inverse of `find`. */
  address(token: number): string {
    const { row, column } = this.placeOf(token);
    return this.learned[token] ?? `${row},${column}`;
  }

  protected row(data: Float32Array, head: number, query: number): Float32Array {
    const start = (head * this.tokens + query) * this.tokens;
    return data.subarray(start, start + this.tokens);
  }
}
