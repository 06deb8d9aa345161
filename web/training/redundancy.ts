/** How similar the heads of a trained model are, and its accuracy without each. */
import { Tensor } from '../api/tensor.js';
import { type Ablation, ablation, headsOf, type HeadPlace } from './ablation.js';
import type { Encoder } from './encoder.js';
import { heldOutQuestions } from './evaluation.js';
import { heldOut } from './language/corpus.js';
import { idsOf } from './language/vocabulary.js';
import type { TrainedModel } from './trained.js';

/** Similarity is averaged over this many held-out sentences. */
const SENTENCES = 128;
/** One piece of work takes this many of them. */
const PIECE = 4;

/** `metrics.similarity` of a loaded module: (H,L,L) gives (H,H). */
export type Similarity = (weights: Tensor) => Tensor;

export interface Redundancy extends Ablation {
  readonly heads: readonly HeadPlace[];
  /** Similarity of all heads of all layers (N,N), before and after training; 1 is the same pattern. */
  readonly before: Tensor;
  readonly after: Tensor;
  /** Number of sentences that they are averaged over. */
  readonly sentences: number;
  /** Number of questions of each evaluation. */
  readonly questions: number;
}

/** The weights of all layers on one sentence as (N,L,L), N heads in all. */
function allHeads(encoder: Encoder, tokens: readonly string[]): Tensor {
  const { weights } = encoder.forward([[...idsOf(tokens)]]);
  const data = Float32Array.from(weights.flatMap((one) => [...one.data]));
  return new Tensor(data, [data.length / tokens.length ** 2, tokens.length, tokens.length]);
}

/** Pairwise similarity of all heads (N,N), the mean over the sentences. */
export function* meanSimilarity(
  encoder: Encoder,
  sentences: readonly (readonly string[])[],
  similarity: Similarity,
): Generator<'busy', Tensor> {
  const count = headsOf(encoder).places.length;
  const sums = new Float64Array(count * count);
  for (const [index, tokens] of sentences.entries()) {
    similarity(allHeads(encoder, tokens)).data.forEach((value, i) => {
      sums[i] = (sums[i] ?? 0) + value;
    });
    if (index % PIECE === PIECE - 1) yield 'busy';
  }
  return new Tensor(
    Float32Array.from(sums, (sum) => sum / sentences.length),
    [count, count],
  );
}

/** Chooses sentences that are evenly spread over the held-out ones. */
function someSentences(): readonly (readonly string[])[] {
  const all = heldOut();
  const count = Math.min(SENTENCES, all.length);
  return Array.from({ length: count }, (_, i) => all[Math.floor((i * all.length) / count)]?.tokens ?? []);
}

/** Measures a model in pieces of some milliseconds. */
export function* redundancy(model: TrainedModel, similarity: Similarity): Generator<'busy', Redundancy> {
  const first = model.encoder();
  const trained = model.encoder();
  try {
    trained.loadStateDict(model.parameters);
    const sentences = someSentences();
    yield 'busy';
    const questions = heldOutQuestions();
    yield 'busy';
    const before = yield* meanSimilarity(first, sentences, similarity);
    const after = yield* meanSimilarity(trained, sentences, similarity);
    const lost = yield* ablation(trained, questions);
    const counts = { sentences: sentences.length, questions: questions.length };
    return { ...lost, ...counts, before, after, heads: headsOf(trained).places };
  } finally {
    first.dispose();
    trained.dispose();
  }
}
