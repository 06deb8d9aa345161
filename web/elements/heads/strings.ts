import type { HeadRoles } from '../../index.js';
import type { Language } from '../base/language.js';
import { type Strings, stringsFor as viewStringsFor } from '../sentence-view/strings.js';

const en = {
  heads: 'Choose a head',
  maximum: (weight: string) => `max ${weight}`,
  layer: (layer: number) => `L ${layer}`,
  allHeads: (layers: number, heads: number) => `All heads: ${layers} layers (rows) of ${heads} heads`,
  chooseWord: 'Choose a word of the sentence to list its strongest heads here.',
  hardest: (word: string) => `Heads with the largest weight from “${word}” to another word`,
  hardestAt: (word: string) => `Heads that look hardest at “${word}”`,
  joining: (query: string, key: string) => `Strongest heads for “${query}” → “${key}”`,
  role: {
    previousToken: 'previous word',
    nextToken: 'next word',
    self: 'itself',
    firstToken: 'first word',
    sameWord: 'same word',
    punctuation: 'punctuation',
    rareWord: 'rare word',
    neighbourhood: 'near (±2)',
    entropy: 'spread',
  },
  order: 'Order',
  byLayer: 'by layer',
  oneLayer: 'The text is too long to show all layers at once: only the chosen layer is.',
  bars: 'The bar below a head is the chosen word’s largest weight in it, from 0 to 1.',
};

export type HeadsStrings = Strings & typeof en;

const ko: typeof en = {
  heads: '헤드 고르기',
  maximum: (weight) => `최대 ${weight}`,
  layer: (layer) => `${layer}층`,
  allHeads: (layers, heads) => `모든 헤드: 층 ${layers}개(행) × 헤드 ${heads}개`,
  chooseWord: '문장의 단어를 고르면 그 단어에서 가중치가 가장 큰 헤드가 여기에 나와요.',
  hardest: (word) => `‘${word}’에서 다른 단어로 가는 가중치가 가장 큰 헤드`,
  hardestAt: (word) => `‘${word}’ 단어를 가장 많이 보는 헤드`,
  joining: (query, key) => `‘${query}’ → ‘${key}’ 연결이 강한 헤드`,
  role: {
    previousToken: '바로 앞',
    nextToken: '바로 뒤',
    self: '자기 자신',
    firstToken: '첫 단어',
    sameWord: '같은 단어',
    punctuation: '문장 부호',
    rareWord: '드문 단어',
    neighbourhood: '가까이(±2)',
    entropy: '퍼진 정도',
  },
  order: '순서',
  byLayer: '층 순서대로',
  oneLayer: '글이 길어서 모든 층을 한꺼번에 그리지 않고 고른 층만 보여 줘요.',
  bars: '헤드 아래 막대는 고른 단어의 가장 큰 가중치예요. 가득 차면 1이에요.',
};

const all: Readonly<Record<Language, HeadsStrings>> = {
  en: { ...viewStringsFor('en'), ...en },
  ko: { ...viewStringsFor('ko'), ...ko },
};

export const stringsFor = (language: Language): HeadsStrings => all[language];

/** The role scores, in the order in which they are shown. */
export const ROLES: readonly (keyof HeadRoles)[] = [
  'previousToken',
  'nextToken',
  'self',
  'firstToken',
  'sameWord',
  'punctuation',
  'rareWord',
  'neighbourhood',
  'entropy',
];
