/** Sizes of the models in documents 000 and 004, and of PaLM, which has a single key/value head. */
import type { Sizes } from './sizes.js';

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

const sizes = (chosen: Chosen): Sizes => ({
  kvHeads: null,
  headDim: null,
  valueHeadDim: null,
  keys: null,
  batch: 1,
  withoutBias: false,
  ...chosen,
});

const VIT = 'Dosovitskiy et al. 2021';
/** A ViT: length is 14 × 14 patches of a picture of 224 × 224 pixels, and the class token. */
const vit = (id: string, name: string, embedDim: number, numHeads: number, layers: number): Model => ({
  id,
  name,
  sizes: sizes({ embedDim, numHeads, length: 197 }),
  layers,
  document: '000',
  paper: id === 'vit-small' ? 'Touvron et al. 2021 (DeiT-S)' : VIT,
});

/** A Swin stage: length is a window of 7 × 7 patches, and each window is an item of the batch. */
const swin = (stage: number, layers: number): Model => ({
  id: `swin-t-${stage}`,
  name: `Swin-T, stage ${stage}`,
  sizes: sizes({
    embedDim: 96 * 2 ** (stage - 1),
    numHeads: 3 * 2 ** (stage - 1),
    length: 49,
    batch: 4 ** (4 - stage),
  }),
  layers,
  document: '000',
  paper: 'Liu et al. 2021',
  note: 'windows',
});

export const MODELS: readonly Model[] = [
  vit('vit-small', 'ViT-Small', 384, 6, 12),
  vit('vit-base', 'ViT-Base', 768, 12, 12),
  vit('vit-large', 'ViT-Large', 1024, 16, 24),
  swin(1, 2),
  swin(2, 2),
  swin(3, 6),
  swin(4, 2),
  {
    id: 'transformer',
    name: 'Transformer',
    sizes: sizes({ embedDim: 512, numHeads: 8, length: 10, batch: 2, withoutBias: true }),
    layers: 6,
    document: '004',
    paper: 'Vaswani et al. 2017',
    note: 'documentLength',
  },
  {
    id: 'bert-base',
    name: 'BERT-base',
    sizes: sizes({ embedDim: 768, numHeads: 12, length: 512 }),
    layers: 12,
    document: '004',
    paper: 'Devlin et al. 2019',
  },
  {
    id: 'bert-large',
    name: 'BERT-large',
    sizes: sizes({ embedDim: 1024, numHeads: 16, length: 512 }),
    layers: 24,
    document: '004',
    paper: 'Devlin et al. 2019',
  },
  {
    id: 'gpt-2',
    name: 'GPT-2 small',
    sizes: sizes({ embedDim: 768, numHeads: 12, length: 1024 }),
    layers: 12,
    document: '004',
    paper: 'Radford et al. 2019',
  },
  {
    id: 'gpt-3',
    name: 'GPT-3 (175B)',
    sizes: sizes({ embedDim: 12_288, numHeads: 96, length: 2048 }),
    layers: 96,
    document: '004',
    paper: 'Brown et al. 2020',
  },
  {
    id: 'llama-2-7b',
    name: 'Llama 2 (7B)',
    sizes: sizes({ embedDim: 4096, numHeads: 32, length: 4096, withoutBias: true }),
    layers: 32,
    document: '004',
    paper: 'Touvron et al. 2023',
  },
  {
    id: 'llama-2-70b',
    name: 'Llama 2 (70B), GQA',
    sizes: sizes({ embedDim: 8192, numHeads: 64, kvHeads: 8, length: 4096, withoutBias: true }),
    layers: 80,
    document: '004',
    paper: 'Touvron et al. 2023',
  },
  {
    id: 'palm-540b',
    name: 'PaLM (540B), MQA',
    sizes: sizes({
      embedDim: 18_432,
      numHeads: 48,
      kvHeads: 1,
      headDim: 256,
      length: 2048,
      withoutBias: true,
    }),
    layers: 118,
    document: null,
    paper: 'Chowdhery et al. 2022',
    note: 'freeHeadDim',
  },
];

export const modelOf = (id: string | null): Model | undefined => MODELS.find((model) => model.id === id);
