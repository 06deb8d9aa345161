/**
 * The English sentences, one function for each pattern. A relation is recorded only where a single word determines the
 * other: where a second word would determine it as well, there is none.
 */
import { PEOPLE } from './people.js';
import type { Speaker } from './speaker.js';
import * as words from './words-en.js';

const { ANIMALS, PEOPLE_NOUNS, PLACES } = words;
const EITHER = [true, false];
const ACTORS = [...ANIMALS, ...PEOPLE_NOUNS];

const form = ({ one, many }: words.Noun, isOne: boolean): string => (isOne ? one : many);

/** Begins half of the sentences with a word that has no relations, so that positions vary. */
function opener(speaker: Speaker): void {
  if (speaker.choose(EITHER)) speaker.say(speaker.choose(words.OPENERS));
}

/** Says two neighbouring words that determine each other. */
function pair(speaker: Speaker, pairs: readonly words.Pair[]): void {
  const [first, second] = speaker.choose(pairs);
  const at = speaker.say(first);
  speaker.say(second);
  speaker.relate('neighbour', at, at + 1);
  speaker.relate('neighbour', at + 1, at);
}

/** Says e.g. *on the mat* */
function place(speaker: Speaker): { noun: words.Noun; isOne: boolean; at: number } {
  const noun = speaker.choose(PLACES);
  speaker.say(`${noun.preposition} the`);
  const isOne = speaker.choose(EITHER);
  return { noun, isOne, at: speaker.say(form(noun, isOne)) };
}

/** Says e.g. *the cat that was sleeping on the mat suddenly woke up* */
function moved(speaker: Speaker): void {
  opener(speaker);
  speaker.say('the');
  const actor = speaker.choose(ACTORS);
  const isOne = speaker.choose(EITHER);
  const subject = speaker.say(form(actor, isOne));
  speaker.relate('neighbour', speaker.say(actor.pronoun === 'it' ? 'that' : 'who'), subject);
  speaker.relate('agreement', speaker.say(isOne ? 'was' : 'were'), subject);
  speaker.say(speaker.choose(words.DOING));
  place(speaker);
  speaker.say(speaker.choose(words.MANNERS));
  pair(speaker, words.MOVES);
}

/** *the bank officer who was reviewing the loan application the customer submitted last week will call tomorrow* */
function reviewed(speaker: Speaker): void {
  opener(speaker);
  speaker.say('the');
  const [where, worker] = speaker.choose(words.WORKERS);
  const first = speaker.say(where);
  const isOne = speaker.choose(EITHER);
  const subject = speaker.say(form(worker, isOne));
  speaker.relate('neighbour', first, subject);
  speaker.relate('neighbour', subject, first);
  speaker.say('who');
  speaker.relate('agreement', speaker.say(isOne ? 'was' : 'were'), subject);
  speaker.say(speaker.choose(words.STUDYING));
  speaker.say('the');
  pair(speaker, words.PAPERS);
  speaker.say('the');
  speaker.say(speaker.choose(words.WRITERS));
  speaker.say(speaker.choose(words.WROTE));
  speaker.say('last');
  speaker.say(speaker.choose(words.PERIODS));
  speaker.say('will');
  speaker.say(speaker.choose(words.ANSWERING));
  speaker.say('tomorrow');
}

/** *the bank can guarantee deposits will eventually cover future tuition costs because it has enough money* */
function guaranteed(speaker: Speaker): void {
  opener(speaker);
  speaker.say('the');
  const owner = speaker.choose(words.OWNERS);
  const isOne = speaker.choose(EITHER);
  const subject = speaker.say(form(owner, isOne));
  speaker.say('can');
  speaker.say(speaker.choose(words.PROMISING));
  speaker.say(speaker.choose(words.FUNDS));
  speaker.say('will');
  speaker.say(speaker.choose(words.SOONER));
  speaker.say('cover future');
  pair(speaker, words.EXPENSES);
  speaker.say('because');
  const pronoun = speaker.say(isOne ? owner.pronoun : 'they');
  speaker.say(isOne ? 'has' : 'have');
  // *have* allows only the pronoun *they*; *has* allows *it*, *he* and *she*.
  if (isOne) speaker.relate('antecedent', pronoun, subject);
  speaker.say('enough');
  speaker.say(speaker.choose(words.RESOURCES));
}

