/** Head ablation: what a model loses when one of its heads says nothing (Michel et al. 2019, Voita et al. 2019). */
import { rangeError } from '../api/errors.js';
import { Tensor } from '../api/tensor.js';
import type { Encoder } from './encoder.js';
import { examination, type Question } from './examination.js';
import type { RelationKind } from './language/sentence.js';

/** Which head: layers and heads are counted from 0. */
export interface HeadPlace {
  readonly layer: number;
  readonly head: number;
}

/** Shares of questions that were answered right. */
export interface Accuracy {
  readonly all: number;
  readonly ofKind: Readonly<Record<RelationKind, number>>;
}

/** What was found out, with all heads and without each. */
export interface Ablation {
  readonly whole: Accuracy;
  readonly without: readonly (HeadPlace & Accuracy)[];
}

type Parameters = Readonly<Record<string, Tensor>>;

/**
 * The parameters of a model one of whose heads says nothing: the columns of `out_proj.weight` (E,E) that take its
 * context are 0, which is the same as a context of 0.
 */
export function withoutHead(
  parameters: Parameters,
  { layer, head }: HeadPlace,
  numHeads: number,
): Parameters {
  const name = `layers.${layer}.self_attn.out_proj.weight`;
  const weight = parameters[name];
  const [rows = 0, width = 0] = weight?.shape ?? [];
  const headDim = width / numHeads;
  if (!weight || !Number.isInteger(head) || head < 0 || head >= numHeads || !Number.isInteger(headDim)) {
    throw rangeError('parameters', `have head ${head} of ${numHeads} in ${name}, got none`);
  }
  const data = Float32Array.from(weight.data);
  for (let row = 0; row < rows; ++row) {
    data.fill(0, row * width + head * headDim, row * width + (head + 1) * headDim);
  }
  return { ...parameters, [name]: new Tensor(data, weight.shape) };
}

/** Every head of a model. */
export function headsOf(encoder: Encoder): { places: readonly HeadPlace[]; numHeads: number } {
  const { weights } = encoder.forward([[0]]);
  const numHeads = weights[0]?.shape[1] ?? 0;
  const places = weights.flatMap((_, layer) =>
    Array.from({ length: numHeads }, (__, head) => ({ layer, head })),
  );
  return { places, numHeads };
}

function* accuracyOf(encoder: Encoder, questions: readonly Question[]): Generator<'busy', Accuracy> {
  const exam = yield* examination(questions).of(encoder, 0);
  return { all: exam.accuracy, ofKind: exam.accuracyOf };
}

/**
 * Asks a model all questions with all of its heads and without each, in pieces of some milliseconds. Until the last
 * one the encoder is another; then it has its parameters again.
 */
export function* ablation(encoder: Encoder, questions: readonly Question[]): Generator<'busy', Ablation> {
  const parameters = encoder.stateDict();
  const { places, numHeads } = headsOf(encoder);
  try {
    const whole = yield* accuracyOf(encoder, questions);
    const without: (HeadPlace & Accuracy)[] = [];
    for (const place of places) {
      encoder.loadStateDict(withoutHead(parameters, place, numHeads));
      without.push({ ...place, ...(yield* accuracyOf(encoder, questions)) });
    }
    return { whole, without };
  } finally {
    encoder.loadStateDict(parameters);
  }
}
