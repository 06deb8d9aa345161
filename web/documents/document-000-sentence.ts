import { openSentence } from '../sources/random-words.js';
import { attendToSentence } from './sentence.js';
import { sentences } from './sentences.js';
import type { Example } from './types.js';

const sentence = sentences['000-sentence'];

export const document000Sentence: Example = {
  info: {
    id: '000-sentence',
    source: '000_d59a65f25a2204b1.txt, line 20',
    title: { ko: '매트 위의 고양이', en: 'The cat on the mat, in Korean' },
    sentence,
    lang: 'ko',
  },
  open: (module, heads) => openSentence(module, sentence, heads),
  run: (module) => ({
    ...attendToSentence(module, sentence),
    note: {
      ko:
        '문서는 이 문장의 수치를 주지 않아요. 문서 001의 방식(난수 벡터와 난수 투영, 시드 0)으로 계산했으며 ' +
        '학습된 값이 아니므로 문법·위치·의미 관계를 나타내지 않아요.',
      en:
        'The document gives no numbers for this sentence. These come from the pipeline of document 001 (random vectors ' +
        'and projections, seed 0): nothing is trained, so they show no grammar, place or meaning.',
    },
  }),
};