/** *the cat sat on the mat because it was tired*, or *the cat that saw the boys sat* …: who sat can be tired, the place safe. */
function rested(speaker: Speaker): void {
  opener(speaker);
  speaker.say('the');
  const actor = speaker.choose(ACTORS);
  const isOneActor = speaker.choose(EITHER);
  const subject = speaker.say(form(actor, isOneActor));
  if (speaker.choose(EITHER)) {
    // Says *that* for people, too: *who* would determine the pronoun.
    speaker.say('that saw the');
    const others = ACTORS.filter((other) => other !== actor);
    speaker.say(form(speaker.choose(others), speaker.choose(EITHER)));
  }
  speaker.say(speaker.choose(words.RESTED));
  const where = place(speaker);
  speaker.say('because');
  const isActor = speaker.choose([true, true, true, false]);
  const isOne = isActor ? isOneActor : where.isOne;
  const singular = isActor ? actor.pronoun : 'it';
  const pronoun = speaker.say(isOne ? singular : 'they');
  const showsNumber = speaker.choose([true, false, false]);
  const verb = isActor ? 'felt' : 'looked';
  speaker.say(showsNumber ? (isOne ? 'was' : 'were') : verb);
  // *were* allows only *they*, and *was* only *it* for a place; for an actor *was* allows *it*, *he* and *she*.
  if (!showsNumber || (isActor && isOne)) {
    speaker.relate('antecedent', pronoun, isActor ? subject : where.at);
  }
  speaker.say(speaker.choose(isActor ? words.FEELINGS : words.QUALITIES));
}

/** Says e.g. *attention is all you need* */
function needed(speaker: Speaker): void {
  opener(speaker);
  const [verb, things] = speaker.choose(words.NEEDED);
  const thing = speaker.say(speaker.choose<string>(things));
  speaker.relate('neighbour', speaker.say(verb), thing);
  speaker.say('all');
  const [need, pronouns] = speaker.choose(words.NEEDS);
  const who = speaker.say(speaker.choose<string>(pronouns));
  speaker.relate('neighbour', speaker.say(need), who);
}

/** Says e.g. *the cats near the door were quiet* */
function stated(speaker: Speaker): void {
  opener(speaker);
  speaker.say('the');
  const actor = speaker.choose(ACTORS);
  const isOne = speaker.choose(EITHER);
  const subject = speaker.say(form(actor, isOne));
  place(speaker);
  const [one, many, rest] = speaker.choose(words.STATES);
  speaker.relate('agreement', speaker.say(isOne ? one : many), subject);
  speaker.say(speaker.choose<string>(rest));
}

/** Says e.g. *we picked up an old book near these doors* */
function handled(speaker: Speaker): void {
  opener(speaker);
  speaker.say(speaker.choose(words.SOMEBODY));
  pair(speaker, words.DEEDS);
  const [article, next] = speaker.choose(words.ARTICLES);
  const at = speaker.say(article);
  speaker.relate('neighbour', at, speaker.say(next));
  speaker.say(speaker.choose(words.THINGS));
  const noun = speaker.choose(PLACES);
  speaker.say(noun.preposition);
  const isOne = speaker.choose(EITHER);
  const determiner = speaker.say(isOne ? 'this' : 'these');
  speaker.relate('neighbour', determiner, speaker.say(form(noun, isOne)));
}

/** Says e.g. *but bora drinks tea at home with her dog*, in some order */
function habit(speaker: Speaker): void {
  opener(speaker);
  const person = speaker.choose(PEOPLE);
  const decided: number[] = [];
  const decide = (text: string): void => void decided.push(speaker.say(text));
  const atPlace = (): void => {
    speaker.say('at');
    decide(person.isAtHome ? 'home' : 'work');
  };
  const withPet = (): void => {
    speaker.say('with');
    decide(person.isWoman ? 'her' : 'his');
    decide(person.hasDog ? 'dog' : 'cat');
  };
  const [before, after] = speaker.choose([
    [[], [atPlace, withPet]],
    [[], [withPet, atPlace]],
    [[atPlace], [withPet]],
  ]);
  for (const phrase of before) phrase();
  const name = speaker.say(person.name);
  speaker.say(speaker.choose(words.HABITS));
  decide(person.drinksTea ? 'tea' : 'coffee');
  for (const phrase of after) phrase();
  for (const query of decided) speaker.relate('rare', query, name);
}

// Repeats the patterns that are hardest to learn, and that with names: each of the sixteen is still the rarest word.
const PATTERNS = [moved, reviewed, guaranteed, rested, rested, needed, stated, handled, habit, habit, habit];

export const english = (speaker: Speaker): void => {
  speaker.choose(PATTERNS)(speaker);
};
