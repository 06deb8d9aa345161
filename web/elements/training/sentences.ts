import { heldOut, MAX_LENGTH } from '../../training/language/corpus.js';
import type { Lang, Sentence } from '../../training/language/sentence.js';
import { idsOf, UNKNOWN, VOCABULARY } from '../../training/language/vocabulary.js';
import type { Watched } from '../../training/protocol.js';

/** Number of sentences per language that the reader can choose from. */
const CHOICES = 16;

const textOf = ({ tokens }: Sentence): string => tokens.join(' ');

let known: ReadonlyMap<string, Sentence> | undefined;

/** Sentences that are not used in training, by their text; those of the documents come first. */
function byText(): ReadonlyMap<string, Sentence> {
  known ??= new Map(heldOut().map((sentence) => [textOf(sentence), sentence]));
  return known;
}

export { MAX_LENGTH } from '../../training/language/corpus.js';

export const wordOf = (id: number): string => VOCABULARY[id] ?? '';

export const choicesOf = (lang: Lang): readonly string[] =>
  [...byText()]
    .filter(([, sentence]) => sentence.lang === lang)
    .map(([text]) => text)
    .slice(0, CHOICES);

export const FIRST_SENTENCE = 'the cat sat on the mat because it was tired';

/** The sentence whose weights are shown. */
export interface Chosen {
  readonly text: string;
  readonly tokens: readonly string[];
  readonly watched: Watched;
  /** Words that are not in the model's vocabulary. */
  readonly unknown: readonly string[];
}

/** Index of the word to hide by default: a pronoun, else another word that the rest of the sentence determines. */
function defaultHiddenWord(text: string): number | null {
  const relations = byText().get(text)?.relations ?? [];
  return (relations.find(({ kind }) => kind === 'antecedent') ?? relations[0])?.query ?? null;
}

/**
 * @param text words separated by spaces; null gives `FIRST_SENTENCE`
 * @param masked index of the hidden word, `none`, or `auto` for the default one
 * @returns the sentence; null if it has no words or is too long for the model
 */
export function chosenSentence(text: string | null, masked: string): Chosen | null {
  const tokens = (text ?? FIRST_SENTENCE).split(/\s+/u).filter(Boolean);
  if (tokens.length === 0 || tokens.length > MAX_LENGTH) return null;
  const own = tokens.join(' ');
  const ids = [...idsOf(tokens)];
  const place = /^\d+$/.test(masked) ? Number(masked) : null;
  const hidden =
    masked === 'auto' ? defaultHiddenWord(own) : place !== null && place < ids.length ? place : null;
  return {
    text: own,
    tokens,
    watched: { ids, hidden },
    unknown: tokens.filter((_, i) => ids[i] === UNKNOWN),
  };
}
