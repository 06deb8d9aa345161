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

/** What else is wanted of a forward, or changed in it. */
export interface Inspection {
  /** Of the layers whose attentions are wanted. */
  valueWeighted: boolean;
  contexts: boolean;
  /** The row of (B·L,E) of which is told what each part of the model adds; null: none. */
  traced: number | null;
  /** What it takes enters this layer; the layers before it are left out. */
  firstLayer: number;
  /** (B,L,H·d): the heads' context in the first layer, whose attention is left out. */
  context: Float32Block | null;
  /** Of each item the row that leaves the last layer, `last` (B,1,E); null: all. */
  onlyRow: number | null;
}

export interface ForwardResult {
  attentions: (ResultBlock | null)[];
  /** (B,H,L,S') to the memory. */
  crossAttentions: (ResultBlock | null)[];
  hiddenStates: ResultBlock[];
  layerInputs: ResultBlock[];
  /** (B,H,L,S): a_ij·‖v_j·W_h‖. */
  valueWeighted: (ResultBlock | null)[];
  /** (B,L,H·d) */
  contexts: ResultBlock[];
  /**
   * (parts,E) of the traced row: what entered; layer by layer each head, each head of cross-attention, the feed-forward
   * network; the biases.
   */
  parts?: Float32Array<ArrayBuffer>;
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
  /**
   * What a map makes of parts (parts,in) that sum up to a row, with the row's own norms and factors: (parts,out), or
   * (parts,columns) of its last linear stage. Its biases become part of the last one.
   */
  mapParts(map: string, parts: Float32Block, columns: number[]): Float32Array<ArrayBuffer>;
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
    inspection: Inspection | null,
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
