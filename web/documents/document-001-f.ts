import type { AttentionModule } from '../api/load.js';
import {
  embed,
  type HeadCounts,
  NUM_HEADS,
  type Opened,
  randomLayer,
  tokenize,
  WIDTH,
} from '../sources/random-words.js';
import { forwardOnce, plainLayer } from './layers.js';
import { strongestPairs } from './rows.js';
import { sentences } from './sentences.js';
import type { Example, Row } from './types.js';

const sentence = sentences['001-f'];

const printedSingle = [
  'the->the 0.11',
  'bank->the 0.09',
  'officer->the 0.09',
  'who->the 0.10',
  'was->the 0.08',
  'reviewing->the 0.08',
  'the->the 0.11',
  'loan->the 0.09',
  'application->the 0.09',
  'the->the 0.11',
  'customer->the 0.09',
  'submitted->the 0.09',
];
const printedHead1 = [
  'the->officer 0.09',
  'bank->officer 0.09',
  'officer->bank 0.09',
  'who->officer 0.09',
  'was->reviewing 0.08',
  'reviewing->was 0.09',
  'the->loan 0.09',
  'loan->application 0.09',
  'application->loan 0.09',
  'the->customer 0.08',
  'customer->submitted 0.08',
  'submitted->customer 0.08',
];

function printedRows(head: string | number, lines: readonly string[]): Row[] {
  return lines.map((line) => {
    const [query, key, weight] = line.split(/->| /) as [string, string, string];
    return { head, query, key, weight: Number(weight) };
  });
}

function open(
  module: AttentionModule,
  { numHeads = NUM_HEADS, numKvHeads = numHeads }: HeadCounts = {},
): Required<Opened> {
  const tokens = tokenize(sentence);
  return {
    tokens,
    x: embed(module, tokens, 123, 0.4),
    layer: randomLayer(module, numHeads, 123, numKvHeads),
    single: plainLayer(module),
    headDim: WIDTH / numHeads,
    anyHeads: true,
  };
}

export const document001F: Example = {
  info: {
    id: '001-f',
    source: '001_7657d39e3eb5ff13.txt, lines 330-398',
    title: { ko: '긴 문장: 헤드 1개와 4개', en: 'A long sentence: one head and four' },
    sentence,
    lang: 'en',
  },
  open,
  run(module) {
    const opened = open(module);
    const { tokens, x, single } = opened;
    const { weights: singleWeights } = forwardOnce({ ...opened, layer: single });
    const { weights, output } = forwardOnce(opened);
    // The document prints 12 pairs: two for each of the first six tokens.
    const first12 = (head: string | number, maps: typeof weights): Row[] =>
      strongestPairs(maps, 0, tokens, 2)
        .slice(0, 12)
        .map((pair) => ({ head, ...pair }));
    const computed = [...first12('single', singleWeights), ...first12(1, weights)];
    const printed = [...printedRows('single', printedSingle), ...printedRows(1, printedHead1)];
    return {
      tokens,
      tensors: { x, weights, output, singleWeights },
      computed,
      printed,
      digits: 2,
      note: {
        ko:
          '단어 벡터(RandomState 123)와 투영(default_rng 123)은 난수이며 학습된 값이 아니에요. ' +
          '코드는 앞의 토큰 6개를 두 줄씩 출력하지만 문서에는 토큰 12개가 한 줄씩 있어요. ' +
          '위치 정보가 없어 "the"의 세 행은 완전히 같아야 하므로, 문서에 실린 헤드 1은 나올 수 없는 값이에요.',
        en:
          'Word vectors (RandomState 123) and projections (default_rng 123) are random: nothing is trained. ' +
          'The code prints two lines for each of the first six tokens, the document shows one line for each of twelve. ' +
          'Without positions the three rows of "the" are equal, so the printed head 1 cannot come from this code.',
      },
    };
  },
};
