/** What the parameters of a file say of their encoder, checked before one is made: its memory grows with its sizes. */
import { checkInteger, formatShape, rangeError } from '../api/errors.js';
import { MAX_LENGTH } from './language/corpus.js';
import { VOCABULARY } from './language/vocabulary.js';
import type { Plan } from './protocol.js';

/** Sizes of an encoder of the language. */
export type Sizes = Pick<Plan, 'numLayers' | 'numHeads' | 'embedDim' | 'feedForwardDim'>;

/** Tensors by name, as far as they are looked at here. */
type Shaped = Readonly<Record<string, { readonly shape: readonly number[] }>>;

/** The most of a file's encoder: beyond, nobody could look at them. */
const MOST_LAYERS = 128;
const MOST_HEADS = 128;

/** The names and shapes of `stateDict()`. */
function shapesOf({ numLayers, embedDim: E, feedForwardDim: F }: Sizes): Map<string, readonly number[]> {
  const V = VOCABULARY.length;
  const shapes = new Map<string, readonly number[]>([
    ['token_embedding.weight', [V, E]],
    ['position_embedding.weight', [MAX_LENGTH, E]],
    ['norm.weight', [E]],
    ['norm.bias', [E]],
    ['output.bias', [V]],
  ]);
  const ofLayer: Readonly<Record<string, readonly number[]>> = {
    'self_attn.in_proj_weight': [3 * E, E],
    'self_attn.in_proj_bias': [3 * E],
    'self_attn.out_proj.weight': [E, E],
    'self_attn.out_proj.bias': [E],
    'linear1.weight': [F, E],
    'linear1.bias': [F],
    'linear2.weight': [E, F],
    'linear2.bias': [E],
    'norm1.weight': [E],
    'norm1.bias': [E],
    'norm2.weight': [E],
    'norm2.bias': [E],
  };
  for (let layer = 0; layer < numLayers; ++layer) {
    for (const [name, shape] of Object.entries(ofLayer)) shapes.set(`layers.${layer}.${name}`, shape);
  }
  return shapes;
}

/**
 * The sizes of the encoder that has just these parameters.
 *
 * @param numHeads what no shape tells
 * @throws RangeError, naming the parameter or the size, where there is none
 */
export function sizesOf(parameters: Shaped, numHeads: number): Sizes {
  const shapeOf = (name: string): readonly number[] => {
    const shape = Object.hasOwn(parameters, name) ? parameters[name]?.shape : undefined;
    if (!shape) throw rangeError(name, 'be a parameter of the model, got none');
    return shape;
  };
  const sizeOf = (name: string, axis: number) => checkInteger(name, shapeOf(name)[axis] ?? 0);
  const embedDim = sizeOf('token_embedding.weight', 1);
  const feedForwardDim = sizeOf('layers.0.linear1.weight', 0);
  let numLayers = 0;
  while (Object.hasOwn(parameters, `layers.${numLayers}.linear1.weight`)) ++numLayers;
  checkInteger('numLayers', numLayers, 1, MOST_LAYERS);
  checkInteger('numHeads', numHeads, 1, MOST_HEADS);
  if (embedDim % numHeads !== 0)
    throw rangeError('numHeads', `divide embedDim (${embedDim}), got ${numHeads}`);

  const sizes = { numLayers, numHeads, embedDim, feedForwardDim };
  const shapes = shapesOf(sizes);
  for (const [name, expected] of shapes) {
    const shape = shapeOf(name);
    if (shape.length !== expected.length || shape.some((size, axis) => size !== expected[axis])) {
      throw rangeError(name, `have shape ${formatShape(expected)}, got ${formatShape(shape)}`);
    }
  }
  for (const name of Object.keys(parameters)) {
    if (!shapes.has(name)) throw rangeError('model', `have only parameters of an encoder, got ${name}`);
  }
  return sizes;
}
