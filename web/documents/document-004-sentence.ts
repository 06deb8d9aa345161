import { openSentence } from '../sources/random-words.js';
import { attendToSentence } from './sentence.js';
import { sentences } from './sentences.js';
import type { Example } from './types.js';

const sentence = sentences['004-sentence'];
const text = sentence.replaceAll('.', '');

export const document004Sentence: Example = {
  info: {
    id: '004-sentence',
    source: '004_19f512885b0735ab.txt, line 7',
    title: { ko: '매트 위의 고양이, 영어 문장', en: 'The cat on the mat, in English' },
    sentence,
    lang: 'en',
  },
  open: (module, heads) => openSentence(module, text, heads),
  run: (module) => ({
    ...attendToSentence(module, text),
    note: {
      ko:
        '문서는 이 문장의 수치를 주지 않아요. 문서 001의 방식(난수 벡터와 난수 투영, 시드 0)으로 계산했으며 ' +
        '학습된 값이 아니므로 "it"이 고양이를 가리킨다는 것을 알지 못해요. ' +
        '문장 끝의 마침표는 001 A처럼 떼어 냈어요. 001 B의 코드는 떼지 않아요.',
      en:
        'The document gives no numbers for this sentence. These come from the pipeline of document 001 (random vectors ' +
        'and projections, seed 0): nothing is trained, so no head knows that "it" is the cat. ' +
        "The final period is taken off, as in 001 A; 001 B's code keeps it.",
    },
  }),
};
