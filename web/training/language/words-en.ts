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
const places = (preposition: string, ...words: string[]): Place[] =>
  words.map((one) => ({ ...noun(one), preposition }));

export const ANIMALS = actors('it', 'cat', 'dog', 'rabbit', 'kitten');
export const PEOPLE_NOUNS: readonly Actor[] = [
  ...actors('she', 'girl', 'queen'),
  { one: 'woman', many: 'women', pronoun: 'she' },
  ...actors('he', 'boy', 'king'),
  { one: 'man', many: 'men', pronoun: 'he' },
];
/** Who has money. */
export const OWNERS: readonly Actor[] = [
  ...actors('it', 'bank', 'school', 'fund'),
  ...actors('she', 'mother', 'aunt'),
  ...actors('he', 'father', 'uncle'),
];

/** Places where animals and people can rest, one or many, at one or many of them. */
export const PLACES: readonly Place[] = [
  ...places('on', 'mat', 'blanket'),
  ...places('under', 'tree', 'umbrella'),
  ...places('near', 'door', 'window'),
  ...places('behind', 'curtain', 'wall'),
];

/** A pair `[first, second]` of words, each of which determines the other. */
export type Pair = readonly [string, string];

/** Who reads papers where: bank officer, … */
export const WORKERS: readonly (readonly [string, Noun])[] = [
  ['bank', noun('officer')],
  ['office', noun('manager')],
  ['school', noun('director')],
  ['city', noun('clerk')],
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
/** Verbs with their particles: what those who rest do next. */
export const MOVES: readonly Pair[] = [
  ['woke', 'up'],
  ['rolled', 'over'],
  ['moved', 'away'],
  ['stretched', 'out'],
];
/** Verbs that take an object, with their particles. */
export const DEEDS: readonly Pair[] = [
  ['picked', 'up'],
  ['put', 'down'],
  ['threw', 'away'],
  ['took', 'out'],
];
/** `[article, word]` */
export const ARTICLES: readonly Pair[] = [
  ['an', 'old'],
  ['an', 'orange'],
  ['an', 'ugly'],
  ['a', 'new'],
  ['a', 'small'],
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
  ['was', 'were', ['quiet', 'asleep']],
  ['has', 'have', ['disappeared', 'left']],
  ['seems', 'seem', ['happy', 'strange']],
] as const;

export const OPENERS = ['and', 'but', 'so'];
export const MANNERS = ['suddenly', 'quietly', 'slowly'];
export const DOING = ['sleeping', 'resting', 'lying', 'dozing'];
export const STUDYING = ['reviewing', 'reading', 'checking'];
export const WRITERS = ['customer', 'student', 'lawyer'];
export const WROTE = ['submitted', 'sent', 'signed'];
export const PERIODS = ['week', 'month', 'year'];
export const ANSWERING = ['call', 'write', 'answer'];
export const PROMISING = ['guarantee', 'promise'];
export const FUNDS = ['deposits', 'savings'];
export const SOONER = ['eventually', 'finally', 'soon'];
export const RESOURCES = ['money', 'cash', 'income'];
export const RESTED = ['sat', 'slept', 'waited'];
export const FEELINGS = ['tired', 'bored', 'sick'];
export const QUALITIES = ['dry', 'safe', 'close'];
export const THINGS = ['book', 'letter', 'card', 'map'];
export const SOMEBODY = ['she', 'he', 'we', 'they'];
export const HABITS = ['drinks', 'makes', 'enjoys'];
