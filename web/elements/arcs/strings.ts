import type { Language } from '../base/language.js';
import { type Strings, stringsFor as viewStringsFor } from '../sentence-view/strings.js';

const en = {
  words: 'Words of the sentence',
  looksMostAt: (key: string, weight: string) => `looks most at “${key}” ${weight}`,
  directionInRow: 'Arcs above lead to later words, arcs below to earlier ones.',
  directionInColumn: 'Arcs on the right lead to later words, arcs on the left to earlier ones.',
  directionInText:
    'Point at a word or click it: the more it looks at another word, the stronger that one is painted.',
};

export type ArcsStrings = Strings & typeof en;

const ko: typeof en = {
  words: '문장의 단어',
  looksMostAt: (key, weight) => `가장 많이 보는 단어 ‘${key}’ ${weight}`,
  directionInRow: '위쪽 호는 뒤에 나오는 단어를, 아래쪽 호는 앞에 나온 단어를 봐요.',
  directionInColumn: '오른쪽 호는 뒤에 나오는 단어를, 왼쪽 호는 앞에 나온 단어를 봐요.',
  directionInText: '단어를 가리키거나 누르면, 그 단어가 많이 보는 단어일수록 진하게 칠해요.',
};

const all: Readonly<Record<Language, ArcsStrings>> = {
  en: { ...viewStringsFor('en'), ...en },
  ko: { ...viewStringsFor('ko'), ...ko },
};

export const stringsFor = (language: Language): ArcsStrings => all[language];
