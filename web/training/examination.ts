/** How far a model is, on sentences that it is never trained on. */
import { batchOf } from './batch.js';
import type { Encoder } from './encoder.js';
import { heldOut } from './language/corpus.js';
import { bestGuess } from './language/grammar.js';
import { RELATION_KINDS, type RelationKind, type Sentence } from './language/sentence.js';
import { idsOf, PAD } from './language/vocabulary.js';
import { hide } from './look.js';
import type { Chance, Exam } from './protocol.js';

/** Hidden words of each kind that are asked for while the reader waits. */
const QUESTIONS = 64;
/** Sentences that are read at once: on the page itself nothing else happens meanwhile. */
const BATCH = 32;

/** One hidden word of a held-out sentence, and the words that give it away. */
export interface Question {
  readonly kind: RelationKind;
  readonly sentence: Sentence;
  readonly ids: readonly number[];
  readonly hidden: number;
  readonly keys: readonly number[];
}

/** The same questions for every model: evenly spread over the held-out sentences that have such a relation. */
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

/** The questions of an exam: as many of each kind, if there are so many. */
export const heldOutQuestions = (most = QUESTIONS): readonly Question[] =>
  RELATION_KINDS.flatMap((kind) => questionsOf(kind, most));

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

/** A number for each kind. */
const perKind = <T>(value: (kind: RelationKind) => T): Record<RelationKind, T> =>
  Object.fromEntries(RELATION_KINDS.map((kind) => [kind, value(kind)])) as Record<RelationKind, T>;

/** What one question found out. */
interface Answer {
  readonly kind: RelationKind;
  readonly isRight: boolean;
  /** Per layer and head, the weight from the hidden word onto those that give it away. */
  readonly looks: readonly (readonly number[])[];
}

const largestAt = (values: Float32Array, begin: number, end: number): number => {
  let best = begin;
  for (let i = begin + 1; i < end; i++) if ((values[i] ?? 0) > (values[best] ?? 0)) best = i;
  return best - begin;
};

function answers(encoder: Encoder, questions: readonly Question[]): readonly Answer[] {
  const { tokens, keyPaddingMask } = batchOf(
    questions.map(({ ids, hidden }) => hide(ids, hidden)),
    PAD,
  );
  const { logits, weights } = encoder.forward(tokens, { keyPaddingMask });
  const [, length, size] = logits.shape as [number, number, number];
  return questions.map(({ kind, ids, hidden, keys }, row) => {
    const begin = (row * length + hidden) * size;
    const looks = weights.map(({ data, shape: [, heads = 0] }) =>
      Array.from({ length: heads }, (_, head) => {
        const from = ((row * heads + head) * length + hidden) * length;
        return keys.reduce((sum, key) => sum + (data[from + key] ?? 0), 0);
      }),
    );
    return { kind, isRight: largestAt(logits.data, begin, begin + size) === ids[hidden], looks };
  });
}

function examOf(step: number, all: readonly Answer[]): Exam {
  const rightOf = (some: readonly Answer[]) => mean(some.map(({ isRight }) => Number(isRight)));
  const byKind = perKind((kind) => all.filter((answer) => answer.kind === kind));
  const [first] = all;
  return {
    step,
    accuracy: rightOf(all),
    accuracyOf: perKind((kind) => rightOf(byKind[kind])),
    scores: perKind(
      (kind) =>
        first?.looks.map((heads, layer) =>
          heads.map((_, head) => mean(byKind[kind].map(({ looks }) => looks[layer]?.[head] ?? 0))),
        ) ?? [],
    ),
  };
}

/** The questions of every exam. */
export interface Examination {
  /** How many words of each kind are asked for. */
  readonly counts: Readonly<Record<RelationKind, number>>;
  /** Asks a model everything, with a pause behind each batch. */
  of(encoder: Encoder, step: number): Generator<'busy', Exam>;
  /** What can be known without the words that give the hidden ones away, with a pause behind each. */
  chance(): Generator<'busy', Chance>;
}

export function examination(questions = heldOutQuestions()): Examination {
  const byKind = perKind((kind) => questions.filter((question) => question.kind === kind));
  return {
    counts: perKind((kind) => byKind[kind].length),
    *of(encoder, step) {
      const all: Answer[] = [];
      for (let begin = 0; begin < questions.length; begin += BATCH) {
        all.push(...answers(encoder, questions.slice(begin, begin + BATCH)));
        yield 'busy';
      }
      return examOf(step, all);
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
