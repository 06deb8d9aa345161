import { scoped } from '../api/handle.js';
import { type AttentionParameters, classifier, gpt2, swin, vit } from './model-parameters.js';
import { type Split, splitRows } from './rows.js';
import type { Example, Row } from './types.js';

/** The printed table; its row for Swin-T (96→768, 3→24 heads) has the first and last of four stages. */
const printedSplits: Split[] = [
  { model: 'ViT-Small', heads: 6, headDim: 64, embedDim: 384 },
  { model: 'ViT-Base', heads: 12, headDim: 64, embedDim: 768 },
  { model: 'ViT-Large', heads: 16, headDim: 64, embedDim: 1024 },
  { model: 'Swin-T stage1', heads: 3, headDim: 32, embedDim: 96 },
  { model: 'Swin-T stage2', heads: 6, headDim: 32, embedDim: 192 },
  { model: 'Swin-T stage3', heads: 12, headDim: 32, embedDim: 384 },
  { model: 'Swin-T stage4', heads: 24, headDim: 32, embedDim: 768 },
  { model: 'GPT-2', heads: 12, headDim: 64, embedDim: 768 },
];

const printedSizes: Row[] = [
  { model: 'ViT-Small', millions: 22 },
  { model: 'ViT-Base', millions: 86 },
  { model: 'ViT-Large', millions: 307 },
  { model: 'Swin-T', millions: 28 },
  { model: 'GPT-2', millions: 117 },
];

function sizes(attention: AttentionParameters): Row[] {
  const vision = (model: string, dim: number, layers: number, heads: number) => {
    const parameters = vit(dim, layers, heads, attention);
    return { model, parameters, withClassifier: parameters + classifier(dim) };
  };
  const rows = [
    vision('ViT-Small', 384, 12, 6),
    vision('ViT-Base', 768, 12, 12),
    vision('ViT-Large', 1024, 24, 16),
    { model: 'Swin-T', parameters: swin([2, 2, 6, 2], 96, 3, attention) },
    { model: 'GPT-2', parameters: gpt2(768, 12, 12, attention) },
  ];
  return rows.map((row) => ({ ...row, millions: row.parameters / 1e6 }));
}

export const document000Models: Example = {
  info: {
    id: '000-models',
    source: '000_d59a65f25a2204b1.txt, lines 272-282',
    title: { ko: '모델별 설정과 파라미터 수', en: 'Settings and sizes of models' },
  },
  run(module) {
    const attention: AttentionParameters = (embedDim, numHeads) =>
      scoped(new module.MultiHeadAttention({ embedDim, numHeads }), (layer) => layer.parameterCount);
    const computed = [...splitRows(printedSplits), ...sizes(attention)];
    const printed = [...printedSplits, ...printedSizes];
    return {
      computed,
      printed,
      note: {
        ko:
          '모든 행에서 embed_dim = 헤드 수 × head_dim이 성립해요. 파라미터 수는 내려받은 모델이 아니라 논문의 구조에서 ' +
          '공식으로 센 값이고, 어텐션 층의 파라미터는 이 라이브러리의 층에서 셌어요. 학습하지 않았어요. ViT-Small, ViT-Base, Swin-T는 ' +
          '백만 단위로 반올림하면 문서에 실린 값과 같고, ViT-Large(약 307M)와 GPT-2(약 117M)는 달라요. ' +
          'ViT는 분류기를 뺀 값으로 비교했고, 분류기(1000 클래스)를 넣은 값은 withClassifier에 있어요.',
        en:
          'embed_dim = heads × head_dim holds in every row. The parameters are counted by formula from the published ' +
          "structures, not from downloaded models; the attention layers' part is this library's count; nothing is trained. " +
          'Rounded to millions, ViT-Small, ViT-Base and Swin-T are as printed; ViT-Large (~307M) and GPT-2 (~117M) are not. The ' +
          'ViTs are compared without their classifier; with the one of 1000 classes they are in withClassifier.',
      },
    };
  },
};
