/**
 * What is drawn of heads in place of their weights: what they pass on, or what the weights come to through the layers. Loaded once
 * a figure asks for it.
 */
import { rollout } from '../../api/rollout.js';
import { item } from '../../api/shape.js';
import { type Figure, Layers } from '../../sources/figure.js';
import type { Language } from '../base/language.js';
import type { Problem } from '../base/problem.js';
import { formatWeight } from '../base/strings.js';
import type { Selection } from './selection.js';
import type { ArcsStrings } from '../arcs/strings.js';
import type { ExplorerStrings } from '../explorer/strings.js';
import type { HeadsStrings } from '../heads/strings.js';
import { by, inText, type Strings } from './strings.js';

/** Values of the attribute `show`. */
const SHOWS = ['weights', 'value-weighted', 'rollout'] as const;

type Shares = Exclude<(typeof SHOWS)[number], 'weights'>;

/** Each row divided by its sum. */
function shares(figure: Figure): Figure {
  const values = Float32Array.from(figure.values());
  for (let start = 0; start < values.length; start += figure.keys) {
    const row = values.subarray(start, start + figure.keys);
    const sum = row.reduce((total, value) => total + value, 0);
    if (sum > 0) row.forEach((value, key) => (row[key] = value / sum));
  }
  return figure.with(values);
}

function rolledOut(layers: Layers): Layers | null {
  const figures = layers.all();
  const [first] = figures;
  if (!first || first.isOfTwo || figures.length < layers.count) return null;
  const { size } = first;
  const tensors = rollout(
    figures.map((figure) => ({ data: figure.values(), shape: [figure.heads, size, size] })),
  );
  return new Layers(layers.count, (layer) =>
    item(figures, layer).with(item(tensors, layer).data, ['rollout']),
  );
}

const kept = new WeakMap<Layers, Map<Shares, Layers | null>>();

/**
 * The layers with what is to be shown in place of their weights: shares of what is passed on, which sum to 1 as weights do, or
 * one head a layer for rollout. null where that is not known: without a model, and of rollout for two texts and for layers
 * of which some are left out.
 */
export function shownLayers(layers: Layers, show: Shares): Layers | null {
  if (!SHOWS.includes(show)) return null;
  const all = kept.get(layers) ?? new Map<Shares, Layers | null>();
  kept.set(layers, all);
  const shown = all.get(show);
  if (shown !== undefined) return shown;
  const made = show === 'rollout' ? rolledOut(layers) : (layers.passed?.map(shares) ?? null);
  all.set(show, made);
  return made;
}

/** Sentences of shares. */
const sentences: Readonly<Record<Language, Partial<ArcsStrings & HeadsStrings>>> = {
  en: {
    matrix: (head) => `Shares of ${head.toLowerCase()}: rows are queries, columns are keys`,
    describeHead: (head, query, key, share) =>
      `${head}: the largest share between different words is “${query}” → “${key}” ${share}.`,
    describeHeadOfTwo: (head, query, key, share) =>
      `${head}: the largest share is “${query}” → “${key}” ${share}.`,
    describeWord: (head, query, key, share) =>
      `In ${inText(head)}, “${query}” takes most from “${key}” (${share}).`,
    describeKey: (head, key, query, share) =>
      `In ${inText(head)}, of all words “${query}” takes most from “${key}” (${share}).`,
    describeKeyNone: (head, key) => `In ${inText(head)}, no word takes anything from “${key}”.`,
    describeSelf: (head, query, key, share, self) =>
      `In ${inText(head)}, “${query}” takes most from itself (${self}). Of the other words, “${key}” is largest with ${share}.`,
    describeAlone: (head, query, self) =>
      `In ${inText(head)}, “${query}” has only itself to take from (${self}).`,
    describeNone: (head, query) => `In ${inText(head)}, “${query}” takes nothing: its shares are all 0.`,
    dataTableCaption: (head) => `All shares of ${head.toLowerCase()} (rows: queries, columns: keys)`,
    tableOfWord: (word) => `All shares of what “${word}” takes (rows: keys)`,
    difference: 'Difference of shares',
    matrixOfDifference: (head, other) =>
      `Difference of shares, ${head.toLowerCase()} − ${other.toLowerCase()}: rows are queries, columns are keys`,
    tableOfDifference: (name) => `${name}: all differences of shares (rows: queries, columns: keys)`,
    lookedAtMostBy: (query, share) => `gives most to “${query}” ${share}`,
    looksMostAt: (key, share) => `takes most from “${key}” ${share}`,
    chooseWord: 'Choose a word of the sentence to list here the heads in which it takes most.',
    hardest: (word) => `Heads in which “${word}” takes most from another word`,
    hardestAt: (word) => `Heads in which most is taken from “${word}”`,
    bars: 'The bar below a head is the chosen word’s largest share in it, from 0 to 1.',
  },
  ko: {
    matrix: (head) => `${head}의 몫: 행은 쿼리, 열은 키`,
    describeHead: (head, query, key, share) =>
      `${head}에서 가장 큰 몫: ‘${query}’ → ‘${key}’ ${share} (자기 자신 제외).`,
    describeHeadOfTwo: (head, query, key, share) => `${head}에서 가장 큰 몫: ‘${query}’ → ‘${key}’ ${share}.`,
    describeWord: (head, query, key, share) =>
      `${head}의 ‘${query}’에서는 ‘${key}’에서 받는 몫이 ${by(share)} 가장 커요.`,
    describeKey: (head, key, query, share) =>
      `${head}에서 ‘${key}’ 단어에서 가장 많이 받는 단어: ‘${query}’ ${share}.`,
    describeKeyNone: (head, key) => `${head}에는 ‘${key}’ 단어에서 받는 단어가 없어요.`,
    describeSelf: (head, query, key, share, self) =>
      `${head}의 ‘${query}’에서는 자기 자신에게서 받는 몫이 ${by(self)} 가장 커요. 다른 단어 가운데는 ‘${key}’에서 받는 몫이 ${by(share)} 가장 커요.`,
    describeAlone: (head, query, self) =>
      `${head}의 ‘${query}’에서는 자기 자신에게서만 받을 수 있어요(${self}).`,
    describeNone: (head, query) => `${head}의 ‘${query}’에서는 받는 것이 없어서 몫이 모두 0이에요.`,
    dataTableCaption: (head) => `${head}의 모든 몫 (행: 쿼리, 열: 키)`,
    tableOfWord: (word) => `‘${word}’ 단어가 받는 모든 몫 (행: 키)`,
    difference: '몫의 차이',
    matrixOfDifference: (head, other) => `몫의 차이, ${head} − ${other}: 행은 쿼리, 열은 키`,
    tableOfDifference: (name) => `${name}: 모든 몫의 차이 (행: 쿼리, 열: 키)`,
    lookedAtMostBy: (query, share) => `가장 많이 받는 쪽 ‘${query}’ ${share}`,
    looksMostAt: (key, share) => `가장 많이 주는 단어 ‘${key}’ ${share}`,
    chooseWord: '문장의 단어를 고르면 그 단어가 가장 많이 받는 헤드가 여기에 나와요.',
    hardest: (word) => `‘${word}’ 단어가 다른 단어에서 가장 많이 받는 헤드`,
    hardestAt: (word) => `‘${word}’ 단어에서 가장 많이 받는 헤드`,
    bars: '헤드 아래 막대는 고른 단어의 가장 큰 몫이에요. 가득 차면 1이에요.',
  },
};

