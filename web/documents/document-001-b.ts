import type { AttentionModule } from '../api/load.js';
import { type HeadCounts, type Opened, openSentence } from '../sources/random-words.js';
import { forwardOnce } from './layers.js';
import { strongestPerHead } from './rows.js';
import { sentences } from './sentences.js';
import type { Example, Row } from './types.js';

const sentence = sentences['001-b'];

/** The document prints these "key weights" of every token in turn, head by head. */
const printedHeads = [
  'the 0.18, the 0.14, up 0.23, suddenly 0.40, the 0.17, the 0.23, the 0.18, on 0.58, the 0.14, the 0.17, on 0.28',
  'was 0.17, the 0.36, mat 0.34, on 0.26, was 0.65, was 0.54, was 0.17, suddenly 0.20, woke 0.63, was 0.54, was 0.74',
  'on 0.28, the 0.16, the 0.33, on 0.14, on 0.46, was 0.14, on 0.28, suddenly 0.43, woke 0.14, on 0.33, was 0.22',
  'mat 0.32, on 0.18, woke 0.33, the 0.11, mat 0.22, mat 0.25, mat 0.32, on 0.26, on 0.20, sleeping 0.30, on 0.38',
];

function printedRows(tokens: readonly string[]): Row[] {
  return printedHeads.flatMap((line, h) =>
    line.split(', ').map((cell, i) => {
      const [key, weight] = cell.split(' ') as [string, string];
      return { head: h + 1, query: tokens[i] ?? '', key, weight: Number(weight) };
    }),
  );
}

const open = (module: AttentionModule, heads?: HeadCounts): Opened => openSentence(module, sentence, heads);

export const document001B: Example = {
  info: {
    id: '001-b',
    source: '001_7657d39e3eb5ff13.txt, lines 94-124 and 140-210',
    title: { ko: '고양이 문장, 헤드 4개', en: 'The cat sentence, four heads' },
    sentence,
    lang: 'en',
  },
  open,
  run(module) {
    const opened = open(module);
    const { tokens, x } = opened;
    const { weights, output } = forwardOnce(opened);
    const computed = strongestPerHead(weights, tokens);
    const printed = printedRows(tokens);
    return {
      tokens,
      tensors: { x, weights, output },
      computed,
      printed,
      digits: 2,
      note: {
        ko:
          '단어 벡터(RandomState 0)와 헤드의 투영(default_rng 0)은 난수이며 학습된 값이 아니에요. ' +
          '문서의 코드를 그대로 실행한 값과 문서에 실린 (단어, 가중치) 44개는 하나도 일치하지 않아요.',
        en:
          'Word vectors (RandomState 0) and projections (default_rng 0) are random: nothing is trained. ' +
          "Of the 44 printed (word, weight) pairs none is what the document's own code gives.",
      },
    };
  },
};
