import type { Language } from '../base/language.js';
import { type Strings, stringsFor as viewStringsFor } from '../sentence-view/strings.js';

const en = {
  words: 'Words of the sentence',
  keyWords: 'Words that are looked at (keys)',
  queryWords: 'Words that look (queries)',
  lookedAtMostBy: (query: string, weight: string) => `looked at most by “${query}” ${weight}`,
  directionOfRows: 'The words below look at the words above.',
  directionOfColumns: 'The words on the right look at the words on the left.',
  directionOfTexts: 'The second text looks at the first. Choose a word of either to see its weights.',
  looksMostAt: (key: string, weight: string) => `looks most at “${key}” ${weight}`,
  directionInRow: 'Arcs above lead to later words, arcs below to earlier ones.',
  directionInColumn: 'Arcs on the right lead to later words, arcs on the left to earlier ones.',
  directionInText:
    'Point at a word or click it: the more it looks at another word, the stronger that one is painted.',
};

export type ArcsStrings = Strings & typeof en;

const ko: typeof en = {
  words: '문장의 단어',
  keyWords: '보이는 쪽의 단어(키)',
  queryWords: '보는 쪽의 단어(쿼리)',
  lookedAtMostBy: (query, weight) => `가장 많이 보는 쪽 ‘${query}’ ${weight}`,
  directionOfRows: '아래쪽 단어가 위쪽 단어를 봐요.',
  directionOfColumns: '오른쪽 단어가 왼쪽 단어를 봐요.',
  directionOfTexts:
    '두 번째 글의 단어가 첫 번째 글의 단어를 봐요. 어느 쪽이든 단어를 고르면 가중치가 보여요.',
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
