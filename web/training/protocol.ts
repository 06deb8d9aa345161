/**
 * Messages between the page and a training run. All can be cloned between threads: plain objects, typed arrays and a
 * compiled binary.
 */
import type { Tensor } from '../api/tensor.js';
import type { RelationKind } from './language/sentence.js';

/** Which model is trained, and how long. */
export interface Plan {
  readonly numLayers: number;
  readonly numHeads: number;
  readonly embedDim: number;
  /** Width inside the feed-forward network. */
  readonly feedForwardDim: number;
  /** Seed of the initial parameters and of the training sentences. */
  readonly seed: number;
  readonly steps: number;
}

/** A tensor as a plain object: cloning would drop its class. */
export interface PlainTensor {
  readonly data: Float32Array<ArrayBuffer>;
  readonly shape: readonly number[];
}

export type PlainTensors = Readonly<Record<string, PlainTensor>>;

/** Converts a tensor without copying its data. */
export const toPlainTensor = ({ data, shape }: Tensor): PlainTensor => ({
  data: data as Float32Array<ArrayBuffer>,
  shape: [...shape],
});

export const toPlainTensors = (tensors: Readonly<Record<string, Tensor>>): PlainTensors =>
  Object.fromEntries(Object.entries(tensors).map(([name, tensor]) => [name, toPlainTensor(tensor)]));

/** A model with all that training needs to continue. */
export interface SavedModel {
  readonly plan: Plan;
  readonly step: number;
  /** Number of tokens that it was trained on, without padding. */
  readonly tokens: number;
  readonly parameters: PlainTensors;
  /** null: the optimizer starts with empty running means. */
  readonly optimizer: PlainTensors | null;
}

/** The sentence on the page: ids, and the position of the word that is hidden from the model. */
export interface Watched {
  readonly ids: readonly number[];
  readonly hidden: number | null;
}

/** Weights and guesses of a model on the watched sentence. */
export interface Inspection {
  readonly step: number;
  readonly watched: Watched;
  /** Weights of each layer, (H,L,L). */
  readonly weights: readonly PlainTensor[];
  /** The likeliest words for the hidden position, likeliest first; empty where none is hidden. */
  readonly guesses: readonly { readonly id: number; readonly probability: number }[];
  /** Probability and rank (from 1) of the word that was hidden; null where none is. */
  readonly truth: { readonly probability: number; readonly rank: number } | null;
}

/** How a model performs on held-out sentences. */
export interface Evaluation {
  readonly step: number;
  /** Share of all hidden words that are guessed right. */
  readonly accuracy: number;
  readonly accuracyOf: Readonly<Record<RelationKind, number>>;
  /** For each kind, layer and head, the mean weight from the hidden word onto the words that determine it. */
  readonly scores: Readonly<Record<RelationKind, readonly (readonly number[])[]>>;
}

/** Accuracy and score that are possible without attending to the words that determine the hidden one. */
export interface Chance {
  /** Accuracy of the best guess from all other words, by the grammar. */
  readonly accuracy: number;
  readonly accuracyOf: Readonly<Record<RelationKind, number>>;
  /** Score of a head with uniform weights. */
  readonly scores: Readonly<Record<RelationKind, number>>;
}

/** What a run begins with. */
export interface Start {
  /** The binary, compiled on the page: import maps do not apply to workers, so a worker could not find its file. */
  readonly binary: WebAssembly.Module;
  readonly plan: Plan;
  readonly watched: Watched;
  /** A model to continue; training then waits for the command `resume`. */
  readonly model: SavedModel | null;
}

/** From the page to the run. */
export type Command =
  | { readonly type: 'pause' }
  /** Continue up to this step. */
  | { readonly type: 'resume'; readonly steps: number }
  /** Inspect this sentence with every progress report. */
  | { readonly type: 'watch'; readonly watched: Watched }
  /** Inspect a sentence once, with the snapshot of this step. */
  | { readonly type: 'inspect'; readonly watched: Watched; readonly step: number }
  | { readonly type: 'save' };

/** From the run to the page. */
export type Report =
  | { readonly type: 'ready'; readonly parameterCount: number }
  | { readonly type: 'chance'; readonly chance: Chance }
  | {
      readonly type: 'progress';
      readonly step: number;
      /** Mean loss of the steps since the last report; null where there was none. */
      readonly loss: number | null;
      readonly tokens: number;
      /** Training steps per second since the last report. */
      readonly stepsPerSecond: number;
    }
  /** `snapshots`: the steps whose parameters are kept. */
  | { readonly type: 'evaluation'; readonly evaluation: Evaluation; readonly snapshots: readonly number[] }
  /** `isCurrent`: whether it inspects the current model, not a snapshot. */
  | { readonly type: 'inspection'; readonly inspection: Inspection; readonly isCurrent: boolean }
  | { readonly type: 'saved'; readonly model: SavedModel }
  /** The last step is reached. */
  | { readonly type: 'done' }
  | {
      readonly type: 'failed';
      readonly message: string;
      /** A server answered with something else than the file. */
      readonly isWrongFile?: boolean;
    };
