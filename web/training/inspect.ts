import type { Encoder } from './encoder.js';
import { MASK } from './language/vocabulary.js';
import { type Inspection, toPlainTensor, type Watched } from './protocol.js';

/** An inspection lists this many of the likeliest words. */
const GUESSES = 5;

function softmax(logits: Float32Array): Float32Array {
  const largest = logits.reduce((a, b) => Math.max(a, b), -Infinity);
  const powers = logits.map((logit) => Math.exp(logit - largest));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / sum);
}

/** Replaces the hidden word of a sentence by `[MASK]`, as the model gets it. */
export const hide = (ids: readonly number[], hidden: number | null): readonly number[] =>
  ids.map((id, place) => (place === hidden ? MASK : id));

/** Returns the weights of all layers on one sentence, and the model's guesses of its hidden word. */
export function inspect(encoder: Encoder, step: number, watched: Watched): Inspection {
  const { ids, hidden } = watched;
  const { logits, weights } = encoder.forward([[...hide(ids, hidden)]]);
  const base = {
    step,
    watched,
    weights: weights.map((one) => ({ ...toPlainTensor(one), shape: one.shape.slice(1) })),
  };
  if (hidden === null) return { ...base, guesses: [], truth: null };
  const [, , size = 0] = logits.shape;
  const probabilities = softmax(logits.data.slice(hidden * size, (hidden + 1) * size));
  const ranking = Array.from(probabilities, (probability, id) => ({ id, probability })).sort(
    (a, b) => b.probability - a.probability,
  );
  const rank = ranking.findIndex(({ id }) => id === ids[hidden]) + 1;
  return {
    ...base,
    guesses: ranking.slice(0, GUESSES),
    truth: { probability: ranking[rank - 1]?.probability ?? 0, rank },
  };
}
