/** How a family's table describes a model to the binary. */
import type { ModelConfig, RowStage } from '../wasm/models.js';
import { rangeError } from '../api/errors.js';

/** `config.json` of Hugging Face's layout. */
export type Config = Readonly<Record<string, unknown>>;

/** A tensor of the file that fills a parameter of the binary. */
export interface TensorUse {
  /** The parameter, as `Model.shapes()` of the binary names it. */
  readonly parameter: string;
  /** Stored as (in, out), as GPT-2 does. */
  readonly transposed?: boolean;
  /** The part of a fused matrix: its index, and how many parts there are along the output features. */
  readonly part?: readonly [index: number, of: number];
}

/** The sum of embeddings that enters the map `input`. */
export interface TextInput {
  readonly kind: 'text';
  readonly width: number;
  readonly token: string;
  /** Rows of a table by position; position 0 is row `first`. */
  readonly position?: { readonly tensor: string; readonly first: number };
  readonly type?: string;
  /** Padding of RoBERTa has the position of its own id. */
  readonly paddingId?: number;
  /** Token embeddings are multiplied by this: √d in Gemma. */
  readonly scale?: number;
  readonly maxLength: number;
}

/** Patches of an image, behind learned tokens. */
export interface ImageInput {
  readonly kind: 'image';
  readonly width: number;
  readonly imageSize: number;
  readonly patchSize: number;
  readonly channels: number;
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

export interface Architecture {
  readonly family: string;
  readonly config: Omit<ModelConfig, 'int8'>;
  readonly maps: RowMapConfig[];
  readonly input: TextInput | ImageInput;
  /** By name in the file. A tensor may fill several parameters. */
  readonly tensors: ReadonlyMap<string, readonly TensorUse[]>;
  /** Read in the page's own memory, not by the binary: embeddings. */
  readonly tables: ReadonlyMap<string, readonly number[]>;
  /** Tensors of other tasks, which are not read. */
  readonly ignored: RegExp;
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

/** Reads `config.json` with messages that name the field. */
export class ConfigReader {
  constructor(private readonly config: Config) {}

  integer(name: string, fallback?: number): number {
    const value = this.config[name] ?? fallback;
    if (!Number.isInteger(value) || (value as number) < 1 || (value as number) > 2 ** 31) {
      throw rangeError(`config.json: ${name}`, `be a positive integer, got ${JSON.stringify(value)}`);
    }
    return value as number;
  }

  number(name: string, fallback?: number): number {
    const value = this.config[name] ?? fallback;
    if (typeof value !== 'number' || !Number.isFinite(value)) {
      throw rangeError(`config.json: ${name}`, `be a number, got ${JSON.stringify(value)}`);
    }
    return value;
  }

  optional(name: string): unknown {
    return this.config[name] ?? undefined;
  }

  flag(name: string, fallback: boolean): boolean {
    const value = this.config[name] ?? fallback;
    return value === true;
  }

  /** The binary's name of an activation function of transformers. */
  activation(name: string, fallback?: string): string {
    const value = this.config[name] ?? fallback;
    const known =
      typeof value === 'string' && Object.hasOwn(ACTIVATIONS, value) ? ACTIVATIONS[value] : undefined;
    if (!known) {
      throw rangeError(
        `config.json: ${name}`,
        `be one of ${Object.keys(ACTIVATIONS).join(', ')}, got ${JSON.stringify(value)}`,
      );
    }
    return known;
  }
}

const ACTIVATIONS: Readonly<Record<string, string>> = {
  gelu: 'gelu',
  gelu_new: 'gelu_tanh',
  gelu_pytorch_tanh: 'gelu_tanh',
  gelu_fast: 'gelu_tanh',
  silu: 'silu',
  swish: 'silu',
  relu: 'relu',
};

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
export type Family = (config: Config, tensors: ReadonlySet<string>) => Architecture;