const legends: Readonly<Record<Language, Readonly<Record<Shares, string>>>> = {
  en: { 'value-weighted': 'Share of what is passed on', rollout: 'Share of what a word is made of' },
  ko: { 'value-weighted': '전해지는 값의 몫', rollout: '단어를 이루는 몫' },
};

const rankings: Readonly<Record<Language, Pick<ExplorerStrings['ranking'], 'ofQuery' | 'ofKey'>>> = {
  en: {
    ofQuery: (word) => `“${word}” takes most from`,
    ofKey: (word) => `Words that take most from “${word}”`,
  },
  ko: {
    ofQuery: (word) => `‘${word}’ ← 가장 많이 주는 단어`,
    ofKey: (word) => `‘${word}’ → 가장 많이 받는 단어`,
  },
};

/** The texts of a view that shows shares. */
export const sharesStrings = <Own extends Strings>(strings: Own, language: Language, show: Shares): Own => ({
  ...strings,
  ...sentences[language],
  legend: legends[language][show],
  ranking: rankings[language],
});

const notes = {
  en: (query: string, key: string, weight: string, share: string) =>
    `“${key}” gets ${weight} of the weight of “${query}”, and gives ${share} of what is passed on to it.`,
  ko: (query: string, key: string, weight: string, share: string) =>
    `‘${query}’에서 본 ‘${key}’의 몫: 가중치는 ${weight}, 전해 받는 값은 ${share}.`,
};

/** How what is passed on differs from the weights, for the key that has the largest weight; '' where all are 0. */
export function passedNote(
  layers: Layers | undefined,
  shares: Figure | null,
  { shownLayer, shownHead: head, shown }: Selection,
  language: Language,
): string {
  const weights = layers?.figure(shownLayer);
  if (!weights || !shares || !(head in weights.headNames)) return '';
  const query = shown.query ?? weights.strongestPairs(head)[0]?.query;
  const most = query === undefined ? undefined : weights.ranking(head, query)[0];
  if (!most || most.weight === 0) return '';
  return notes[language](
    weights.quoted(most.query),
    weights.quotedKey(most.key),
    formatWeight(most.weight),
    formatWeight(shares.at(head, most.query, most.key)),
  );
}

const unknown: Readonly<Record<Language, Readonly<Record<Shares | 'waiting', string>>>> = {
  en: {
    'value-weighted':
      'These weights do not tell what is passed on: a model does, or data and files with valueWeighted.',
    rollout: 'Rollout needs the weights of one text in all layers.',
    waiting: 'What is passed on is computed by the model: load it.',
  },
  ko: {
    'value-weighted':
      '이 가중치로는 무엇이 전해지는지 알 수 없어요. 모델을 쓰거나, 데이터나 파일에 valueWeighted를 넣어 주세요.',
    rollout: '롤아웃을 보려면 한 글의 모든 층 가중치가 있어야 해요.',
    waiting: '전하는 값은 모델이 계산해요. 모델을 불러와 주세요.',
  },
};

/**
 * Why shares cannot be shown; null where they can, and before there are layers.
 *
 * @param model which computes the layers: what is passed on comes with its next answer, for which one may wait that a reader
 *   has not loaded; `none` of given layers
 */
export function problemOf(
  show: Shares,
  layers: Layers | undefined,
  model: 'none' | 'waiting' | 'computing',
  language: Language,
): Problem | null {
  if (!SHOWS.includes(show)) {
    return { argument: 'show', message: ({ badName }) => badName('show', show, SHOWS) };
  }
  if (!layers || shownLayers(layers, show)) return null;
  if (model === 'none' || show !== 'value-weighted')
    return { argument: 'show', message: () => unknown[language][show] };
  return model === 'waiting' ? { argument: 'show', message: () => unknown[language].waiting } : null;
}
