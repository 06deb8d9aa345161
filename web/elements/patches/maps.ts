/** The heads' weights over the patches of a picture: of the constructed heads, or of a layer of a model. */
import type { Tensor } from '../../api/tensor.js';
import type { DocumentResult, Row } from '../../documents/types.js';
import { type Part, partAt } from '../../sources/patch-picture.js';
import type { Similarities } from './texts.js';

/** Index of the CLS token. */
export const CLS = 0;

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
  ranking(head: number, query: number): { readonly key: number; readonly weight: number }[] {
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

/** Measures of a head's weights, averaged over all patches as queries. */
export interface Measures {
  /** Share of the weight on keys at most 2 patch sides away. */
  readonly within2: number;
  /** Share of the weight on keys in the query's row or column. */
  readonly sameRowOrColumn: number;
  /** Mean distance between query and key, weighted, in patch sides. */
  readonly distance: number;
  /** Mean distance between the colours of query and key, weighted; red, green and blue are 0 to 1. */
  readonly colourDistance: number;
}

export const MEASURES = ['within2', 'sameRowOrColumn', 'distance', 'colourDistance'] as const;

export interface PatchHead {
  /** The document's name for the pattern, such as `near`. */
  readonly pattern: string;
  readonly measures: Measures;
}

/** The example `000-patches`, with heads that were constructed. */
export class PatchFigure extends PatchMaps {
  readonly heads: readonly PatchHead[];
  /** Measures that uniform weights would give. */
  readonly uniform: Measures;
  /** Outlines of the picture's parts as SVG path data; the unit is a patch. */
  readonly contours: string;

  readonly #tensors: Readonly<Record<'scores' | 'weights' | 'output' | 'image', Tensor>>;

  constructor({ tensors, computed }: DocumentResult) {
    const own = tensors as Record<'scores' | 'weights' | 'output' | 'image', Tensor>;
    const [rows = 0, columns = 0] = own.image.shape;
    super({ rows, columns, learned: ['cls'] });
    this.#tensors = own;
    const measured = computed.filter(({ pattern }) => pattern !== undefined);
    this.heads = measured
      .filter(({ head }) => typeof head === 'number')
      .map((row) => ({ pattern: String(row.pattern), measures: measuresOf(row) }));
    this.uniform = measuresOf(measured.find(({ head }) => head === 'uniform') ?? {});
    this.contours = this.#outlines();
  }

  get count(): number {
    return this.heads.length;
  }

  protected get weights(): Float32Array {
    return this.#tensors.weights.data;
  }

  /** The numbers behind a weight, which is e^(score − highest) ÷ total: q·k, the row's largest q·k, and the row's sum. */
  softmax(head: number, query: number, key: number): { score: number; highest: number; total: number } {
    const scores = this.row(this.#tensors.scores.data, head, query).subarray(this.first);
    const highest = Math.max(...scores);
    const total = scores.reduce((sum, score) => sum + Math.exp(score - highest), 0);
    return { score: this.#tensors.scores.at(head, query, key), highest, total };
  }

  partOf(token: number): Part {
    const { row, column } = this.placeOf(token);
    return partAt(row, column);
  }

  /** The patch's colour in CSS syntax. */
  colour(token: number): string {
    return hex(this.#tensors.image.data.subarray(3 * (token - 1), 3 * token));
  }

  /** Mean colour of all patches in CSS syntax, weighted by the query's attention weights. */
  collected(head: number, query: number): string {
    const first = 3 * (head * this.tokens + query);
    return hex(this.#tensors.output.data.subarray(first, first + 3));
  }

  #outlines(): string {
    const all = Array.from({ length: this.size }, (_, patch) => this.placeOf(patch + 1));
    return all
      .map(({ row, column }) => {
        const here = partAt(row, column);
        const right = column + 1 < this.columns && partAt(row, column + 1) !== here;
        const below = row + 1 < this.rows && partAt(row + 1, column) !== here;
        return `${right ? `M${column + 1} ${row}v1` : ''}${below ? `M${column} ${row + 1}h1` : ''}`;
      })
      .join('');
  }
}

const measuresOf = (row: Row): Measures =>
  Object.fromEntries(MEASURES.map((name) => [name, Number(row[name])])) as unknown as Measures;

const hex = (channels: Float32Array): string =>
  `#${Array.from(channels, (channel) =>
    Math.round(255 * channel)
      .toString(16)
      .padStart(2, '0'),
  ).join('')}`;

/** What a model has computed of a picture. */
export interface ModelAttentions extends PatchLayout {
  readonly layers: number;
  readonly heads: number;
  /** Weights (H,L,S) of a layer; null for one that was left out, to save memory. */
  readonly weights: (layer: number) => Float32Array | null;
  /** What the model sees of the picture. */
  readonly picture: HTMLCanvasElement;
  /** How alike texts and the picture are, or why texts cannot be read; null of a model without texts. */
  readonly similarities: Similarities | { readonly error: unknown } | null;
}

/** The heads of one layer of a model. */
export class ModelFigure extends PatchMaps {
  readonly layer: number;
  protected readonly weights: Float32Array;

  /** @param layer the nearest layer that was computed is taken */
  constructor(
    readonly attentions: ModelAttentions,
    layer: number,
  ) {
    super(attentions);
    const near = Array.from({ length: attentions.layers }, (_, index) => index)
      .filter((index) => attentions.weights(index))
      .toSorted((a, b) => Math.abs(a - layer) - Math.abs(b - layer));
    this.layer = near[0] ?? 0;
    this.weights = attentions.weights(this.layer) ?? new Float32Array();
  }

  get count(): number {
    return this.attentions.heads;
  }

  /** The query's weight on all patches together; the rest lies on the learned tokens. */
  onPatches(head: number, query: number): number {
    return this.map(head, query).reduce((sum, weight) => sum + weight, 0);
  }
}
