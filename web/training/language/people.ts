/**
 * Sixteen people, each with a name in both languages. A name determines four words. Every combination of these belongs
 * to exactly one person, so three of them say nothing about the fourth.
 */

export interface Person {
  name: string;
  /** The Korean name with the topic particle. */
  koreanName: string;
  isWoman: boolean;
  drinksTea: boolean;
  isAtHome: boolean;
  hasDog: boolean;
}

const women = [
  ['anna', '안나는'],
  ['bora', '보라는'],
  ['clara', '클라라는'],
  ['emma', '에마는'],
  ['julia', '줄리아는'],
  ['mina', '미나는'],
  ['sara', '사라는'],
  ['yuna', '유나는'],
] as const;

const men = [
  ['adam', '아담은'],
  ['david', '데이비드는'],
  ['eric', '에릭은'],
  ['hugo', '휴고는'],
  ['jinho', '진호는'],
  ['leo', '레오는'],
  ['minsu', '민수는'],
  ['paul', '폴은'],
] as const;

/** Gives the eight people of `names` their habits: the bits of 0 … 7 are all the combinations of three. */
const people = (names: readonly (readonly [string, string])[], isWoman: boolean): Person[] =>
  names.map(([name, koreanName], i) => ({
    name,
    koreanName,
    isWoman,
    drinksTea: (i & 1) === 1,
    isAtHome: (i & 2) === 2,
    hasDog: (i & 4) === 4,
  }));

export const PEOPLE: readonly Person[] = [...people(women, true), ...people(men, false)];
