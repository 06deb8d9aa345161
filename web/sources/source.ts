import type { Problem } from '../elements/base/problem.js';
import type { Language } from '../elements/base/language.js';
import type { Figure, Layers } from './figure.js';

/** Weights of one layer or of a model's layers, and how they were made; null where nothing tells. */
export interface Weights {
  readonly layers: Layers;
  readonly origin: Origin | null;
}

/** Where a view's weights come from: a script or a file, random words, or a model. */
export interface WeightSource {
  /** Null until they are read or computed, and where that fails. */
  readonly weights: Weights | null;
  /** Why what is asked for cannot be drawn; null without a problem. */
  readonly problem: Problem | null;
}

/** Kinds of weights for a sentence: of a model, or random. */
export const WEIGHTS = ['model', 'random'] as const;

/** When a figure loads its model: once it is near the viewport, or at a click. */
export const LOADS = ['view', 'click'] as const;

/** How the drawn weights were made. */
export type Origin =
  | { readonly kind: 'random' }
  | {
      readonly kind: 'model';
      readonly model: PretrainedFacts;
      /** The text that was read; null if a file does not say. */
      readonly sentence: string | null;
      /** Heads that were taken out, as in the attribute `ablated`. */
      readonly ablated: string;
      /** Number of tokens that stand for text outside the vocabulary. */
      readonly unknown: number;
    };

/** What a reader is told of a pretrained model. */
export interface PretrainedFacts {
  /** Such as `all-MiniLM-L6-v2`. */
  readonly name: string;
  /** What `loadModel` takes to load it; null if the page cannot load it. */
  readonly source: string | null;
  /** Such as `bert`. */
  readonly family: string | null;
  /** Whether every token sees only those before it. */
  readonly causal: boolean;
  /** Identifier of the weights' licence as the model's card gives it; null if there is none. */
  readonly license: string | null;
  /** Whether its weights are random first values, as before training. */
  readonly untrained: boolean;
}

/** A figure of random words and what the documents say of it. */
export interface ComputedFigure extends Weights {
  origin: { readonly kind: 'random' };
  figure: Figure;
  /** Text that explains the kind of weights. */
  note: Readonly<Record<Language, string>>;
  /** Whether the reader can choose the number of heads. */
  anyHeads: boolean;
}

/** Whether weights were computed from random words. */
export const isComputed = (weights: Weights | null): weights is ComputedFigure =>
  weights !== null && 'anyHeads' in weights;

/** What a host asks a model for. */
export interface ModelRequest {
  /** The model, as in the attribute `model`. */
  readonly address: string;
  /** The chosen layer, from 0. */
  readonly layer: number;
}

/** A model and the text that it reads. */
export interface TextRequest extends ModelRequest {
  readonly text: string;
  /** Heads that are taken out, as in the attribute `ablated`. */
  readonly ablated: string;
  /** Whether the figures are also given with what is passed on. */
  readonly valueWeighted?: boolean;
}

/** A text as a model has read it: its figures, and what readers are told of them. */
export interface TextResult {
  readonly layers: Layers;
  readonly origin: Extract<Origin, { kind: 'model' }>;
  /** Ids of the tokens that the decoder of an encoder–decoder took, once it has written all. */
  readonly written?: readonly number[];
}

/** Whether two requests ask the same but for the layer. */
export const isSameText = (a: TextRequest, b: TextRequest): boolean =>
  a.address === b.address &&
  a.text === b.text &&
  a.ablated === b.ablated &&
  !a.valueWeighted === !b.valueWeighted;
