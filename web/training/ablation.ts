/** Head ablation: the accuracy of a model without one of its heads (Michel et al. 2019, Voita et al. 2019). */
import { rangeError } from '../api/errors.js';
import { Tensor } from '../api/tensor.js';
import type { Encoder } from './encoder.js';
import { evaluator, type Question } from './evaluation.js';
import type { RelationKind } from './language/sentence.js';

/** The place of a head in the model: layer and head, both counted from 0. */
export interface HeadPlace {
  readonly layer: number;
  readonly head: number;
}

/** Shares of the questions that are answered right. */
export interface Accuracy {
  readonly all: number;
  readonly ofKind: Readonly<Record<RelationKind, number>>;
}

export interface Ablation {
  readonly whole: Accuracy;
  readonly without: readonly (HeadPlace & Accuracy)[];
}

type Parameters = Readonly<Record<string, Tensor>>;

/**
 * The parameters with one head removed: the columns of `out_proj.weight` (E,E) that multiply its context become 0, which
 * equals a context of 0.
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

export function headsOf(encoder: Encoder): { places: readonly HeadPlace[]; numHeads: number } {
  const { weights } = encoder.forward([[0]]);
  const numHeads = weights[0]?.shape[1] ?? 0;
  const places = weights.flatMap((_, layer) =>
    Array.from({ length: numHeads }, (__, head) => ({ layer, head })),
  );
  return { places, numHeads };
}

function* accuracyOf(encoder: Encoder, questions: readonly Question[]): Generator<'busy', Accuracy> {
  const { accuracy, accuracyOf } = yield* evaluator(questions).evaluate(encoder, 0);
  return { all: accuracy, ofKind: accuracyOf };
}

/**
 * Evaluates a model with all of its heads and without each, in pieces of some milliseconds. The encoder's parameters
 * are changed in between and restored at the end, also when the generator is closed early.
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
