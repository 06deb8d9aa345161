/** Accuracy and attention scores of a model on held-out sentences. */
import type { Encoder } from './encoder.js';
import { hide } from './inspect.js';
import { heldOut } from './language/corpus.js';
import { bestGuess } from './language/grammar.js';
import { perKind, RELATION_KINDS, type RelationKind, type Sentence } from './language/sentence.js';
import { idsOf, PAD } from './language/vocabulary.js';
import type { Chance, Evaluation } from './protocol.js';

/** By default, questions of each kind: few enough to be answered while a page trains. */
const QUESTIONS_PER_KIND = 64;
/** Number of sentences in one forward pass: without a worker the page is blocked for its duration. */
const BATCH_SIZE = 32;

/** One hidden word of a held-out sentence, and the positions of the words that determine it. */
export interface Question {
  readonly kind: RelationKind;
  readonly sentence: Sentence;
  readonly ids: readonly number[];
  readonly hidden: number;
  readonly keys: readonly number[];
}

/** Chooses the same questions for every model: evenly spread over the held-out sentences that have such a relation. */
function questionsOf(kind: RelationKind, most: number): readonly Question[] {
  const all = heldOut().flatMap((sentence) =>
    sentence.relations
      .filter((relation) => relation.kind === kind)
      .map(({ query, keys }) => ({ kind, sentence, ids: [...idsOf(sentence.tokens)], hidden: query, keys })),
  );
  const count = Math.min(most, all.length);
  return all.filter(
    (_, i) => Math.floor((i * count) / all.length) !== Math.floor(((i - 1) * count) / all.length),
  );
}

/** Returns up to `most` questions of each kind. */
export const heldOutQuestions = (most = QUESTIONS_PER_KIND): readonly Question[] =>
  RELATION_KINDS.flatMap((kind) => questionsOf(kind, most));

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

/** Makes a batch (B,L) of sentences, padded to the longest, and its key padding mask. */
export function batchOf(sentences: readonly (readonly number[])[]) {
  const length = Math.max(...sentences.map((ids) => ids.length));
  const shape = [sentences.length, length] as const;
  const data = new Int32Array(sentences.length * length).fill(PAD);
  const real = new Uint8Array(data.length);
  sentences.forEach((ids, row) => {
    data.set(ids, row * length);
    real.fill(1, row * length, row * length + ids.length);
  });
  return { tokens: { data, shape }, keyPaddingMask: { data: real, shape } };
}

interface Answer {
  readonly kind: RelationKind;
  readonly isRight: boolean;
  /** Per layer and head, the weight from the hidden word onto the words that determine it. */
  readonly keyWeights: readonly (readonly number[])[];
}

const argmax = (values: Float32Array, begin: number, end: number): number => {
  let best = begin;
  for (let i = begin + 1; i < end; i++) if ((values[i] ?? 0) > (values[best] ?? 0)) best = i;
  return best - begin;
};

function answersOf(encoder: Encoder, questions: readonly Question[]): readonly Answer[] {
  const { tokens, keyPaddingMask } = batchOf(questions.map(({ ids, hidden }) => hide(ids, hidden)));
  const { logits, weights } = encoder.forward(tokens, { keyPaddingMask });
  const [, length, size] = logits.shape as [number, number, number];
  return questions.map(({ kind, ids, hidden, keys }, row) => {
    const begin = (row * length + hidden) * size;
    const keyWeights = weights.map(({ data, shape: [, heads = 0] }) =>
      Array.from({ length: heads }, (_, head) => {
        const from = ((row * heads + head) * length + hidden) * length;
        return keys.reduce((sum, key) => sum + (data[from + key] ?? 0), 0);
      }),
    );
    return { kind, isRight: argmax(logits.data, begin, begin + size) === ids[hidden], keyWeights };
  });
}

function evaluationOf(step: number, answers: readonly Answer[]): Evaluation {
  const accuracyOf = (some: readonly Answer[]) => mean(some.map(({ isRight }) => Number(isRight)));
  const byKind = perKind((kind) => answers.filter((answer) => answer.kind === kind));
  const [first] = answers;
  return {
    step,
    accuracy: accuracyOf(answers),
    accuracyOf: perKind((kind) => accuracyOf(byKind[kind])),
    scores: perKind(
      (kind) =>
        first?.keyWeights.map((heads, layer) =>
          heads.map((_, head) => mean(byKind[kind].map(({ keyWeights }) => keyWeights[layer]?.[head] ?? 0))),
        ) ?? [],
    ),
  };
}

/** Measures models with the same questions. Its generators pause after each small piece of work. */
export interface Evaluator {
  /** Number of questions of each kind. */
  readonly counts: Readonly<Record<RelationKind, number>>;
  evaluate(encoder: Encoder, step: number): Generator<'busy', Evaluation>;
  chance(): Generator<'busy', Chance>;
}

export function evaluator(questions = heldOutQuestions()): Evaluator {
  const byKind = perKind((kind) => questions.filter((question) => question.kind === kind));
  return {
    counts: perKind((kind) => byKind[kind].length),
    *evaluate(encoder, step) {
      const answers: Answer[] = [];
      for (let begin = 0; begin < questions.length; begin += BATCH_SIZE) {
        answers.push(...answersOf(encoder, questions.slice(begin, begin + BATCH_SIZE)));
        yield 'busy';
      }
      return evaluationOf(step, answers);
    },
    *chance() {
      const chances = perKind<number[]>(() => []);
      for (const { kind, sentence, hidden, keys } of questions) {
        chances[kind].push(bestGuess(sentence, hidden, keys).probability);
        yield 'busy';
      }
      return {
        accuracy: mean(Object.values(chances).flat()),
        accuracyOf: perKind((kind) => mean(chances[kind])),
        scores: perKind((kind) => mean(byKind[kind].map(({ ids, keys }) => keys.length / ids.length))),
      };
    },
  };
}
