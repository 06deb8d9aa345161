/**
 * What the page and a run of training say to each other. Everything here can be sent between threads: plain objects,
 * typed arrays and a compiled binary.
 */
import type { RelationKind } from './language/sentence.js';

/** Which model is trained, and how far. */
export interface Plan {
  readonly numLayers: number;
  readonly numHeads: number;
  readonly embedDim: number;
  /** Width inside the feed-forward network. */
  readonly feedForwardDim: number;
  /** Of the first parameters and of the sentences that are drawn. */
  readonly seed: number;
  /** Where training ends by itself. */
  readonly steps: number;
}

/** A tensor without its class, which does not survive being sent. */
export interface SentTensor {
  readonly data: Float32Array<ArrayBuffer>;
  readonly shape: readonly number[];
}

export type SentTensors = Readonly<Record<string, SentTensor>>;

/** A model as it stands: enough to go on from. */
export interface SavedModel {
  readonly plan: Plan;
  readonly step: number;
  /** Tokens that the model has been shown, padding apart. */
  readonly tokens: number;
  readonly parameters: SentTensors;
  /** Without it the optimizer starts anew. */
  readonly optimizer: SentTensors | null;
}

/** The sentence that the page shows: ids, and the place of the word that is hidden from the model. */
export interface Watched {
  readonly ids: readonly number[];
  readonly hidden: number | null;
}

/** What the model makes of the watched sentence. */
export interface View {
  readonly step: number;
  readonly watched: Watched;
  /** Per layer, (H,L,L). */
  readonly weights: readonly SentTensor[];
  /** The likeliest words in the hidden one's place, likeliest first; empty where none is hidden. */
  readonly guesses: readonly Guess[];
  /** Probability and rank (from 1) of the word that really stands there; null where none is hidden. */
  readonly truth: { readonly probability: number; readonly rank: number } | null;
}

export interface Guess {
  readonly id: number;
  readonly probability: number;
}

/** How far the model is, measured on sentences that it is never trained on. */
export interface Exam {
  readonly step: number;
  /** Share of all hidden words that are guessed right. */
  readonly accuracy: number;
  /** The same of each kind of relation alone. */
  readonly accuracyOf: Readonly<Record<RelationKind, number>>;
  /** Per kind, the mean weight from the hidden word onto the words that it depends on; layer by layer, head by head. */
  readonly scores: Readonly<Record<RelationKind, readonly (readonly number[])[]>>;
}

/** What would be reached without the words that decide the hidden one. */
export interface Chance {
  /** Accuracy of the best guess of whoever knows the language and all other words. */
  readonly accuracy: number;
  /** The same of each kind of relation alone. */
  readonly accuracyOf: Readonly<Record<RelationKind, number>>;
  /** Score of a head that looks at all words alike. */
  readonly scores: Readonly<Record<RelationKind, number>>;
}

/** The binary as the page hands it over: a worker cannot look for it, as import maps do not reach into workers. */
export interface Binary {
  readonly module: WebAssembly.Module;
  /** Whether this engine carries tiles of 6 rows. */
  readonly tallTiles: boolean;
}

/** To the run. */
export type Command =
  | {
      readonly type: 'start';
      readonly binary: Binary;
      readonly plan: Plan;
      readonly watched: Watched;
      /** A model to go on from; training then waits for `resume`. */
      readonly model: SavedModel | null;
    }
  | { readonly type: 'pause' }
  /** Trains on, up to this step. */
  | { readonly type: 'resume'; readonly steps: number }
  /** Looks at this sentence from now on, whenever it reports. */
  | { readonly type: 'watch'; readonly watched: Watched }
  /** Looks at a sentence once, with the model as it was at the step of an exam. */
  | { readonly type: 'look'; readonly watched: Watched; readonly step: number }
  | { readonly type: 'save' };

/** From the run. */
export type Report =
  | { readonly type: 'ready'; readonly parameterCount: number }
  | { readonly type: 'chance'; readonly chance: Chance }
  | {
      readonly type: 'progress';
      readonly step: number;
      /** Mean loss of the steps since the last report; null where there was none. */
      readonly loss: number | null;
      readonly tokens: number;
      /** Steps per second over the last report. */
      readonly pace: number;
    }
  /** `kept`: the steps that can be looked back at. */
  | { readonly type: 'exam'; readonly exam: Exam; readonly kept: readonly number[] }
  /** `isNow`: by the present model. */
  | { readonly type: 'view'; readonly view: View; readonly isNow: boolean }
  | { readonly type: 'saved'; readonly model: SavedModel }
  /** The step that was asked for is reached. */
  | { readonly type: 'done' }
  | {
      readonly type: 'failed';
      readonly message: string;
      /** A server sent something else in place of a file. */
      readonly isWrongFile?: boolean;
    };
