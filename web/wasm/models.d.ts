/**
 * The Embind table of `cpp/models/bindings.cpp` as TypeScript sees it; `npm run test:supply` compares it with what Embind says.
 * Internal: users meet `web/models`.
 */
import type {
  Float32Block,
  Handle,
  ModuleOptions,
  ResultBlock,
  EngineBinding,
  ThreadPool,
} from './attention.js';

export type Activation = 'relu' | 'gelu' | 'gelu_tanh' | 'silu' | 'tanh' | 'quick_gelu';

export interface NormConfig {
  kind: 'layer' | 'rms';
  epsilon: number;
  /** Added to the stored weights. */
  offset: number;
}

export interface LayerConfig {
  /** Of the scores. */
  scale: number;
  /** Keys on each side that a query sees, without a causal mask; null: all. */
  window: number | null;
  /** Index into `rotaries`. */
  rotary: number | null;
  /** Index of the block whose parameters it uses. */
  block: number;
  /** false: attention takes what enters the layer as it is, whatever `placement` says. */
  normsInput: boolean;
}

/** What scores gain by the distance of key and query. */
export interface RelativeConfig {
  /** By distance of a key from its query, from −D to D, the row of a table; larger distances count as ±D. */
  rows: number[];
  /** Rows of the table. */
  count: number;
  /** The table holds a number per head; otherwise vectors for disentangled attention. */
  isBias: boolean;
  /** Of the vectors. */
  norm: NormConfig | null;
}

export interface ModelConfig {
  width: number;
  heads: number;
  kvHeads: number;
  headDim: number;
  innerWidth: number;
  gated: boolean;
  activation: Activation;
  norm: NormConfig;
  /** Where norms stand: before attention and feed-forward, after what they add to, both, or after them alone. */
  placement: 'before' | 'after' | 'both' | 'outputs';
  /** Attention and feed-forward take the same rows. */
  parallel: boolean;
  headNorm: NormConfig | null;
  /** It is one of all heads of a token together. */
  headNormSpansHeads: boolean;
  layerScale: boolean;
  causal: boolean;
  softcap: number;
  /** How the weights of linear maps are kept. */
  dtype: 'auto' | 'float32' | 'int8';
  blocks: number;
  layers: LayerConfig[];
  /** Radians per position of each pair of components. */
  rotaries: number[][];
  relative: RelativeConfig | null;
  /** Width of the rows that cross-attention sees; null without it. */
  memoryWidth: number | null;
}

/** A stack of blocks, and what stands before the names of its parameters. */
export interface StackConfig extends ModelConfig {
  prefix: string;
}

/** One of these. */
export interface RowStage {
  /** Width of the output. */
  linear?: number;
  /** A factor. */
  scale?: number;
  activation?: Activation;
  norm?: NormConfig;
  /** c of c·tanh(x / c). */
  softcap?: number;
}

export interface PieceConfig {
  /** F32, F16, BF16, or I8 for a weight with a scale. */
  dtype: string;
  rows: number;
  columns: number;
  firstColumn: number;
  firstRow: number;
  transposed: boolean;
}

export interface ForwardResult {
  attentions: (ResultBlock | null)[];
  /** (B,H,L,S') to the memory. */
  crossAttentions: (ResultBlock | null)[];
  hiddenStates: ResultBlock[];
  layerInputs: ResultBlock[];
  last: ResultBlock;
}

export interface CacheHandle extends Handle {
  length(): number;
  truncate(rows: number): void;
  /** Item b becomes a copy of item `items[b]`. */
  select(items: number[]): void;
}

export interface ModelHandle extends Handle {
  /** By parameter. */
  shapes(): Record<string, Uint32Array>;
  write(parameter: string, bytes: Uint8Array, piece: PieceConfig): void;
  read(parameter: string): ResultBlock;
  /** x (rows,in) → (rows,out) */
  mapRows(map: string, x: Float32Block): Float32Array<ArrayBuffer>;
  /** Rows of the weight of a map's last linear stage. */
  weightRows(map: string, indices: number[]): Float32Array<ArrayBuffer>;
  forward(
    /** Index of the stack. */
    stack: number,
    hidden: Float32Block,
    mask: { data: Uint8Array; shape: number[] } | null,
    attentions: number[],
    /** (layers·H,); empty: all factors are 1. */
    headMask: number[],
    /** (B·L,) of rotary embeddings; empty: those behind the cache. */
    positions: number[],
    hiddenStates: boolean,
    layerInputs: boolean,
    cache: CacheHandle | null,
    /** (B,S',E') that cross-attention sees; null: that of the cache. */
    memory: Float32Block | null,
    memoryMask: { data: Uint8Array; shape: number[] } | null,
    crossAttentions: number[],
  ): ForwardResult;
}

export interface ModelsBinding extends EngineBinding {
  readonly Model: new (
    stacks: StackConfig[],
    maps: { name: string; width: number; stages: RowStage[] }[],
  ) => ModelHandle;
  readonly Cache: new () => CacheHandle;
}

/** The table of a multi-threaded binary. */
export interface ThreadedModelsBinding extends ModelsBinding, ThreadPool {}

declare const createModels: (options: ModuleOptions) => Promise<ModelsBinding>;
export default createModels;
