/** Sizes of the models in documents 000 and 004, and of PaLM, which has a single key/value head. */
import type { Sizes } from './layer.js';

export interface Model {
  readonly id: string;
  readonly name: string;
  readonly sizes: Sizes;
  /** Number of the model's attention layers that have these sizes. */
  readonly layers: number;
  /** Sources of the sizes: a document of this library and the paper. */
  readonly document: '000' | '004' | null;
  readonly paper: string;
  /** Which note to show: about the batch, the head dimension or the length. */
  readonly note?: 'windows' | 'freeHeadDim' | 'documentLength';
}

type Chosen = Pick<Sizes, 'embedDim' | 'numHeads' | 'length'> & Partial<Sizes>;
type Source = Pick<Model, 'document' | 'paper' | 'note'>;

const model = (id: string, name: string, layers: number, chosen: Chosen, source: Source): Model => ({
  ...{ id, name, layers, ...source },
  sizes: {
    ...{ kvHeads: null, headDim: null, valueHeadDim: null, keys: null },
    ...{ batch: 1, withoutBias: false },
    ...chosen,
  },
});

const of004 = (paper: string): Source => ({ document: '004', paper });

/** A ViT: length is 14 × 14 patches of a picture of 224 × 224 pixels, and the class token. */
const vit = (id: string, name: string, embedDim: number, numHeads: number, layers: number, paper: string) =>
  model(id, name, layers, { embedDim, numHeads, length: 197 }, { document: '000', paper });

/** A Swin stage: length is a window of 7 × 7 patches, and each window is an item of the batch. */
const swin = (stage: number, layers: number): Model => {
  const times = 2 ** (stage - 1);
  const sizes = { embedDim: 96 * times, numHeads: 3 * times, length: 49, batch: 4 ** (4 - stage) };
  const source: Source = { document: '000', paper: 'Liu et al. 2021', note: 'windows' };
  return model(`swin-t-${stage}`, `Swin-T, stage ${stage}`, layers, sizes, source);
};

const bert = { embedDim: 768, numHeads: 12, length: 512 };
const llama = { embedDim: 4096, numHeads: 32, length: 4096, withoutBias: true };

export const MODELS: readonly Model[] = [
  vit('vit-small', 'ViT-Small', 384, 6, 12, 'Touvron et al. 2021 (DeiT-S)'),
  vit('vit-base', 'ViT-Base', 768, 12, 12, 'Dosovitskiy et al. 2021'),
  vit('vit-large', 'ViT-Large', 1024, 16, 24, 'Dosovitskiy et al. 2021'),
  swin(1, 2),
  swin(2, 2),
  swin(3, 6),
  swin(4, 2),
  model(
    ...(['transformer', 'Transformer', 6] as const),
    { embedDim: 512, numHeads: 8, length: 10, batch: 2, withoutBias: true },
    { ...of004('Vaswani et al. 2017'), note: 'documentLength' },
  ),
  model('bert-base', 'BERT-base', 12, bert, of004('Devlin et al. 2019')),
  model(
    ...(['bert-large', 'BERT-large', 24] as const),
    { ...bert, embedDim: 1024, numHeads: 16 },
    of004('Devlin et al. 2019'),
  ),
  model('gpt-2', 'GPT-2 small', 12, { ...bert, length: 1024 }, of004('Radford et al. 2019')),
  model(
    ...(['gpt-3', 'GPT-3 (175B)', 96] as const),
    { embedDim: 12_288, numHeads: 96, length: 2048 },
    of004('Brown et al. 2020'),
  ),
  model('llama-2-7b', 'Llama 2 (7B)', 32, llama, of004('Touvron et al. 2023')),
  model(
    ...(['llama-2-70b', 'Llama 2 (70B), GQA', 80] as const),
    { ...llama, embedDim: 8192, numHeads: 64, kvHeads: 8 },
    of004('Touvron et al. 2023'),
  ),
  model(
    ...(['palm-540b', 'PaLM (540B), MQA', 118] as const),
    { embedDim: 18_432, numHeads: 48, kvHeads: 1, headDim: 256, length: 2048, withoutBias: true },
    { document: null, paper: 'Chowdhery et al. 2022', note: 'freeHeadDim' },
  ),
];
