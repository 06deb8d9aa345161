/** The Korean words that the grammar chooses from; particles are part of a word. */

/** Somebody with the particle of the subject; the honorific 께서 requires the honorific form of the verb. */
export interface Subject {
  word: string;
  isHonored: boolean;
}

const subjects = (isHonored: boolean, ...list: string[]): Subject[] =>
  list.map((word) => ({ word, isHonored }));

export const PEOPLE_NOUNS = subjects(false, '소녀가', '소년이', '학생이', '친구가');
export const ANIMALS = subjects(false, '고양이가', '개가');
export const HONORED = subjects(true, '할머니께서', '할아버지께서', '선생님께서', '사장님께서');

/** `[noun, where]`: the noun determines the word after it. */
export type Place = readonly [string, string];

export const THINGS: readonly Place[] = [
  ['매트', '위에'],
  ['소파', '위에'],
  ['나무', '밑에'],
  ['파라솔', '밑에'],
  ['창문', '옆에'],
  ['난로', '옆에'],
  ['텐트', '안에'],
  ['차', '안에'],
];
export const SPACES: readonly Place[] = [
  ['언덕', '위에'],
  ['처마', '밑에'],
  ['연못', '옆에'],
  ['방', '안에'],
];

/** `[auxiliary, its honorific form, the forms of a verb before it]` */
export const AUXILIARIES = [
  ['있다', '계시다', ['앉아', '누워']],
  ['않는다', '않으신다', ['앉지', '눕지']],
  ['한다', '하신다', ['앉으려고', '누우려고']],
] as const;

/** `[classifier, its nouns, how they are in a place]` */
export const COUNTED = [
  ['마리', ['고양이가', '개가', '토끼가', '강아지가'], ['앉아', '누워']],
  ['명', ['학생이', '친구가', '배우가', '아이가'], ['앉아', '누워']],
  ['권', ['책이', '공책이', '사전이', '잡지가'], ['놓여']],
  ['장', ['사진이', '편지가', '그림이', '지도가'], ['놓여']],
] as const;
export const NUMERALS = ['세', '네', '다섯'];

/** `[manner, verb, honorific verb]`: the manner determines the verb, the subject its form. */
export const LOOKS = [
  ['자세히', '본다', '보신다'],
  ['열심히', '그린다', '그리신다'],
  ['다정하게', '부른다', '부르신다'],
] as const;
export const OBJECTS = ['고양이를', '개를', '아이를', '아기를', '손님을'];

/** `[object, verb, honorific verb]` */
export const WORKS = [
  ['책을', '읽는다', '읽으신다'],
  ['물을', '마신다', '드신다'],
  ['편지를', '쓴다', '쓰신다'],
  ['그림을', '그린다', '그리신다'],
] as const;

/** `[pronoun, the people it stands for]` */
export const PERSONAL = [
  ['그녀는', ['소녀가', '여왕이', '여자가']],
  ['그는', ['소년이', '왕이', '남자가']],
  ['그들은', ['아이들이', '학생들이', '배우들이']],
] as const;
/** `[pronoun, who it stands for]` */
export const PRONOUNS = [...PERSONAL, ['녀석은', ['고양이가', '개가', '토끼가']]] as const;

export const OPENERS = ['그리고', '그런데', '그래서'];
export const RESTED = ['앉았는데', '누웠는데'];
export const FEELINGS = ['피곤했다', '배고팠다', '졸렸다'];
export const QUALITIES = ['낯설었다', '예뻤다', '멋있었다'];
export const HABITS = ['마신다', '끓인다', '즐긴다'];
