/** The Korean sentences, one function for each pattern; see `grammar-en.ts`. */
import { PEOPLE } from './people.js';
import type { Speaker } from './speaker.js';
import * as words from './words-ko.js';

const EITHER = [true, false];
const PLACES = [...words.THINGS, ...words.SPACES];
const { PEOPLE_NOUNS, HONORED } = words;

function opener(speaker: Speaker): void {
  if (speaker.choose(EITHER)) speaker.say(speaker.choose(words.OPENERS));
}

/** Says *매트 위에*; returns the noun's position. */
function place(speaker: Speaker, places: readonly words.Place[] = PLACES): number {
  const [noun, where] = speaker.choose(places);
  const at = speaker.say(noun);
  speaker.relate('neighbour', speaker.say(where), at);
  return at;
}

/** Says somebody with the particle of the subject, but not `other`. */
function subject(speaker: Speaker, plain: readonly words.Subject[], other?: string) {
  const nouns = speaker.choose([plain, HONORED]).filter(({ word }) => word !== other);
  const { word, isHonored } = speaker.choose(nouns);
  return { word, isHonored, at: speaker.say(word) };
}

/**
 * Says a subject. In half of the sentences a relative clause with a subject of its own precedes it, whose honorific does
 * not affect the main verb: *할머니께서 찾으시던 소년이*
 */
function soughtSubject(speaker: Speaker, plain: readonly words.Subject[]) {
  let other: string | undefined;
  if (speaker.choose(EITHER)) {
    const { word, isHonored, at } = subject(speaker, PEOPLE_NOUNS);
    other = word;
    speaker.relate('neighbour', speaker.say(isHonored ? '찾으시던' : '찾던'), at);
  }
  return subject(speaker, plain, other);
}

/** Says e.g. *고양이가 매트 위에 앉아 있다* */
function rests(speaker: Speaker): void {
  opener(speaker);
  const { isHonored, at } = soughtSubject(speaker, [...PEOPLE_NOUNS, ...words.ANIMALS]);
  place(speaker);
  const [plain, honored, verbs] = speaker.choose(words.AUXILIARIES);
  const verb = speaker.say(speaker.choose<string>(verbs));
  const auxiliary = speaker.say(isHonored ? honored : plain);
  speaker.relate('neighbour', auxiliary, verb);
  speaker.relate('agreement', auxiliary, at);
}

/** Says e.g. *고양이가 매트 위에 세 마리 앉아 있다*, *책이 매트 위에 모두 세 권 놓여 있다* */
function counted(speaker: Speaker): void {
  opener(speaker);
  const [classifier, nouns, verbs] = speaker.choose(words.COUNTED);
  const noun = speaker.say(speaker.choose<string>(nouns));
  place(speaker, words.THINGS);
  if (speaker.choose(EITHER)) speaker.say('모두');
  speaker.say(speaker.choose(words.NUMERALS));
  speaker.relate('agreement', speaker.say(classifier), noun);
  speaker.say(speaker.choose<string>(verbs));
  speaker.say('있다');
}

/** Says e.g. *할머니께서 매트 위에 앉아 있는 고양이를 자세히 보신다*, or the object first */
function looks(speaker: Speaker): void {
  opener(speaker);
  const isSubjectFirst = speaker.choose(EITHER);
  const before = isSubjectFirst ? subject(speaker, PEOPLE_NOUNS) : null;
  if (speaker.choose(EITHER)) {
    place(speaker);
    speaker.say('앉아 있는');
  }
  speaker.say(speaker.choose(words.OBJECTS));
  const { isHonored, at } = before ?? subject(speaker, PEOPLE_NOUNS);
  const [manner, plain, honored] = speaker.choose(words.LOOKS);
  const how = speaker.say(manner);
  const verb = speaker.say(isHonored ? honored : plain);
  speaker.relate('neighbour', verb, how);
  speaker.relate('agreement', verb, at);
}

/** Says e.g. *소년이 창문 옆에 앉아 책을 읽는다* */
function works(speaker: Speaker): void {
  opener(speaker);
  const { isHonored, at } = soughtSubject(speaker, PEOPLE_NOUNS);
  place(speaker);
  speaker.say('앉아');
  const [thing, plain, honored] = speaker.choose(words.WORKS);
  const object = speaker.say(thing);
  const verb = speaker.say(isHonored ? honored : plain);
  speaker.relate('neighbour', verb, object);
  speaker.relate('agreement', verb, at);
}

/** Says e.g. *소녀가 매트 위에 앉았는데 그녀는 피곤했다*, or *소년이 찾던 소녀가* …: who sat can be tired, the place strange. */
function rested(speaker: Speaker): void {
  opener(speaker);
  let other: string | undefined;
  if (speaker.choose(EITHER)) {
    const [, others] = speaker.choose(words.PERSONAL);
    other = speaker.choose<string>(others);
    speaker.say(`${other} 찾던`);
  }
  const [personal, subjects] = speaker.choose(words.PRONOUNS);
  const who = speaker.say(speaker.choose(subjects.filter((noun) => noun !== other)));
  const isSpace = speaker.choose(EITHER);
  const where = place(speaker, isSpace ? words.SPACES : words.THINGS);
  speaker.say(speaker.choose(words.RESTED));
  const isWho = speaker.choose([true, true, true, false]);
  const pronoun = speaker.say(isWho ? personal : isSpace ? '그곳은' : '그것은');
  speaker.relate('antecedent', pronoun, isWho ? who : where);
  speaker.say(speaker.choose(isWho ? words.FEELINGS : words.QUALITIES));
}

/** Says e.g. *그런데 보라는 집에서 그녀의 개와 차를 마신다*, in some order */
function habit(speaker: Speaker): void {
  opener(speaker);
  const person = speaker.choose(PEOPLE);
  const decided: number[] = [];
  const decide = (text: string): void => void decided.push(speaker.say(text));
  const atPlace = (): void => {
    decide(person.isAtHome ? '집에서' : '회사에서');
  };
  const withPet = (): void => {
    decide(person.isWoman ? '그녀의' : '그의');
    decide(person.hasDog ? '개와' : '고양이와');
  };
  const [before, after] = speaker.choose([
    [[], [atPlace, withPet]],
    [[], [withPet, atPlace]],
    [[atPlace], [withPet]],
  ]);
  for (const phrase of before) phrase();
  const name = speaker.say(person.koreanName);
  for (const phrase of after) phrase();
  decide(person.drinksTea ? '차를' : '커피를');
  speaker.say(speaker.choose(words.HABITS));
  for (const query of decided) speaker.relate('rare', query, name);
}

// Repeats the patterns that are hardest to learn, and that with names: each of the sixteen is still the rarest word.
const PATTERNS = [rests, counted, looks, works, rested, rested, habit, habit, habit];

export const korean = (speaker: Speaker): void => {
  speaker.choose(PATTERNS)(speaker);
};
