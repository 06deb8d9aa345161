/** What `forward` takes, and its checks. */
import { formatShape, rangeError, wrongKind } from '../api/errors.js';
import { readOptions } from '../api/options.js';
import { read, type NestedArray, type ShapedData, type TensorLike, toFloat32Block } from '../api/inputs.js';
import type { TextInput } from './architecture.js';
import type { PictureInput } from './pictures.js';

/** Token ids or a mask of them (B,L), a sentence per row. */
export type Ids =
  | ShapedData<Int32Array | Float32Array | Uint8Array | readonly number[] | readonly boolean[]>
  | NestedArray<number>
  | NestedArray<boolean>
  | readonly Int32Array[];

/** A text, or two that are read as one, with the special tokens that the tokenizer puts between them. */
export type TextOrPair = string | readonly [text: string, pair: string] | TextPair;

/** A text, with the second that is read as one with it, or of an encoder–decoder with the text that it writes. */
export interface TextPair {
  /** As in `TokenInput`. */
  readonly decoderInputIds?: Ids | null;
  /** The first. */
  readonly text: string;
  /** The second; none where it is left out or empty. */
  readonly pair?: string | null;
}

/** Texts of one call. */
export interface TextBatch {
  /** Shorter ones are padded. */
  readonly texts: readonly TextOrPair[];
}

/** Sentences as token ids. */
export interface TokenInput {
  /** Of an encoder–decoder (B,T): the text that it writes, which begins with `decoder_start_token_id`. */
  readonly decoderInputIds?: Ids | null;
  /** (B,L): shorter sentences are padded. */
  readonly inputIds: Ids;
  /** (B,L): 1 for tokens, 0 for padding; with a cache (B,S), those of the cache first. */
  readonly attentionMask?: Ids | null;
  /** (B,L): which of two sentences a token is of. */
  readonly tokenTypeIds?: Ids | null;
  /**
   * (B,L): `position_ids` of transformers, which are the angles of rotary positions or rows of the position table
   * (RoBERTa's begin at `pad_token_id` + 1). Without them tokens are counted from the first, padding on the left too.
   */
  readonly positionIds?: Ids | null;
}

/** Images. */
export interface PixelInput {
  /** (B,C,H,W), normalised as `preprocessor_config.json` says: what `preprocess` gives. */
  readonly pixelValues: TensorLike;
}

/** What a model takes. */
export type ModelInput = TextOrPair | TokenInput | PixelInput | PictureInput;

/** By the member that tells the kind of an input. Of images, what `preprocess` gives is taken as it is. */
const MEMBERS = {
  // CLIP takes token ids and pixels together; Model.forward keeps them apart for it.
  inputIds: ['inputIds', 'attentionMask', 'tokenTypeIds', 'positionIds', 'decoderInputIds'],
  pixelValues: ['pixelValues', 'crops', 'patches'],
  image: ['image'],
  texts: ['texts'],
  text: ['text', 'pair', 'decoderInputIds'],
};

/** Objects as they are without null. @throws TypeError that names an unknown member */
function readMembers(input: unknown): object {
  if (typeof input !== 'object' || input === null) return {};
  if (Array.isArray(input)) return input as object;
  const own = Object.entries(MEMBERS).find(([kind]) => kind in input)?.[1] ?? Object.values(MEMBERS).flat();
  return readOptions('the input', input, own, 'input', 'a member');
}

/** The texts of an input, of pairs both; null for token ids and images. @throws TypeError, RangeError */
export function textsOf(input: ModelInput | TextBatch): string[][] | null {
  const { texts } = readMembers(input) as Partial<TextBatch>;
  if (texts !== undefined) {
    if (!Array.isArray(texts) || texts.length === 0) throw wrongKind('texts', 'an array of texts', texts);
    return texts.map((text: TextOrPair, i) => textsIn(`texts[${i}]`, text));
  }
  const isList = Array.isArray(input) && input.every((text) => typeof text === 'string');
  const isText = isList || typeof input === 'string' || 'text' in Object(input);
  return isText ? [textsIn('input', input as TextOrPair)] : null;
}

function textsIn(name: string, value: TextOrPair): string[] {
  const { text, pair } = readMembers(value) as { text?: unknown; pair?: unknown };
  if (typeof value === 'string') return [value];
  const all: readonly unknown[] = Array.isArray(value) ? value : [text, pair ?? ''];
  if (all.length === 2 && all.every((one) => typeof one === 'string')) return [...all];
  throw wrongKind(name, 'a text, [text, pair], { text, pair } or, for several texts, { texts }', value);
}

/** Token ids (B,L) with what else is given of them. */
export interface TokenBatch {
  readonly ids: Int32Array;
  readonly batch: number;
  readonly length: number;
  /** (B,S); null where all tokens count. */
  readonly mask: Uint8Array<ArrayBuffer> | null;
  readonly types: Int32Array | null;
  readonly positions: Int32Array | null;
}

