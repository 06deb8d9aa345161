/**
 * The Embind table of `cpp/bindings.cpp` as TypeScript sees it; `npm run test:supply` compares it with what Embind says. Internal:
 * users meet the classes of `web/api`, which check kinds, fill defaults and own the handles.
 *
 * Errors: every function throws `TypeError` or `RangeError` with a full sentence and leaves its handle usable.
 */
import type { Wasm } from '../api/platform.js';

/** A row-major tensor handed to C++, copied on entry. */
export interface Float32Block {
  data: Float32Array;
  shape: number[];
}

export interface Float64Block {
  data: Float64Array;
  shape: number[];
}

export interface ByteBlock {
  data: Uint8Array;
  shape: number[];
}

/** Boolean masks are passed as bytes (1 = may attend), additive masks as floats. */
export interface MaskBlock {
  data: Uint8Array | Float32Array;
  shape: number[];
}

/** Every field is required here, because `web/api` fills the defaults. */
export interface LayerConfig {
  embedDim: number;
  numHeads: number;
  numKvHeads: number;
  headDim: number;
  valueHeadDim: number;
  kdim: number;
  vdim: number;
  outDim: number;
  bias: boolean;
  addBiasKv: boolean;
  addZeroAttn: boolean;
  /** Probability 0 … 1. */
  dropout: number;
  activation: 'none' | 'relu';
  rope: {
    dim: number;
    base: number;
    convention: 'half' | 'interleaved';
    /** (positions,dim/2,2): cosines and sines; of no values for those of `base`. */
    table: Float32Block;
  } | null;
  seed: number;
}

/** Options that the layer's `forward` and the function have in common. */
export interface ScoreOptions {
  isCausal: boolean;
  /** Number of keys to the left and to the right of the query's position. */
  window: readonly [number, number] | null;
  /** 0 means no soft cap. */
  softcap: number;
  /** `null` means 1/√headDim. */
  scale: number | null;
  needWeights: boolean;
  /** Which scores are returned: 0 none, 1 raw, 2 scaled, 3 masked. */
  returnScores: number;
}

/** A tensor copied out of C++. */
export interface ResultBlock {
  data: Float32Array;
  shape: Uint32Array;
}

export interface AttentionResult {
  output: ResultBlock;
  weights?: ResultBlock;
  scores?: ResultBlock;
  /** With `returnSteps`. */
  v?: ResultBlock;
}

/** The intermediate results, with `returnSteps`. */
export interface AttentionSteps extends Required<AttentionResult> {
  q: ResultBlock;
  k: ResultBlock;
  scaled: ResultBlock;
  masked: ResultBlock;
  context: ResultBlock;
  concat: ResultBlock;
}

export interface Flops {
  projections: number;
  scores: number;
  context: number;
  softmax: number;
}

export interface Handle {
  delete(): void;
}

/** Keys and values of earlier calls. */
export interface KVCacheHandle extends Handle {
  length(): number;
  /** Keeps only the first `length` keys; a shorter cache stays as it is. */
  truncate(length: number): void;
  /** Takes the content of another cache. */
  copy(from: KVCacheHandle): void;
  /** keys (B,H_kv,S,d_k) and values (B,H_kv,S,d_v), whose sizes must agree. */
  fill(keys: Float32Block, values: Float32Block): void;
  /** The keys or values, in the shapes of `fill`. */
  read(values: boolean): ResultBlock;
}

/** Result of `backward`: each block has the shape of its input or parameter. */
export interface LayerGradients {
  query: ResultBlock;
  key: ResultBlock;
  value: ResultBlock;
  /** Gradients of the parameters, by PyTorch's names. */
  parameters: Record<string, ResultBlock>;
}

export interface LayerHandle extends Handle {
  /** `key` and `value` may be the same object as `query`: it is then copied once. */
  forward(
    query: Float32Block,
    key: Float32Block,
    value: Float32Block,
    attnMask: MaskBlock | null,
    keyPaddingMask: MaskBlock | null,
    cache: KVCacheHandle | null,
    isCausal: boolean,
    window: ScoreOptions['window'],
    /** (B,2): the position of query 0, and how many keys are real. */
    placements: Float32Block | null,
    /** (B,L), of RoPE; there must be as many new keys. */
    positions: Float32Block | null,
    alibi: boolean,
    softcap: number,
    scale: number | null,
    needWeights: boolean,
    returnScores: number,
    returnSteps: boolean,
    training: boolean,
    /** Arrays of the right length, which are filled and returned; null: new ones. */
    outputTarget: Float32Array | null,
    weightsTarget: Float32Array | null,
  ): AttentionResult;
  /** Computes the gradients of the last `forward` with `training`. */
  backward(gradOutput: Float32Block): LayerGradients;
  /** Copies of the parameters in PyTorch's names and (out, in) layout, packed where torch packs. */
  stateDict(): Record<string, ResultBlock>;
  /** Replaces all parameters, or none on an error. Accepts the packed and the separate form. */
  loadStateDict(dict: Record<string, Float32Block>): void;
  parameterCount(): number;
  flops(queries: number, keys: number, batch: number): Flops;
}

