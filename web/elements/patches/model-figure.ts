import { PatchMaps, type PatchLayout } from './patch-maps.js';

/** What a model has computed of a picture. */
export interface ModelAttentions extends PatchLayout {
  readonly layers: number;
  readonly heads: number;
  /** Weights (H,L,S) of a layer; null for one that was left out, to save memory. */
  readonly weights: (layer: number) => Float32Array | null;
  /** What the model sees of the picture. */
  readonly picture: HTMLCanvasElement;
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
