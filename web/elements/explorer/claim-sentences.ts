/** English sentences in which words are marked that belong together, to ask which heads join them. */

/** A word and the one that it belongs to, as they stand in the sentence; each is there once. */
export type MarkedPair = readonly [word: string, belongsTo: string];

/** Relations that papers report of single heads. */
export const RELATIONS = ['determiner', 'pronoun'] as const;

export type Relation = (typeof RELATIONS)[number];

export interface MarkedSentence extends Readonly<Record<Relation, readonly MarkedPair[]>> {
  readonly text: string;
}

/**
 * A determiner and its noun, with and without adjectives between them; a pronoun and the noun that it stands for, which only
 * one noun of the sentence can be.
 */
export const SENTENCES: readonly MarkedSentence[] = [
  {
    text: 'The tired old farmer fed a small goat before he slept.',
    determiner: [
      ['The', 'farmer'],
      ['a', 'goat'],
    ],
    pronoun: [['he', 'farmer']],
  },
  {
    text: 'A young woman lost the silver ring because she was careless.',
    determiner: [
      ['A', 'woman'],
      ['the', 'ring'],
    ],
    pronoun: [['she', 'woman']],
  },
  {
    text: 'This little girl opened every heavy wooden box until she was tired.',
    determiner: [
      ['This', 'girl'],
      ['every', 'box'],
    ],
    pronoun: [['she', 'girl']],
  },
  {
    text: 'My brother bought the bright red bicycle because it was cheap.',
    determiner: [['the', 'bicycle']],
    pronoun: [['it', 'bicycle']],
  },
  {
    text: 'The students failed a very hard exam although they had prepared.',
    determiner: [
      ['The', 'students'],
      ['a', 'exam'],
    ],
    pronoun: [['they', 'students']],
  },
  {
    text: 'That clever black dog followed the children until it got tired.',
    determiner: [
      ['That', 'dog'],
      ['the', 'children'],
    ],
    pronoun: [['it', 'dog']],
  },
  {
    text: 'An honest judge read the long letter, and then he burned it.',
    determiner: [
      ['An', 'judge'],
      ['the', 'letter'],
    ],
    pronoun: [
      ['he', 'judge'],
      ['it', 'letter'],
    ],
  },
  {
    text: 'The queen wore a heavy golden crown although it was ugly.',
    determiner: [
      ['The', 'queen'],
      ['a', 'crown'],
    ],
    pronoun: [['it', 'crown']],
  },
  {
    text: 'Every morning the baker opens a tiny shop, and he sings.',
    determiner: [
      ['Every', 'morning'],
      ['the', 'baker'],
      ['a', 'shop'],
    ],
    pronoun: [['he', 'baker']],
  },
  {
    text: 'Two tall boys carried the broken chair because they wanted to mend it.',
    determiner: [['the', 'chair']],
    pronoun: [
      ['they', 'boys'],
      ['it', 'chair'],
    ],
  },
  {
    text: 'The cat slept on a mat because it was tired.',
    determiner: [
      ['The', 'cat'],
      ['a', 'mat'],
    ],
    pronoun: [['it', 'cat']],
  },
  {
    text: 'An old sailor told some noisy children that he had seen the whale.',
    determiner: [
      ['An', 'sailor'],
      ['some', 'children'],
      ['the', 'whale'],
    ],
    pronoun: [['he', 'sailor']],
  },
];
