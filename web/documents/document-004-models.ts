import { type Split, splitRows } from './rows.js';
import type { Example } from './types.js';

const printed: Split[] = [
  { model: 'Transformer (원본)', heads: 8, embedDim: 512, headDim: 64, layers: 6 },
  { model: 'BERT-base', heads: 12, embedDim: 768, headDim: 64, layers: 12 },
  { model: 'BERT-large', heads: 16, embedDim: 1024, headDim: 64, layers: 24 },
  { model: 'GPT-2', heads: 12, embedDim: 768, headDim: 64, layers: 12 },
  { model: 'GPT-3 (175B)', heads: 96, embedDim: 12288, headDim: 128, layers: 96 },
  { model: 'Llama 2 (7B)', heads: 32, embedDim: 4096, headDim: 128, layers: 32 },
  { model: 'Llama 2 (70B)', heads: 64, embedDim: 8192, headDim: 128, layers: 80 },
];

export const document004Models: Example = {
  info: {
    id: '004-models',
    source: '004_19f512885b0735ab.txt, lines 30-43',
    title: { ko: '실제 모델들의 헤드 설정', en: 'Head settings of real models' },
  },
  run() {
    const computed = splitRows(printed);
    return {
      computed,
      printed,
      note: {
        ko: '일곱 행 모두 d_model = 헤드 수 × d_k가 성립해요. 문서에 실린 두 수를 곱했고, 모델을 내려받거나 학습하지 않았어요.',
        en:
          'd_model = heads × d_k holds in all seven rows. It is the product of the two printed numbers: no model was ' +
          'downloaded or trained.',
      },
    };
  },
};
