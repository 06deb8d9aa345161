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

export type Activation = 'relu' | 'gelu' | 'gelu_tanh' | 'silu' | 'tanh';

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
  /** Where norms stand: before attention and feed-forward, after them, or both. */
  placement: 'before' | 'after' | 'both';
  headNorm: NormConfig | null;
  layerScale: boolean;
  causal: boolean;
  softcap: number;
  /** How the weights of linear maps are kept. */
  dtype: 'auto' | 'float32' | 'int8';
  blocks: number;
  layers: LayerConfig[];
  /** Radians per position of each pair of components. */
  rotaries: number[][];
}

/** One of these. */
export interface RowStage {
  /** Width of the output. */
  linear?: number;
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
  hiddenStates: ResultBlock[];
  layerInputs: ResultBlock[];
  last: ResultBlock;
}

export interface CacheHandle extends Handle {
  length(): number;
  truncate(rows: number): void;
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
  ): ForwardResult;
}

export interface ModelsBinding extends EngineBinding {
  readonly Model: new (
    config: ModelConfig,
    maps: { name: string; width: number; stages: RowStage[] }[],
  ) => ModelHandle;
  readonly Cache: new () => CacheHandle;
}

/** The table of a multi-threaded binary. */
export interface ThreadedModelsBinding extends ModelsBinding, ThreadPool {}

declare const createModels: (options: ModuleOptions) => Promise<ModelsBinding>;
export default createModels;
