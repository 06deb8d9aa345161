import { heldOut, MAX_LENGTH } from '../../training/language/corpus.js';
import type { Lang, Sentence } from '../../training/language/sentence.js';
import { idsOf, UNKNOWN, VOCABULARY } from '../../training/language/vocabulary.js';
import type { Watched } from '../../training/protocol.js';

/** Sentences of each language to choose from. */
const CHOICES = 16;

const textOf = ({ tokens }: Sentence): string => tokens.join(' ');

let known: ReadonlyMap<string, Sentence> | undefined;

/** Sentences that nobody trains on, by their text: those of the documents are the first. */
function byText(): ReadonlyMap<string, Sentence> {
  known ??= new Map(heldOut().map((sentence) => [textOf(sentence), sentence]));
  return known;
}

/** The most words of a sentence. */
export { MAX_LENGTH } from '../../training/language/corpus.js';

/** The word of an id. */
export const wordOf = (id: number): string => VOCABULARY[id] ?? '';

/** Texts to choose from. */
export const choicesOf = (lang: Lang): readonly string[] =>
  [...byText()]
    .filter(([, sentence]) => sentence.lang === lang)
    .map(([text]) => text)
    .slice(0, CHOICES);

export const FIRST_SENTENCE = 'the cat sat on the mat because it was tired';

/** What the reader looks at. */
export interface Chosen {
  readonly text: string;
  readonly tokens: readonly string[];
  readonly watched: Watched;
  /** Words that the language does not have. */
  readonly unknown: readonly string[];
}

/** The word that says most about a model when it is hidden: a pronoun, else another that its sentence decides. */
function tellingWord(text: string): number | null {
  const relations = byText().get(text)?.relations ?? [];
  return (relations.find(({ kind }) => kind === 'antecedent') ?? relations[0])?.query ?? null;
}

/**
 * @param text words with spaces between; null is the first sentence
 * @param masked the place of the hidden word, `none`, or `auto` for the word that says most
 * @returns null for a sentence that the model cannot take: too long, or without words
 */
export function chosenSentence(text: string | null, masked: string): Chosen | null {
  const tokens = (text ?? FIRST_SENTENCE).split(/\s+/u).filter(Boolean);
  if (tokens.length === 0 || tokens.length > MAX_LENGTH) return null;
  const own = tokens.join(' ');
  const ids = [...idsOf(tokens)];
  const place = /^\d+$/.test(masked) ? Number(masked) : null;
  const hidden = masked === 'auto' ? tellingWord(own) : place !== null && place < ids.length ? place : null;
  return {
    text: own,
    tokens,
    watched: { ids, hidden },
    unknown: tokens.filter((_, i) => ids[i] === UNKNOWN),
  };
}
