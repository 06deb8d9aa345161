/** The Korean words that the grammar chooses from; particles are part of a word. */

/** Somebody with the particle of the subject; the honorific 께서 requires the honorific form of the verb. */
export interface Subject {
  word: string;
  isHonored: boolean;
}

const subjects = (isHonored: boolean, ...list: string[]): Subject[] =>
  list.map((word) => ({ word, isHonored }));

export const PLAIN = subjects(false, '고양이가', '개가', '소녀가', '소년이');
export const HONORED = subjects(true, '할머니께서', '할아버지께서', '선생님께서', '사장님께서');

/** `[noun, where]`: the noun determines the word after it. */
export type Place = readonly [string, string];

export const THINGS: readonly Place[] = [
  ['매트', '위에'],
  ['침대', '위에'],
  ['나무', '밑에'],
  ['탁자', '밑에'],
  ['문', '옆에'],
  ['창문', '옆에'],
  ['상자', '안에'],
  ['차', '안에'],
];
export const SPACES: readonly Place[] = [
  ['언덕', '위에'],
  ['다리', '밑에'],
  ['호수', '옆에'],
  ['방', '안에'],
];

/** `[auxiliary, its honorific form, the forms of a verb before it]` */
export const AUXILIARIES = [
  ['있다', '계시다', ['앉아', '누워', '서']],
  ['않는다', '않으신다', ['앉지', '눕지', '서지']],
  ['한다', '하신다', ['앉으려고', '누우려고', '서려고']],
] as const;

/** `[classifier, its nouns, whether they are animate]` */
export const COUNTED = [
  ['마리가', ['고양이', '개', '새', '말'], true],
  ['명이', ['학생', '배우', '아이', '친구'], true],
  ['권이', ['책', '공책', '사전', '잡지'], false],
  ['장이', ['사진', '편지', '그림', '지도'], false],
] as const;
export const NUMERALS = ['두', '세', '네'];

/** `[manner, verb, honorific verb]`: the manner determines the verb, the subject its form. */
export const LOOKS = [
  ['자세히', '본다', '보신다'],
  ['열심히', '찾는다', '찾으신다'],
  ['크게', '부른다', '부르신다'],
] as const;
export const OBJECTS = ['고양이를', '개를', '소녀를', '할머니를', '선생님을'];

/** `[object, verb, honorific verb]` */
export const WORKS = [
  ['책을', '읽는다', '읽으신다'],
  ['물을', '마신다', '드신다'],
  ['편지를', '쓴다', '쓰신다'],
  ['그림을', '그린다', '그리신다'],
] as const;

/** `[pronoun, the subjects it stands for]` */
export const PRONOUNS = [
  ['그녀는', ['소녀가', '여왕이', '여자가']],
  ['그는', ['소년이', '왕이', '남자가']],
  ['녀석은', ['고양이가', '개가', '새가']],
  ['그들은', ['아이들이', '학생들이', '배우들이']],
] as const;

export const OPENERS = ['오늘', '지금', '가끔'];
export const RESTED = ['앉았는데', '누웠는데', '섰는데'];
export const FEELINGS = ['피곤했다', '배고팠다', '졸렸다'];
export const QUALITIES = ['깨끗했다', '따뜻했다', '조용했다'];
export const HABITS = ['마신다', '만든다', '산다'];
