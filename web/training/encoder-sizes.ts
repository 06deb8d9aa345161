/** Sizes of the language's encoders: of a new one, and of the one whose parameters a file holds. */
import { checkInteger, formatShape, rangeError } from '../api/errors.js';
import type { Encoder, EncoderClass } from './encoder.js';
import { MAX_LENGTH } from './language/corpus.js';
import { VOCABULARY } from './language/vocabulary.js';
import type { Plan } from './protocol.js';

type Sizes = Pick<Plan, 'numLayers' | 'numHeads' | 'embedDim' | 'feedForwardDim'>;

export const untrainedEncoder = (
  EncoderClass: EncoderClass,
  { numLayers, numHeads, embedDim, feedForwardDim, seed }: Sizes & Pick<Plan, 'seed'>,
): Encoder =>
  new EncoderClass({
    vocabSize: VOCABULARY.length,
    maxLength: MAX_LENGTH,
    ...{ numLayers, numHeads, embedDim, feedForwardDim, seed },
  });

type Shaped = Readonly<Record<string, { readonly shape: readonly number[] }>>;

/** Loaded models have at most this many layers and heads, because the views draw all of them. */
const MOST_LAYERS = 128;
const MOST_HEADS = 128;

/** Returns the names and shapes of `stateDict()`. */
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
 * Returns the sizes of the encoder that has exactly these parameters; checked before an encoder is allocated.
 *
 * @param numHeads is not determined by any shape
 * @throws RangeError naming the missing, unknown or misshapen parameter, or the size
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
