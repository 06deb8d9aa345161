import { type AttentionModule, load, type MultiHeadAttention, type Tensor } from 'multihead-attention';
import { type DocumentId, type DocumentInfo, documents } from 'multihead-attention/documents';
import manifest from 'multihead-attention/custom-elements.json' with { type: 'json' };
import type { FigureData, MhaIntrinsicElements, MhaSelectDetail } from 'multihead-attention/elements';
import { exerciseProgress, MhaExplorer } from 'multihead-attention/elements';
import { MhaSteps } from 'multihead-attention/elements/steps';
import { type AttentionFile, loadModel, type Model, type WorkerModel } from 'multihead-attention/models';
import { loadTraining, type TrainingModule, VOCABULARY } from 'multihead-attention/training';
import type * as standalone from 'multihead-attention/standalone';

const module: AttentionModule = await load({
  wasm: new URL(import.meta.resolve('multihead-attention/wasm/simd.wasm')),
});
const model: string = import.meta.resolve('multihead-attention/data/sentences/model.safetensors');

const { tokens = [], tensors } = documents.run('001-b');
const weights: Tensor | undefined = tensors['weights'];
if (!weights) throw new Error('no weights');
export const examples: readonly DocumentInfo[] = documents.list();
const figure: FigureData = { tokens, weights };

/** What a page would do; Node has no document. */
export function draw(explorer: MhaExplorer, steps: MhaSteps): void {
  explorer.data = figure;
  explorer.addEventListener('mha-select', ({ detail }) => show(detail));
  steps.step = 'weights';
  document.querySelector('mha-heads')!.data = figure;
}

/** What a model gives for a text is a figure's data. */
export async function drawModel(model: Model, other: WorkerModel): Promise<void> {
  document.querySelector('mha-arcs')!.data = model.forward('a text');
  document.querySelector('mha-arcs')!.data = await other.forward('a text');
}

const show = ({ head, query, key }: MhaSelectDetail): string => `${head} ${query} ${key}`;

export const tags: (keyof MhaIntrinsicElements)[] = ['mha-arcs', 'mha-training'];
export const solved: readonly number[] = exerciseProgress().solved;

export function layer(): MultiHeadAttention {
  return new module.MultiHeadAttention({ embedDim: 32, numHeads: 4, rope: { base: 10_000 } });
}

/** What is not known may be undefined, with exactOptionalPropertyTypes, too. */
export async function perhaps(size: number | undefined, text: string | undefined): Promise<void> {
  const { MultiHeadAttention, safetensors } = await load({ threads: size });
  const mha = new MultiHeadAttention({ embedDim: 8, numHeads: 2, seed: size, rope: { base: size } });
  mha.forward([[1]], undefined, null, { scale: size, attnMask: undefined, returnScores: null });
  mha.loadStateDict(safetensors.read(new Uint8Array(), { prefix: text }));
  await loadModel('minilm', { revision: text, dtype: undefined, signal: undefined });
}
export const attributes: MhaIntrinsicElements['mha-matrix'] = {
  ...{ head: null, layer: undefined, sentence: null, load: null, class: undefined },
  ...{ data: undefined, 'onmha-select': undefined },
};

export async function learn(): Promise<string> {
  const { Encoder }: TrainingModule = await loadTraining();
  const encoder = new Encoder({
    vocabSize: VOCABULARY.length,
    maxLength: 20,
    numHeads: 8,
    feedForwardDim: 128,
  });
  return `${model} ${Object.keys(encoder.stateDict()).join()} ${manifest.schemaVersion}`;
}

export const pretrained = (config: object, weights: Uint8Array): Promise<Model> =>
  loadModel({ config, weights }, { dtype: 'int8' });
/** What a model gives of a text is what a figure draws; of ids it has no tokens, and of several texts lists of them. */
export async function drawText(model: Model, worker: WorkerModel): Promise<void> {
  const [arcs, input] = [document.querySelector('mha-arcs')!, { inputIds: [[5, 6]] }];
  arcs.data = model.forward('a text');
  arcs.data = model.forward(['a text', 'and another'], { truncation: true });
  arcs.data = await worker.forward({ text: 'a text' });
  // @ts-expect-error: no tokens
  arcs.data = model.forward(input);
  // @ts-expect-error: tokens of each
  arcs.data = await worker.forward({ texts: ['a text', ['two', 'texts']] });
  const lists: readonly (readonly string[])[] = model.forward({ texts: ['a text'] }).tokens;
  const perhaps: readonly string[] | undefined = model.forward(input).tokens;
  console.log(lists, perhaps);
}

export const headsOf = ({ attentions }: AttentionFile): number | undefined => attentions[0]?.length;

export type Standalone = Pick<typeof standalone, 'bindDocuments' | 'load' | 'loadModel' | 'MhaExplorer'>;

console.log(JSON.stringify(weights.toNested()));

/** Weights are known to be there unless they are not wanted. */
export function headOf(query: number[][]): readonly number[] {
  const mha = layer();
  const all: Tensor = mha.forward(query, { isCausal: true }).weights;
  const attention: Tensor = module.scaledDotProductAttention([query], [query], [query]).weights;
  // @ts-expect-error: none with this option
  const none: Tensor = mha.forward(query, { needWeights: false }).weights;
  // @ts-expect-error: misspelt
  mha.forward(query, { needWeight: false });
  return [...all.get(0).shape, ...attention.shape, ...none.shape];
}

/** Attributes take only their values; the documents' ids are known. */
export const written: MhaIntrinsicElements['mha-explorer'] = { weights: 'random', controls: 'full' };
// @ts-expect-error: misspelt
export const misspelt: MhaIntrinsicElements['mha-explorer'] = { weights: 'trainedd' };
export const ids: readonly DocumentId[] = documents.list().map(({ id }) => id);
