/** How a pretrained model computes the figures of a text. */
import type { WorkerModel } from '../../models/in-worker.js';
import { headMaskOf } from '../model/ablated-heads.js';
import { Refusal } from '../base/problem.js';
import { type Asked, layersToCompute, type Reading } from '../model/model-controller.js';
import { Figure } from './figure.js';
import { Layers } from './layers.js';
import type { Origin } from './weights-origin.js';

/** A model and the text that it reads. */
export interface TextRequest extends Asked {
  readonly text: string;
  /** Heads that are taken out, as in the attribute `ablated`. */
  readonly ablated: string;
}

/** A text as a model has read it: its figures, and what readers are told of them. */
export interface TextResult {
  readonly layers: Layers;
  readonly origin: Extract<Origin, { kind: 'model' }>;
}

/** @throws Refusal where a model cannot read so many tokens */
export function checkLength({ maxLength }: WorkerModel, tokens: number): void {
  if (tokens > maxLength) throw new Refusal((strings) => strings.tooLongForModel(tokens, maxLength));
}

export const textReading: Reading<TextRequest, TextResult> = {
  isSame: (a, b) => a.address === b.address && a.text === b.text && a.ablated === b.ablated,
  // A layer that the model does not have is no reason to compute the text again.
  has: ({ layers }, layer) => layers.has(Math.min(layer, layers.count - 1)),
  async read(session, { text, layer, ablated }) {
    const { model, facts } = session;
    if (!facts) throw new Error('the model was disposed');
    const mask = headMaskOf(ablated, model);
    const { shown, words, unknown } = await model.tokenize(text);
    checkLength(model, shown.length);
    const unknownTokens = unknown.map((place) => shown[place] ?? '');
    const { numLayers, numHeads } = model;
    const wanted = layersToCompute(model, shown.length, layer);
    const { attentions } = await model.forward(text, { attentions: wanted, ...mask });
    const heads = Array.from({ length: numHeads }, (_, head) => head);
    const layers = new Layers(
      numLayers,
      (index) => {
        const { data = new Float32Array() } = attentions[wanted === true ? index : 0] ?? {};
        return new Figure(shown, heads, data, false, null, { layer: index, words }, unknownTokens);
      },
      (index) => (wanted === true ? index >= 0 && index < numLayers : index === wanted[0]),
    );
    const origin = {
      kind: 'model',
      model: facts,
      sentence: text,
      ablated,
      layers: numLayers,
      unknown: unknown.length,
    } as const;
    return { layers, origin };
  },
};

/** Whether Hangul reaches the model in pieces smaller than syllables, or not at all. */
export function isHangulBroken({
  request,
  result: { layers, origin },
}: {
  request: TextRequest;
  result: TextResult;
}): boolean {
  const syllables = (request.text.match(/[가-힣]/gu) ?? []).length;
  return syllables > 0 && (origin.unknown > 0 || layers.figure(0).size > 2 * syllables);
}
