/** How a layer of a pretrained model is computed step by step for a text. */
import type { MultiHeadAttention } from '../../api/multi-head-attention.js';
import type { WorkerModel } from '../../models/in-worker.js';
import { item, Tensor } from '../../api/tensor.js';
import { scoped } from '../../documents/compute.js';
import { ablatedHeads, headMaskOf } from '../model/ablated-heads.js';
import { Refusal } from '../base/problem.js';
import type { Reading } from '../model/model-controller.js';
import { Figure } from '../sentence-view/figure.js';
import { Layers } from '../sentence-view/layers.js';
import { textReading, type TextRequest, type TextResult } from '../sentence-view/text-reading.js';
import { Flow } from './flow.js';

/** Longest sentence in words: every number is a DOM element, so longer ones would make the page slow. */
export const MOST_WORDS = 64;

export interface StepsResult extends TextResult {
  /** null for a text that is too long to show its steps. */
  readonly flow: Flow | null;
}

/** A head that is taken out adds nothing: its columns of W_O are 0. */
function takeOut(layer: MultiHeadAttention, heads: ReadonlySet<number>, headDim: number): void {
  const { 'out_proj.weight': weight, ...others } = layer.stateDict();
  if (!weight || heads.size === 0) return;
  const columns = item(weight.shape, 1);
  const data = weight.data.map((value, i) => (heads.has(Math.floor((i % columns) / headDim)) ? 0 : value));
  layer.loadStateDict({ ...others, 'out_proj.weight': new Tensor(data, weight.shape) });
}

/** @throws (rejects) Refusal for layers that `MultiHeadAttention` does not compute alike */
async function flowOf(model: WorkerModel, { text, layer, ablated }: TextRequest): Promise<Flow> {
  const mask = headMaskOf(ablated, model);
  try {
    const { input, options, rope, headDim } = await model.attentionCall(text, layer, mask);
    const { scale, softcap, isCausal = false, window } = options;
    return scoped(await model.attentionLayer(layer), (attention) => {
      const x = new Tensor(input.data, input.shape.slice(1));
      if (softcap) throw new Error(`its scores are capped at ±${softcap}`);
      if (scale != null && Math.abs(scale * Math.sqrt(headDim) - 1) > 1e-6) {
        throw new Error(`its scores are multiplied by ${scale}, not by 1/√${headDim}`);
      }
      const out = ablatedHeads(ablated).filter((place) => place.layer === layer);
      takeOut(attention, new Set(out.map(({ head }) => head)), headDim);
      return Flow.run(attention, x, { isCausal, ...(window && { window }) }, rope);
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Refusal((strings) => strings.noSteps(reason));
  }
}

/** As `textReading`, of the chosen layer alone. */
export const stepsReading: Reading<TextRequest, TextResult> = {
  isSame: textReading.isSame,
  has: textReading.has,
  async read(session, request): Promise<StepsResult> {
    const { model, facts } = session;
    const { text, ablated } = request;
    const { shown, words, unknown } = await model.tokenize(text);
    if (shown.length > MOST_WORDS) return { ...(await textReading.read(session, request)), flow: null };
    const { numLayers, numHeads } = model;
    const layer = Math.min(request.layer, numLayers - 1);
    if (!facts) throw new Error('the model was disposed');
    const flow = await flowOf(model, { ...request, layer });
    const heads = Array.from({ length: numHeads }, (_, head) => head);
    const figure = new Figure(shown, heads, flow.steps.weights.data, false, null, { layer, words });
    return {
      layers: new Layers(
        numLayers,
        () => figure,
        (index) => index === layer,
      ),
      origin: {
        ...{ kind: 'model', model: facts, sentence: text, ablated },
        ...{ layers: numLayers, unknown: unknown.length },
      },
      flow,
    };
  },
};
