import { heldOut, MAX_LENGTH } from '../../training/language/corpus.js';
import { SHOWN_FIRST } from '../../training/language/shown-first.js';
import { parse } from '../../training/language/grammar.js';
import type { Lang, Relation } from '../../training/language/sentence.js';
import { idsOf, UNKNOWN, VOCABULARY } from '../../training/language/vocabulary.js';
import type { Watched } from '../../training/protocol.js';

/** Number of sentences per language that the reader can choose from. */
const CHOICES = 16;

export { MAX_LENGTH } from '../../training/language/corpus.js';

export const wordOf = (id: number): string => VOCABULARY[id] ?? '';

const choices = new Map<Lang, readonly string[]>();

/** Sentences that are not used in training; those of the documents come after those whose rule decides the pronoun. */
export function choicesOf(lang: Lang): readonly string[] {
  const known = choices.get(lang);
  if (known) return known;
  const own = heldOut().filter((sentence) => sentence.lang === lang);
  const texts = new Set([
    ...SHOWN_FIRST[lang].map(({ text }) => text),
    ...own.map(({ tokens }) => tokens.join(' ')),
  ]);
  const first = [...texts].slice(0, CHOICES);
  choices.set(lang, first);
  return first;
}

/** The sentence whose weights are shown. */
export interface Chosen {
  readonly text: string;
  readonly tokens: readonly string[];
  readonly watched: Watched;
  /** What determines the hidden word; null where no single word does. */
  readonly relation: Relation | null;
  /** Words that are not in the model's vocabulary. */
  readonly unknown: readonly string[];
}

/** The relations in a sentence of the grammar, in its likeliest reading; none of other texts. */
function relationsOf(tokens: readonly string[]): readonly Relation[] {
  const readings = (['en', 'ko'] as const).flatMap((lang) => parse(tokens, lang));
  const [likeliest] = readings.sort((a, b) => b.probability - a.probability);
  return likeliest?.sentence.relations ?? [];
}

/**
 * @param text words separated by spaces; null gives the first sentence of `language`
 * @param masked index of the hidden word, `none`, or `auto`: a pronoun, else another word that its sentence determines
 * @returns the sentence; null if it has no words or is too long for the model
 */
export function chosenSentence(text: string | null, masked: string, language: Lang): Chosen | null {
  const tokens = (text ?? SHOWN_FIRST[language][0].text).split(/\s+/u).filter(Boolean);
  if (tokens.length === 0 || tokens.length > MAX_LENGTH) return null;
  const ids = [...idsOf(tokens)];
  const relations = relationsOf(tokens);
  const determined = relations.find(({ kind }) => kind === 'antecedent') ?? relations[0];
  const place = /^\d+$/.test(masked) ? Number(masked) : null;
  const hidden =
    masked === 'auto' ? (determined?.query ?? null) : place !== null && place < ids.length ? place : null;
  // A Korean verb takes its stem from its neighbour and its form from the subject: the far word says more about heads.
  const own = relations.filter(({ query }) => query === hidden);
  return {
    text: tokens.join(' '),
    tokens,
    watched: { ids, hidden },
    relation: own.find(({ kind }) => kind !== 'neighbour') ?? own[0] ?? null,
    unknown: tokens.filter((_, i) => ids[i] === UNKNOWN),
  };
}