export interface SdpaOptions extends ScoreOptions {
  mask: MaskBlock | null;
  /** (H,) */
  alibiSlopes: Float32Block | null;
  /** (B,2): the position of query 0, and how many keys are real. */
  placements: Float32Block | null;
  dropout: number;
  seed: number;
  enableGqa: boolean;
}

/** One of NumPy's two generators: bit-exact streams of float64. */
export interface GeneratorHandle extends Handle {
  /** Makes `size` draws of `loc + scale · standard_normal`. */
  normal(loc: number, scale: number, size: number): Float64Array;
  /** Makes `size` draws from [0, 1). */
  random(size: number): Float64Array;
}

/** The instruction sets that the package has binaries for. */
export type Build = 'simd' | 'relaxed';

/** Reads and sets the module's own stack pointer, which a thrown error leaves where it was. */
export interface StackAccess {
  stackSave(): number;
  stackRestore(position: number): void;
}

/** What every binary has. */
export interface EngineBinding extends StackAccess {
  /** Which instruction set this binary was compiled for. */
  readonly build: Build;
  /** How many threads compute, the calling one included; 1 in single-threaded binaries. */
  threadCount(): number;
  /** Computes products by tiles of 6 rows instead of 5 in the relaxed build; the others have tiles of 4 only. */
  useTallTiles(): void;
}

export interface AttentionBinding extends EngineBinding {
  MultiHeadAttention: new (config: LayerConfig) => LayerHandle;
  KVCache: new () => KVCacheHandle;
  /** `numpy.random.RandomState(seed)`, seed 0 … 2³² − 1. */
  RandomState: new (seed: number) => GeneratorHandle;
  /** `numpy.random.default_rng(seed)`, seed 0 … 2⁵³ − 1. */
  DefaultRng: new (seed: number) => GeneratorHandle;
  /** query (…,H,L,d_k), key (…,H,S,d_k), value (…,H,S,d_v); leading dimensions equal. */
  scaledDotProductAttention(
    query: Float32Block,
    key: Float32Block,
    value: Float32Block,
    options: SdpaOptions,
  ): AttentionResult;
  /** weights (H,L,S) or (B,H,L,S), all finite and ≥ 0 → (H,) or (B,H). */
  entropy(weights: Float32Block): ResultBlock;
  /** weights as above → (H,H) or (B,H,H). */
  similarity(weights: Float32Block): ResultBlock;
  /** weights as above, targets (R,L,S) → (H,R) or (B,H,R). */
  roleScores(weights: Float32Block, targets: ByteBlock): ResultBlock;
}

export interface ModuleOptions {
  /** Instantiates the module, so that `web/api` decides where the bytes come from. */
  instantiateWasm(
    imports: object,
    done: (instance: Wasm<'Instance'>, module: Wasm<'Module'>) => void,
  ): object;
}

export default function createAttention(options: ModuleOptions): Promise<AttentionBinding>;

/** What multi-threaded binaries have besides. */
export interface ThreadPool {
  /** Starts threads until `count` compute, the calling one included; each takes a worker of the pool. */
  startThreads(count: number): void;
  /** The number of those threads that already run. */
  runningThreads(): number;
  /** Whether a thread ended before its work was done: from then on every call throws. */
  threadsAreLost(): boolean;
}

/** The table of a multi-threaded binary: the same functions, computed by a pool of threads. */
export interface ThreadedBinding extends AttentionBinding, ThreadPool {}

/** A worker with the interface of a browser's: the loader uses `postMessage` and `onmessage`. */
export interface PoolWorker {
  terminate(): unknown;
  /** In Node: lets the program end although the worker waits for work. */
  unref?(): void;
}

export interface ThreadedModuleOptions extends ModuleOptions {
  /** The loader asks for one worker fewer, and settles when all workers have instantiated the module. */
  threads: number;
  wasmMemory: Wasm<'Memory'>;
  /** Creates a worker that runs this loader and is named `em-pthread`. */
  createWorker(): PoolWorker;
}