/**
 * @param count tokens of a text, with those of the cache
 * @throws RangeError for a text without tokens, or with more than a model takes
 */
export function checkCount(count: number, most: number, name = 'input'): void {
  if (count === 0) throw rangeError(name, 'have at least one token');
  if (count > most) throw rangeError(name, `have at most ${most} tokens, got ${count}`);
}

/** @throws RangeError for NaN or ±∞ */
export function checkComputed(name: string, values: Float32Array): void {
  // Faster than to ask each value, and than an iterator: 0 times NaN or ±∞ is NaN.
  let sum = 0;
  for (let i = values.length - 1; i >= 0; i--) sum += 0 * (values[i] ?? NaN);
  if (sum === 0) return;
  const wrong = values.find((value) => !Number.isFinite(value));
  throw rangeError(name, `be finite numbers, got ${wrong}: what the model computes exceeds float32`);
}

/** Whole numbers (B,L), each below `limit`. @throws TypeError, RangeError */
export function readWhole(
  name: string,
  value: unknown,
  limit: number,
): { values: Int32Array; shape: number[] } {
  const rows = Array.isArray(value)
    ? value.map((row: unknown) => (ArrayBuffer.isView(row) ? Array.from(row as Int32Array) : row))
    : value;
  const { values, shape } = read(name, rows);
  if (shape.length !== 2) throw rangeError(name, `have shape (B, L), got ${formatShape(shape)}`);
  const [, length = 1] = shape;
  const whole = Int32Array.from(values, Number);
  for (const [i, number] of whole.entries()) {
    if (number < 0 || number >= limit || number !== Number(values[i])) {
      const place = `${name}[${Math.floor(i / length)}][${i % length}]`;
      throw rangeError(place, `be a whole number from 0 to ${limit - 1}, got ${String(values[i])}`);
    }
  }
  return { values: whole, shape };
}

/**
 * @param idsName of the token ids, in messages
 * @param past tokens that the cache holds
 * @param limits how many token ids, kinds of sentences and positions the model has
 * @throws TypeError, RangeError that name the argument
 */
export function readTokens(
  idsName: string,
  input: TokenInput,
  past: number,
  { maxLength }: TextInput,
  limits: { vocabulary: number; types: number; positions: number },
): TokenBatch {
  const { values: ids, shape } = readWhole(idsName, input.inputIds, limits.vocabulary);
  const [batch = 1, length = 1] = shape;
  if (past + length > maxLength)
    throw rangeError(idsName, `have at most ${maxLength} tokens, got ${past + length}`);
  const sized = (
    name: 'attentionMask' | 'tokenTypeIds' | 'positionIds',
    columns: number,
    limit: number,
  ): Int32Array | null => {
    if (input[name] == null) return null;
    if (limit === 0) throw rangeError(name, 'be left out: the model has none');
    const given = readWhole(name, input[name], limit);
    if (given.shape.join() !== [batch, columns].join()) {
      throw rangeError(name, `have shape (${batch}, ${columns}), got ${formatShape(given.shape)}`);
    }
    return given.values;
  };
  const mask = sized('attentionMask', past + length, 2);
  return {
    ids,
    batch,
    length,
    mask: mask && Uint8Array.from(mask),
    types: sized('tokenTypeIds', length, limits.types),
    positions: sized('positionIds', length, limits.positions),
  };
}

/** What takes heads out of a model. */
export interface HeadMaskOptions {
  /**
   * (numLayers, numHeads): a head's weights are multiplied by its number before they meet the values. 0 takes the head
   * out, 1 leaves it as it is.
   *
   * As `head_mask` of transformers 4, except that `forward` gives the attentions as the softmax gave them, not
   * multiplied: where a masked head looks is still seen.
   */
  headMask?: TensorLike;
}

/**
 * The factors of all heads, layer by layer; none where all are 1.
 *
 * @throws TypeError, RangeError for anything but (layers, heads) finite numbers
 */
export function readHeadMask(value: unknown, layers: number, heads: number): number[] {
  if (value == null) return [];
  const { data, shape } = toFloat32Block('headMask', value);
  if (shape.join() !== [layers, heads].join()) {
    throw rangeError(
      'headMask',
      `have shape ${formatShape([layers, heads])} (layers, heads), got ${formatShape(shape)}`,
    );
  }
  const wrong = data.findIndex((factor) => !Number.isFinite(factor));
  if (wrong >= 0) {
    const place = `headMask[${Math.floor(wrong / heads)}][${wrong % heads}]`;
    throw rangeError(place, `be a finite number, got ${data[wrong] ?? ''}`);
  }
  return Array.from(data);
}
