import type { DocumentResult, Row, Tensor } from '../../index.js';
import { partAt, type Part } from '../../documents/patch-picture.js';
import { PatchMaps } from './patch-maps.js';

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

export interface PatchHead {
  /** The document's name for the pattern, such as `near`. */
  readonly pattern: string;
  readonly measures: Measures;
}

/** A number of tokens, and how many grid cells they give without CLS. */
export interface Count {
  readonly tokens: number;
  readonly cells: number;
}

/** The numbers behind a weight, which is e^(score − highest) ÷ total. */
export interface Softmax {
  /** q·k of the query and the key. */
  readonly score: number;
  /** The query's largest q·k. */
  readonly highest: number;
  /** The sum of e^(q·k − highest) over all patches as keys. */
  readonly total: number;
}

/** The example `000-patches`, with heads that were constructed. */
export class PatchFigure extends PatchMaps {
  readonly heads: readonly PatchHead[];
  /** Measures that uniform weights would give. */
  readonly uniform: Measures;
  /** Counts for the document's number of tokens (first) and the correct one. */
  readonly counts: readonly Count[];
  /** Number of cells that the document claims for its number of tokens. */
  readonly claimedCells: number;
  /** Outlines of the picture's parts as SVG path data; the unit is a patch. */
  readonly contours: string;

  readonly #tensors: Readonly<Record<'scores' | 'weights' | 'output' | 'image', Tensor>>;

  constructor({ tensors, computed, printed }: DocumentResult) {
    const own = tensors as Record<'scores' | 'weights' | 'output' | 'image', Tensor>;
    const [rows = 0, columns = 0] = own.image.shape;
    super({ rows, columns, learned: ['cls'] });
    this.#tensors = own;
    const measured = computed.filter(({ pattern }) => pattern !== undefined);
    this.heads = measured
      .filter(({ head }) => typeof head === 'number')
      .map((row) => ({ pattern: String(row.pattern), measures: measuresOf(row) }));
    this.uniform = measuresOf(measured.find(({ head }) => head === 'uniform') ?? {});
    this.counts = computed
      .filter(({ tokens }) => tokens !== undefined)
      .map(({ tokens, cells }) => ({ tokens: Number(tokens), cells: Number(cells) }));
    this.claimedCells = Number(printed?.[0]?.cells);
    this.contours = this.#outlines();
  }

  /** Number of patches along one side of the picture. */
  get side(): number {
    return this.rows;
  }

  get count(): number {
    return this.heads.length;
  }

  protected get weights(): Float32Array {
    return this.#tensors.weights.data;
  }

  softmax(head: number, query: number, key: number): Softmax {
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
        const right = column + 1 < this.side && partAt(row, column + 1) !== here;
        const below = row + 1 < this.side && partAt(row + 1, column) !== here;
        return `${right ? `M${column + 1} ${row}v1` : ''}${below ? `M${column} ${row + 1}h1` : ''}`;
      })
      .join('');
  }
}

const measuresOf = ({ within2, sameRowOrColumn, distance, colourDistance }: Row): Measures => ({
  within2: Number(within2),
  sameRowOrColumn: Number(sameRowOrColumn),
  distance: Number(distance),
  colourDistance: Number(colourDistance),
});

const hex = (channels: Float32Array): string =>
  `#${Array.from(channels, (channel) =>
    Math.round(255 * channel)
      .toString(16)
      .padStart(2, '0'),
  ).join('')}`;
