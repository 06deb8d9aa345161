/**
 * Document 002 asks for dimensions and meanings without numbers. Here are numbers: for several inputs X and sizes h, k, v,
 * random W_i^Q, W_i^K, W_i^V, W^O and every step of the layer that has them.
 */
import { scoped } from '../api/handle.js';
import type { StepsOptions } from '../api/layer-options.js';
import type { AttentionModule } from '../api/load.js';
import type { AttentionSteps, MultiHeadAttention } from '../api/multi-head-attention.js';
import { Tensor } from '../api/tensor.js';
import { layerWith, toTorch } from '../sources/random-words.js';
import { inputMatrix, words } from './document-002-1.js';

export interface Instance {
  name: string;
  /** Makes the input X (n,d). */
  input: (module: AttentionModule) => Tensor;
  h: number;
  k: number;
  v: number;
  /** Seed of the weights. */
  seed: number;
  /** NumPy's generator for the weights; `defaultRng` is six times faster for large ones. */
  generator?: 'RandomState' | 'defaultRng';
  /** Whether the padding of exercise 1's sentence is masked as a key. */
  masked?: boolean;
}

const zeroRows = () => inputMatrix(false);
const emptyTokens = () => inputMatrix(true);
const random = (n: number) => (module: AttentionModule) =>
  scoped(
    module.random.defaultRng(0),
    (generator) => new Tensor(new Float32Array(generator.normal(0, 1, [n, 512]).data), [n, 512]),
  );

/** Here n, d, h·v, k and v all differ, so that a size identifies its letter. */
export const distinct: Instance = { name: 'h2_k4_v3', input: zeroRows, h: 2, k: 4, v: 3, seed: 3 };

/** The sentence of exercise 1, its padding as zero rows (d = 7) or as a token of its own (d = 8). */
export const sentenceInstances: readonly Instance[] = [
  { name: 'h1_k7_v7', input: zeroRows, h: 1, k: 7, v: 7, seed: 1 },
  { name: 'h7_k1_v1', input: zeroRows, h: 7, k: 1, v: 1, seed: 2 },
  distinct,
  { ...distinct, name: 'h2_k4_v3_masked', masked: true },
  { name: 'd8_h2_k4_v4', input: emptyTokens, h: 2, k: 4, v: 4, seed: 4 },
  { name: 'd8_h2_k4_v4_masked', input: emptyTokens, h: 2, k: 4, v: 4, seed: 4, masked: true },
];

/** The lengths that the document calls usual, at the width of the paper. */
export const paperInstances: readonly Instance[] = [
  { name: 'n256_d512', input: random(256), h: 8, k: 64, v: 64, seed: 5, generator: 'defaultRng' },
  { name: 'n512_d512', input: random(512), h: 8, k: 64, v: 64, seed: 5, generator: 'defaultRng' },
];

/** Draws W_Q, W_K (h,d,k), W_V (h,d,v) and W_O (h·v,d), in this order. */
function drawWeights(
  module: AttentionModule,
  { h, k, v, seed, generator: name = 'RandomState' }: Instance,
  d: number,
) {
  return scoped(module.random[name](seed), (generator) => ({
    wQ: generator.normal(0, 0.5, [h, d, k]),
    wK: generator.normal(0, 0.5, [h, d, k]),
    wV: generator.normal(0, 0.5, [h, d, v]),
    wO: generator.normal(0, 0.5, [h * v, d]),
  }));
}

interface Loaded {
  layer: MultiHeadAttention;
  x: Tensor;
  drawn: ReturnType<typeof drawWeights>;
  options: StepsOptions;
}

/** Makes the instance's input and its layer, which the caller disposes. */
export function loadLayer(module: AttentionModule, instance: Instance): Loaded {
  const x = instance.input(module);
  const [n, d] = x.shape as [number, number];
  const drawn = drawWeights(module, instance, d);
  const keyPaddingMask = { data: module.masks.padding([words.length], n).data, shape: [n] };
  const { h, k, v, masked } = instance;
  const layer = layerWith(module, { embedDim: d, numHeads: h, headDim: k, valueHeadDim: v }, [
    toTorch(drawn.wQ),
    toTorch(drawn.wK),
    toTorch(drawn.wV),
    toTorch(drawn.wO),
  ]);
  return { layer, x, drawn, options: masked ? { keyPaddingMask } : {} };
}

export interface Run extends Pick<Loaded, 'x' | 'drawn'> {
  instance: Instance;
  steps: AttentionSteps;
}

/** Computes every step of each instance. */
export function runAll(module: AttentionModule, instances: readonly Instance[]): Run[] {
  return instances.map((instance) => {
    const { layer, x, drawn, options } = loadLayer(module, instance);
    return { instance, x, drawn, steps: scoped(layer, () => layer.steps(x, x, x, options)) };
  });
}

/** Collects the steps of these names of all runs, each as `h2_k4_v3.q`. */
export function tensorsOf(
  runs: readonly Run[],
  names: readonly (keyof AttentionSteps)[],
): Record<string, Tensor> {
  return Object.fromEntries(
    runs.flatMap(({ instance, steps }) =>
      names.map((name) => [`${instance.name}.${name}`, steps[name]] as const),
    ),
  );
}
