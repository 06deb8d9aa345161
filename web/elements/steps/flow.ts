/** All intermediate values of one layer, as a table per step and head, and how they are computed for a pretrained model. */
import type { StepsOptions } from '../../api/layer-options.js';
import type { AttentionSteps, MultiHeadAttention } from '../../api/multi-head-attention.js';
import { item } from '../../api/shape.js';
import { Tensor } from '../../api/tensor.js';
import { scoped } from '../../api/handle.js';
import type { WorkerModel } from '../../models/in-worker.js';
import { Refusal } from '../base/problem.js';
import { Figure, Layers } from '../../sources/figure.js';
import { ablatedHeads } from '../../sources/ablated.js';
import { checkLength, headMaskOf, type ModelTask, textTask } from '../../sources/model.js';
import { isSameText, type TextRequest, type TextResult } from '../../sources/source.js';

/** The steps of a layer, in order. */
export const STEPS = [
  'x',
  'q',
  'k',
  'v',
  'scores',
  'scaled',
  'masked',
  'weights',
  'context',
  'concat',
  'output',
] as const;

export type Step = (typeof STEPS)[number];

export const isStep = (name: string): name is Step => (STEPS as readonly string[]).includes(name);

/** Whether the step's table has a row per query and a column per key. */
export const isSquare = (step: Step): boolean => ['scores', 'scaled', 'masked', 'weights'].includes(step);

/** Whether the step's table has a row per key; all others have a row per query. */
export const rowsAreKeys = (step: Step): boolean => step === 'k' || step === 'v';

/** The values of one step in one head. */
export interface Table {
  readonly step: Step;
  readonly rows: number;
  readonly columns: number;
  readonly values: Float32Array;
  at(row: number, column: number): number;
}

/** The layer's weight matrices (out,in) and biases (out), as PyTorch stores them. */
interface Matrices {
  readonly q: Tensor;
  readonly k: Tensor;
  readonly v: Tensor;
  readonly output: Tensor;
  readonly biases: Readonly<Record<'q' | 'k' | 'v' | 'output', Tensor>> | null;
}

/** All steps of one unbatched self-attention layer, from X (L,E) to the output (L,outDim). */
export class Flow {
  readonly heads: number;
  readonly headDim: number;
  readonly valueHeadDim: number;
  /** Whether all projection matrices are the identity and there are no biases. */
  readonly plain: boolean;
  /** Whether the mask forbids any pair of query and key. */
  readonly masked: boolean;
  readonly #tables = new Map<string, Table>();

  constructor(
    readonly x: Tensor,
    readonly steps: AttentionSteps,
    readonly matrices: Matrices,
    /** Base of the rotary embedding of queries and keys; null without one. */
    readonly ropeBase: number | null = null,
  ) {
    this.heads = item(steps.scores.shape, 0);
    this.headDim = item(steps.q.shape, 2);
    this.valueHeadDim = item(steps.v.shape, 2);
    this.masked = steps.masked.data.includes(-Infinity);
    const { q, k, v, output, biases } = matrices;
    this.plain = biases === null && [q, k, v, output].every(isIdentity);
  }

  /** Runs a layer on X; the caller disposes of the layer. */
  static run(
    layer: MultiHeadAttention,
    x: Tensor,
    options: StepsOptions,
    ropeBase: number | null = null,
  ): Flow {
    const steps = layer.steps(x, x, x, options);
    return new Flow(x, steps, matricesOf(layer, steps), ropeBase);
  }

  /** The table of one step in one head, cached; X, concat and output are the same for all heads. */
  table(step: Step, head: number): Table {
    const name = `${step} ${head}`;
    const table = this.#tables.get(name) ?? this.#cut(step, head);
    this.#tables.set(name, table);
    return table;
  }

  #cut(step: Step, head: number): Table {
    const tensor = step === 'x' ? this.x : this.steps[step];
    const [rows, columns] = tensor.shape.slice(-2) as [number, number];
    const size = rows * columns;
    const index = tensor.shape.length === 2 ? 0 : rowsAreKeys(step) ? this.keyHead(head) : head;
    const values = tensor.data.subarray(index * size, (index + 1) * size);
    return { step, rows, columns, values, at: (row, column) => item(values, row * columns + column) };
  }

  /** Number of words. */
  get size(): number {
    return item(this.x.shape, 0);
  }

  /** Index of the key/value head that a query head uses; in GQA several query heads share one. */
  keyHead(head: number): number {
    return Math.floor((head * item(this.steps.k.shape, 0)) / this.heads);
  }
}

/** Reads the matrices from a state dict, which has W_Q, W_K and W_V separately or packed, one below the other. */
function matricesOf(layer: MultiHeadAttention, { q, k, v }: AttentionSteps): Matrices {
  const dict = layer.stateDict();
  const matrix = (name: string): Tensor => {
    const found = dict[name];
    if (!found) throw new Error(`\`stateDict()\` has no ${name}`);
    return found;
  };
  const output = matrix('out_proj.weight');
  const heights = [q, k, v].map((tensor) => item(tensor.shape, 0) * item(tensor.shape, 2));
  /** Extracts W_Q, W_K or W_V, or its bias, from the packed tensor. */
  const cut = ({ data, shape }: Tensor, index: number): Tensor => {
    const width = shape[1] ?? 1;
    const above = heights.slice(0, index).reduce((sum, height) => sum + height, 0);
    const height = item(heights, index);
    return new Tensor(data.subarray(above * width, (above + height) * width), [height, ...shape.slice(1)]);
  };
  const [packed, bias, outBias] = [dict.in_proj_weight, dict.in_proj_bias, dict['out_proj.bias']];
  const biases =
    bias && outBias ? { q: cut(bias, 0), k: cut(bias, 1), v: cut(bias, 2), output: outBias } : null;
  const [forQuery, forKey, forValue] = packed
    ? [cut(packed, 0), cut(packed, 1), cut(packed, 2)]
    : [matrix('q_proj_weight'), matrix('k_proj_weight'), matrix('v_proj_weight')];
  return { q: forQuery, k: forKey, v: forValue, output, biases };
}

function isIdentity({ data, shape }: Tensor): boolean {
  const [rows, columns] = shape as [number, number];
  return rows === columns && data.every((value, i) => value === Number(i % (columns + 1) === 0));
}

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

/** As `textTask`, of the chosen layer alone. */
export const stepsTask: ModelTask<TextRequest, TextResult> = {
  isSame: isSameText,
  has: textTask.has,
  async compute(session, request): Promise<StepsResult> {
    const { model, facts } = session;
    const { text, ablated } = request;
    const { shown, words, unknown } = await model.tokenize(text);
    if (shown.length > MOST_WORDS) return { ...(await textTask.compute(session, request)), flow: null };
    checkLength(model, shown.length);
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
        ...{ kind: 'model', model: facts, sentence: text, ablated, unknown: unknown.length },
      },
      flow,
    };
  },
};
