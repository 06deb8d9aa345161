/** How a family's table describes a model to the binary. */
import type { LayerConfig, ModelConfig, NormConfig, RowStage } from '../wasm/models.js';
import { type Config, type Fields, readFields, type Values } from './config-fields.js';

/** A size in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Output features of a fused matrix: of each of `groups` equal groups, the units `first` … `first + count − 1` of `of`
 * equal ones. One group and one unit unless they are given.
 */
export interface TensorPart {
  readonly first: number;
  readonly count?: number;
  readonly of: number;
  readonly groups?: number;
}

/** A tensor of the file that fills a parameter of the binary. */
export interface TensorUse {
  /** The parameter, as `Model.shapes()` of the binary names it. */
  readonly parameter: string;
  /** Stored as (in, out), as GPT-2 does. */
  readonly transposed?: boolean;
  /** Of a fused matrix. */
  readonly part?: TensorPart;
}

/** The sum of embeddings, and what is done to it before the first layer. */
export interface TextInput {
  readonly kind: 'text';
  readonly width: number;
  readonly token: string;
  /** Rows of a table by position; position 0 is row `first`. */
  readonly position?: { readonly tensor: string; readonly first: number };
  /** Positions are sines and cosines: those of even components first, as Marian has them. */
  readonly hasSinusoids?: boolean;
  /** The map of rows that takes the sum. */
  readonly map?: string;
  readonly type?: string;
  /** Padding of RoBERTa has the position of its own id. */
  readonly paddingId?: number;
  /** Token embeddings are multiplied by this: √d in Gemma. */
  readonly scale?: number;
  /** The map of rows that takes token embeddings before positions are added: OPT. */
  readonly tokenMap?: string;
  /** What enters the first layer of padding is zero: DeBERTa. */
  readonly zeroesPadding?: boolean;
  readonly maxLength: number;
}

/** Patches of an image, behind learned tokens. */
export interface ImageInput {
  readonly kind: 'image';
  readonly width: number;
  readonly imageSize: Size;
  readonly patchSize: number;
  readonly channels: number;
  /** The map of rows that takes patches, `patches` unless it is said. */
  readonly patchMap?: string;
  /** The map of rows that takes the sum, before the first layer. */
  readonly map?: string;
  /** Learned vectors before the patches, with positions. */
  readonly tokens: readonly string[];
  /** Learned vectors behind those and before the patches, without positions: registers of DINOv2. */
  readonly registers?: { readonly tensor: string; readonly count: number };
  readonly position: string;
  /** How positions are resized to images of another size, which are refused where it is left out. */
  readonly resizedPositions?: 'bicubic' | 'antialiased';
}

export interface Head {
  readonly map: string;
  /** The token whose row is read; all of them where it is left out. */
  readonly row?: number;
}

/** A map of rows around the blocks. */
export interface RowMapConfig {
  readonly name: string;
  readonly width: number;
  readonly stages: RowStage[];
}

/** The stack of an encoder–decoder that reads a text. The decoder sees what it gives. */
export interface EncoderStack {
  readonly config: Stack;
  readonly input: TextInput;
  /** Before the names of its parameters and of its maps. */
  readonly prefix: string;
  readonly hasFinalNorm: boolean;
}

/** The stack of a model of texts and pictures that sees pictures, and how they are compared. */
export interface Vision {
  readonly config: Stack;
  readonly input: ImageInput;
  /** As of `EncoderStack`. */
  readonly prefix: string;
  /** Maps of rows from a text and a picture to vectors that are compared. */
  readonly textMap: string;
  readonly imageMap: string;
  /** The tensor with the logarithm of the factor of similarities. */
  readonly scale: string;
  /** The token whose row stands for a text; −1: the one with the largest id, as in early files. */
  readonly end: number;
}

/** How an encoder–decoder begins a text. */
export interface Writing {
  /** `decoder_start_token_id` */
  readonly start: number;
  readonly encoder: EncoderStack;
}

