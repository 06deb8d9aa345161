/** Messages between a page and the worker that computes a model. */
import type { StepsOptions } from '../api/layer-options.js';
import type { OrNull } from '../api/options.js';
import type { Tensor } from '../api/tensor.js';
import type { GenerateOptions } from './generate.js';
import type { ModelPlace } from './folder.js';
import type { HeadMaskOptions } from './head-mask.js';
import type { ModelInput, TextBatch } from './inputs.js';
import type {
  AttentionParts,
  BatchOutput,
  ModelDtype,
  ModelForwardOptions,
  ModelOutput,
  PreprocessedPictures,
} from './model.js';
import type { NextTokensOptions } from './next-tokens.js';
import type { Picture } from './pictures.js';

export interface PlainTensor {
  readonly data: Float32Array<ArrayBuffer>;
  readonly shape: readonly number[];
}

/** T as it can be cloned between threads. */
type Plain<T> = T extends Tensor ? PlainTensor : T extends readonly Tensor[] ? readonly PlainTensor[] : T;

type PlainOf<O> = { [K in keyof O]: Plain<O[K]> };

export type PlainOutput = PlainOf<ModelOutput> | PlainOf<BatchOutput>;

export type PlainPictures = { [K in keyof PreprocessedPictures]: Plain<PreprocessedPictures[K]> };

export interface PlainLayer {
  readonly options: AttentionParts['options'];
  readonly state: Readonly<Record<string, PlainTensor>>;
}

/** What a layer's attention takes for a text. */
export interface PlainAttentionCall {
  readonly input: PlainTensor;
  readonly options: StepsOptions;
  readonly headDim: number;
  /** Base of the rotary embedding; null without one. */
  readonly rope: number | null;
}

/** To the worker. */
export type Call = { readonly id: number } & (
  | {
      readonly method: 'load';
      /** The compiled binary: a worker could not find it through the page's import map. */
      readonly module: WebAssembly.Module;
      readonly place: ModelPlace;
      readonly dtype: ModelDtype;
      readonly untrained: boolean;
      readonly cache: boolean;
    }
  | {
      readonly method: 'attentionCall';
      readonly text: string;
      readonly layer: number;
      readonly options: HeadMaskOptions;
    }
  | {
      readonly method: 'forward';
      readonly input: ModelInput | TextBatch;
      readonly options: Omit<ModelForwardOptions, 'cache'>;
    }
  | {
      readonly method: 'generate';
      readonly input: string | readonly number[];
      readonly options: Omit<GenerateOptions, 'onToken' | 'signal'>;
    }
  | {
      readonly method: 'nextTokens';
      readonly input: string | readonly number[];
      readonly options: OrNull<NextTokensOptions> | null | undefined;
    }
  | { readonly method: 'card' }
  | { readonly method: 'tokenize'; readonly texts: [text: string] }
  | { readonly method: 'preprocess'; readonly image: Picture | readonly Picture[] }
  | {
      readonly method: 'fillMask';
      readonly text: string;
      readonly k: number | undefined;
      readonly options: OrNull<HeadMaskOptions> | null | undefined;
    }
  | { readonly method: 'attentionParts' | 'attentionInput' | 'attentionOptions'; readonly layer: number }
  | { readonly method: 'abort'; readonly target: number }
);

/** From the worker: once that it runs, then of each call progress any number of times and a value or an error. */
export interface Reply {
  readonly id: number;
  readonly ready?: true;
  readonly progress?: unknown;
  readonly value?: unknown;
  /** Milliseconds within which the next limit comes: work begins that may have no end. 0 where it has ended. */
  readonly limit?: number;
  readonly error?: { readonly name: string; readonly message: string; readonly argument?: string };
}
