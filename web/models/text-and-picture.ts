/** Models of texts and pictures, which say how alike the two are: CLIP. */
import { wrongKind } from '../api/errors.js';
import { item } from '../api/shape.js';
import { Tensor } from '../api/tensor.js';
import type { Architecture, Vision } from './architecture.js';
import { embed } from './embeddings.js';
import { checkComputed, type PixelInput, type TokenInput } from './inputs.js';
import { rowsAt, runStack, type StackOptions, type Stacks } from './stacks.js';

/** What CLIP computes of texts, of pictures, or of both. */
export interface TextAndPictureNumbers {
  /** A layer each (B,H,L,L). */
  readonly textAttentions?: readonly Tensor[];
  /** A layer each (B,H,P,P): the first token stands for the picture, the others are its patches. */
  readonly visionAttentions?: readonly Tensor[];
  /** Embeddings first, then what leaves each layer (B,L,E), before the last norm. */
  readonly textHiddenStates?: readonly Tensor[];
  /** The same of the pictures (B,P,E). */
  readonly visionHiddenStates?: readonly Tensor[];
  /** A vector of length 1 for each text (B,D). */
  readonly textEmbeds?: Tensor;
  /** A vector of length 1 for each picture (B,D). */
  readonly imageEmbeds?: Tensor;
  /** How alike each picture and each text are: their cosine, times a learned factor (pictures, texts). */
  readonly logitsPerImage?: Tensor;
  /** What leaves the model of texts (B,L,E), or without a text that of pictures. */
  readonly lastHiddenState: Tensor;
}

/** Row `place(b)` of each item of (B,L,E), mapped to vectors of length 1 (B,D). */
function vectorsOf(stacks: Stacks, map: string, states: Tensor, place: (item: number) => number): Tensor {
  const [batch = 1] = states.shape;
  const vectors = stacks.mapRows(map, rowsAt(states, place), batch);
  const size = vectors.length / batch;
  for (let b = 0; b < batch; b++) {
    const vector = vectors.subarray(b * size, (b + 1) * size);
    const norm = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
    for (let j = 0; j < size; j++) vector[j] = (vector[j] ?? 0) / norm;
  }
  checkComputed('vectors', vectors);
  return new Tensor(vectors, [batch, size]);
}

/** The token that stands for a text: the first that ends it, or in early files the one with the largest id. */
function endOf(ids: ArrayLike<number>, end: number): number {
  const all = Array.from(ids);
  return Math.max(0, all.indexOf(end < 0 ? Math.max(...all) : end));
}

/** @throws TypeError, RangeError for an input that does not fit the model */
export function forwardTextAndPicture(
  stacks: Stacks,
  { vision, ...architecture }: Architecture & { readonly vision: Vision },
  input: Partial<TokenInput & PixelInput>,
  options: StackOptions,
): TextAndPictureNumbers {
  const { inputIds, attentionMask, pixelValues, ...others } = input;
  const result: { -readonly [K in keyof TextAndPictureNumbers]?: TextAndPictureNumbers[K] } = {};
  const { config } = architecture;
  if (inputIds != null) {
    const embedded = embed(
      architecture,
      { inputIds, attentionMask: attentionMask ?? null, ...others },
      0,
      stacks,
    );
    const [batch, length] = embedded.shape;
    const { attentions, hiddenStates, last } = runStack(
      stacks,
      { index: 0, layers: config.layers },
      embedded,
      options,
    );
    const normed = new Tensor(stacks.mapRows('final', last.data, batch * length), last.shape);
    const rows = Array.isArray(inputIds) ? (inputIds as ArrayLike<number>[]) : null;
    const { data } = inputIds as { data: ArrayLike<number> };
    const idsOf = (b: number) => rows?.[b] ?? Array.from(data).slice(b * length, (b + 1) * length);
    result.textAttentions = attentions;
    result.lastHiddenState = normed;
    if (options.hiddenStates) result.textHiddenStates = hiddenStates;
    result.textEmbeds = vectorsOf(stacks, vision.textMap, normed, (b) => endOf(idsOf(b), vision.end));
  }
  if (pixelValues !== undefined) {
    const embedding = { ...architecture, input: vision.input, config: vision.config };
    const embedded = embed(embedding, { pixelValues }, 0, stacks);
    const side = runStack(stacks, { index: 1, layers: vision.config.layers }, embedded, options);
    result.visionAttentions = side.attentions;
    result.lastHiddenState ??= side.last;
    if (options.hiddenStates) result.visionHiddenStates = side.hiddenStates;
    result.imageEmbeds = vectorsOf(stacks, vision.imageMap, side.last, () => 0);
  }
  const { textEmbeds: texts, imageEmbeds: pictures, lastHiddenState } = result;
  if (texts && pictures) result.logitsPerImage = similarities(stacks, vision, pictures, texts);
  if (!lastHiddenState) throw wrongKind('input', 'a text, { image } or both', input);
  return { ...result, lastHiddenState };
}

function similarities(stacks: Stacks, { scale }: Vision, pictures: Tensor, texts: Tensor): Tensor {
  const [[count = 0, size = 0], [columns = 0]] = [pictures.shape, texts.shape];
  const factor = Math.exp(item(stacks.tableRows(scale, [0]), 0));
  const values = new Float32Array(count * columns);
  for (let i = 0; i < values.length; i++) {
    const [picture, text] = [Math.floor(i / columns) * size, (i % columns) * size];
    let sum = 0;
    for (let j = 0; j < size; j++) sum += item(pictures.data, picture + j) * item(texts.data, text + j);
    values[i] = factor * sum;
  }
  return new Tensor(values, [count, columns]);
}
