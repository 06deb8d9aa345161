import { item } from '../../api/tensor.js';
import { Figure, type FigureData } from './figure.js';
import { Refusal } from '../base/problem.js';

/** A figure in the format of files for `src`, which `data` accepts too. */
export interface FigureJson {
  readonly tokens: readonly string[];
  /** Of a figure of one layer (H,L,L). */
  readonly weights?: number[][][];
  /** Of a model's layers, with the word of each token. */
  readonly attentions?: number[][][][];
  readonly words?: readonly number[];
}

/** The figures of a model's layers, each made when it is first drawn. A figure without a model is a single layer. */
export class Layers {
  readonly #figures = new Map<number, Figure>();

  constructor(
    readonly count: number,
    private readonly make: (layer: number) => Figure,
    /** Layers that can be drawn; of a long text some are left out, to save memory. */
    readonly has: (layer: number) => boolean = (layer) => layer >= 0 && layer < count,
  ) {}

  static of(figure: Figure): Layers {
    return new Layers(1, () => figure);
  }

  /**
   * @throws Refusal where `data` is not of the documented form or its sizes do not agree
   */
  static from(data: FigureData): Layers {
    if (!('attentions' in data)) return Layers.of(Figure.from(data));
    const { tokens, shown = tokens } = data;
    const words = data.words ?? null;
    const attentions: unknown = data.attentions;
    if (!Array.isArray(attentions) || attentions.length === 0) {
      throw new Refusal((strings) => strings.badAttentions);
    }
    if (words !== null && words.length !== tokens.length) {
      throw new Refusal((strings) => strings.badWordsOf(tokens.length, words.length));
    }
    const figures = data.attentions.map((weights, layer) =>
      Figure.from({ tokens: shown, weights }, { layer, words }),
    );
    return new Layers(figures.length, (layer) => item(figures, layer));
  }

  /** The figure of a layer; of the nearest one that can be drawn where that is not. */
  figure(layer: number): Figure {
    const nearest = this.#nearest(layer);
    const figure = this.#figures.get(nearest) ?? this.make(nearest);
    this.#figures.set(nearest, figure);
    return figure;
  }

  /** The figures of all layers that can be drawn. */
  all(): Figure[] {
    const layers = Array.from({ length: this.count }, (_, layer) => layer);
    return layers.filter(this.has).map((layer) => this.figure(layer));
  }

  /** The figures in the format of files for `src`. */
  file(facts?: object): FigureJson {
    return JSON.parse([...this.jsonParts(facts)].join('')) as FigureJson;
  }

  /** `file()` as text in parts, because a long text gives hundreds of megabytes; `facts` are further members. */
  *jsonParts(facts: object = {}): Iterable<string> {
    const figures = this.all();
    const { tokens, part } = item(figures, 0);
    const members = Object.entries({
      ...facts,
      tokens,
      ...(part?.words && { words: Array.from(part.words) }),
    });
    yield `{${members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()},`;
    // Of a text that is too long for all layers, the one that was computed.
    if (figures.length === 1) {
      yield '"weights":';
      yield* item(figures, 0).jsonParts();
    } else {
      yield '"attentions":[';
      for (const [index, figure] of figures.entries()) {
        if (index > 0) yield ',';
        yield* figure.jsonParts();
      }
      yield ']';
    }
    yield '}';
  }

  /** The same layers with every figure changed. */
  map(change: (figure: Figure) => Figure): Layers {
    return new Layers(this.count, (layer) => change(this.figure(layer)), this.has);
  }

  #nearest(layer: number): number {
    if (this.has(layer)) return layer;
    for (let distance = 1; distance < this.count; distance++) {
      if (this.has(layer - distance)) return layer - distance;
      if (this.has(layer + distance)) return layer + distance;
    }
    return 0;
  }
}
