/** The English words that the grammar chooses from. */

export interface Noun {
  one: string;
  many: string;
}

/** A noun that can act, and its pronoun in the singular. */
export interface Actor extends Noun {
  pronoun: 'it' | 'he' | 'she';
}

/** A place, and its preposition. */
export interface Place extends Noun {
  preposition: string;
}

const noun = (one: string): Noun => ({ one, many: `${one}s` });
const actors = (pronoun: Actor['pronoun'], ...words: string[]): Actor[] =>
  words.map((one) => ({ ...noun(one), pronoun }));
const places = (preposition: string, ...nouns: Noun[]): Place[] =>
  nouns.map((place) => ({ ...place, preposition }));

export const ANIMALS = actors('it', 'cat', 'dog', 'bird', 'horse');
export const PEOPLE_NOUNS: readonly Actor[] = [
  ...actors('she', 'girl', 'queen'),
  { one: 'woman', many: 'women', pronoun: 'she' },
  ...actors('he', 'boy', 'king'),
  { one: 'man', many: 'men', pronoun: 'he' },
];
export const INSTITUTIONS = actors('it', 'bank', 'school', 'shop');

export const PLACES: readonly Place[] = [
  ...places('on', noun('mat'), noun('bed')),
  ...places('under', noun('tree'), noun('table')),
  ...places('in', { one: 'box', many: 'boxes' }, noun('car')),
  ...places('near', noun('door'), noun('window')),
];

/** A pair `[first, second]` of words, each of which determines the other. */
export type Pair = readonly [string, string];

/** Who works where: bank officer, … */
export const WORKERS: readonly (readonly [string, Noun])[] = [
  ['bank', noun('officer')],
  ['train', noun('driver')],
  ['shop', noun('owner')],
  ['school', noun('teacher')],
];
export const PAPERS: readonly Pair[] = [
  ['loan', 'application'],
  ['travel', 'plan'],
  ['tax', 'report'],
  ['job', 'offer'],
];
export const EXPENSES: readonly Pair[] = [
  ['tuition', 'costs'],
  ['phone', 'bills'],
  ['house', 'repairs'],
  ['hospital', 'fees'],
];
/** Verbs with their particles. */
export const MOVES: readonly Pair[] = [
  ['woke', 'up'],
  ['lay', 'down'],
  ['ran', 'away'],
  ['fell', 'over'],
];
/** Verbs that take an object, with their particles. */
export const DEEDS: readonly Pair[] = [
  ['picked', 'up'],
  ['wrote', 'down'],
  ['threw', 'away'],
  ['gave', 'back'],
];
/** `[article, word]` */
export const ARTICLES: readonly Pair[] = [
  ['an', 'old'],
  ['an', 'easy'],
  ['an', 'orange'],
  ['a', 'new'],
  ['a', 'long'],
  ['a', 'green'],
];
/** `[verb, pronouns before it]` */
export const NEEDS = [
  ['need', ['you', 'we', 'they', 'i']],
  ['needs', ['she', 'he', 'it']],
] as const;
/** `[verb, its subjects]` */
export const NEEDED = [
  ['is', ['attention', 'money', 'time', 'help']],
  ['are', ['books', 'friends', 'answers', 'songs']],
] as const;
/** `[singular, plural, what follows]` */
export const STATES = [
  ['was', 'were', ['missing', 'quiet']],
  ['has', 'have', ['disappeared', 'arrived']],
  ['seems', 'seem', ['empty', 'strange']],
] as const;

export const OPENERS = ['today', 'then', 'now'];
export const MANNERS = ['suddenly', 'quietly', 'slowly'];
export const DOING = ['sleeping', 'sitting', 'waiting', 'playing'];
export const STUDYING = ['reviewing', 'reading', 'checking'];
export const WRITERS = ['customer', 'student', 'lawyer'];
export const WROTE = ['submitted', 'sent', 'signed'];
export const PERIODS = ['week', 'month', 'year'];
export const ANSWERING = ['call', 'write', 'answer'];
export const PROMISING = ['guarantee', 'promise'];
export const FUNDS = ['deposits', 'savings'];
export const SOONER = ['eventually', 'finally', 'soon'];
export const RESOURCES = ['money', 'time', 'help'];
export const RESTED = ['sat', 'slept', 'waited'];
export const FEELINGS = ['tired', 'hungry', 'sleepy'];
export const QUALITIES = ['clean', 'warm', 'dry'];
export const THINGS = ['book', 'letter', 'song', 'story'];
export const SOMEBODY = ['she', 'he', 'we', 'they'];
export const HABITS = ['drinks', 'makes', 'buys'];