/** Of a model, or of the decoder of an encoder–decoder. */
export interface Architecture {
  readonly family: string;
  /** Of an encoder–decoder. */
  readonly writing?: Writing;
  /** Of CLIP. */
  readonly vision?: Vision;
  readonly config: Stack;
  readonly maps: RowMapConfig[];
  readonly input: TextInput | ImageInput;
  /** Bases of the rotary positions; null where their angles are scaled, or turn a part of each head. */
  readonly ropeBases?: readonly (number | null)[];
  /** By name in the file. A tensor may fill several parameters. */
  readonly tensors: ReadonlyMap<string, readonly TensorUse[]>;
  /** Those of them that scale another one, which is stored in 8 bits. */
  readonly scales?: ReadonlySet<string>;
  /** Read in the page's own memory, not by the binary: embeddings. */
  readonly tables: ReadonlyMap<string, readonly number[]>;
  /** Tensors that only this family has and that are not read. */
  readonly ignored?: RegExp;
  /** Applied to what leaves the last block, before heads. */
  readonly hasFinalNorm: boolean;
  /** Whether the last of `hiddenStates` is behind the final norm, as in transformers' decoders. */
  readonly lastIsNormed: boolean;
  /** Their outputs are averaged; empty where the file has none. */
  readonly heads: readonly Head[];
  /** Logits of width 1 are given without that dimension. */
  readonly squeeze?: boolean;
  /** The token embedding is the weight of this head. */
  readonly tied?: string;
}

/** A layer with a block of its own, in which every query sees all keys. */
export const plainLayer = (scale: number, block: number): LayerConfig => ({
  scale,
  window: null,
  rotary: null,
  block,
  normsInput: true,
});

/** A stack of blocks, as the binary takes it. */
export type Stack = Omit<ModelConfig, 'dtype'>;

type Needed = 'width' | 'heads' | 'innerWidth' | 'activation' | 'norm' | 'placement';

/**
 * A stack of `count` layers, each with a block, keys and values for every head, and scores scaled by 1/√headDim: what
 * differs from that is given.
 */
export function stackOf(count: number, own: Pick<Stack, Needed> & Partial<Stack>): Stack {
  const { width, heads, headDim = width / heads } = own;
  return {
    kvHeads: heads,
    headDim,
    gated: false,
    parallel: false,
    headNorm: null,
    headNormSpansHeads: false,
    layerScale: false,
    causal: false,
    softcap: 0,
    blocks: count,
    layers: Array.from({ length: count }, (_, block) => plainLayer(1 / Math.sqrt(headDim), block)),
    rotaries: [],
    relative: null,
    memoryWidth: null,
    ...own,
  };
}

export const layerNorm = (epsilon: number): NormConfig => ({ kind: 'layer', epsilon, offset: 0 });

/** Collects which tensor fills which parameter. */
export class TensorNames {
  readonly uses = new Map<string, TensorUse[]>();

  add(tensor: string, use: TensorUse): void {
    this.uses.set(tensor, [...(this.uses.get(tensor) ?? []), use]);
  }

  linear(
    parameter: string,
    tensor: string,
    { bias = true, ...use }: { bias?: boolean } & Omit<TensorUse, 'parameter'> = {},
  ): void {
    this.add(`${tensor}.weight`, { parameter: `${parameter}.weight`, ...use });
    if (bias) this.add(`${tensor}.bias`, { parameter: `${parameter}.bias`, ...use });
  }

  norm(parameter: string, tensor: string, bias = true): void {
    this.linear(parameter, tensor, { bias });
  }
}

/** What `config.json` and the file's names of tensors say of a model. */
export interface Family {
  /** The fields that change what it computes. */
  readonly fields: Fields;
  /** @throws RangeError that names a field */
  readonly describe: (config: Config, tensors: ReadonlySet<string>) => Architecture;
}

export const family = <F extends Fields>(
  fields: F,
  describe: (values: Values<F>, tensors: ReadonlySet<string>) => Architecture,
): Family => ({
  fields,
  describe: (config, tensors) => describe(readFields(config, fields), tensors),
});

/** What stands before `name` in the file: `bert.`, `model.`, or nothing. */
export function prefixOf(name: string, tensors: ReadonlySet<string>): string {
  const found = [...tensors].find((tensor) => tensor === name || tensor.endsWith(`.${name}`));
  return found?.slice(0, -name.length) ?? '';
}

/** Heads of classifiers, taggers and question answering: such a model predicts no tokens. */
const TASK_HEAD = /^(score|classifier|qa_outputs)\./u;

export const hasTaskHead = (tensors: ReadonlySet<string>): boolean =>
  [...tensors].some((tensor) => TASK_HEAD.test(tensor));
