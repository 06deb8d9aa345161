/**
 * Random layers, inputs, masks and options for properties.test.js. fast-check draws a short description, which it can
 * print and shrink; `realise` makes the numbers from it.
 *
 * The numbers are chosen so that float32 can reach the limit of the tests honestly. All are small multiples of 1/8, so
 * that projections and scores are exact until RoPE or the scale rounds them, and scores stay moderate. Inputs are not
 * negative and every component of the values keeps its sign, which the output's weights repeat: sums of either sign
 * occur, but none in which large terms cancel and leave their rounding errors behind.
 */
import fc from 'fast-check';
import { mulberry32 } from '../mulberry32.js';
import { fill, indices } from './reference.js';

/** Draws nested arrays of multiples of 1/8. */
class Grid {
  #next;
  constructor(seed) {
    this.#next = mulberry32(seed);
  }
  /** k/8 for an integer k from `min` to `max` */
  eighths = (min, max) => (min + Math.floor(this.#next() * (max - min + 1))) / 8;
  chance = (probability) => this.#next() < probability;
  sign = () => (this.chance(0.5) ? 1 : -1);
}

const between = (min, max) => fc.integer({ min, max });
const data = fc.noShrink(between(0, 2 ** 31 - 1));
const sometimes = between(0, 3).map((n) => n === 3);
const orNone = (arbitrary) => fc.option(arbitrary, { nil: undefined, freq: 2 });
/** Mostly short; over 32, and no multiples of 4 and 8, as well. */
const length = fc.oneof({ arbitrary: between(1, 9), weight: 5 }, { arbitrary: between(10, 40), weight: 1 });
const width = between(1, 24);
const heads = fc.constantFrom(
  ...[1, 2, 3, 4, 5, 6, 7, 8].flatMap((n) =>
    indices(n + 1)
      .filter((kv) => n % kv === 0)
      .map((kv) => ({ numHeads: n, numKvHeads: kv })),
  ),
);

const window = fc.oneof(between(0, 6), fc.tuple(between(0, 6), between(0, 6)));
const mask = fc.record({
  kind: fc.constantFrom('boolean', 'added'),
  rank: between(2, 4),
  /** Which of the dimensions have length 1. */
  broadcast: fc.tuple(fc.boolean(), fc.boolean(), sometimes, sometimes),
  kept: fc.constantFrom(0.1, 0.6, 0.95),
});

const layerFields = {
  data,
  batch: between(1, 3),
  queries: length,
  keys: length,
  selfAttention: fc.boolean(),
  heads,
  headDim: between(1, 12),
  valueHeadDim: between(1, 12),
  embedDim: width,
  kdim: width,
  vdim: width,
  outDim: width,
  bias: fc.boolean(),
  addBiasKv: sometimes,
  addZeroAttn: sometimes,
  relu: sometimes,
  rope: orNone(
    fc.record({
      base: fc.constantFrom(10_000, 500, 3),
      pairs: between(1, 6),
      convention: fc.constantFrom('half', 'interleaved'),
    }),
  ),
  /** Keys that an earlier call has left in a cache. */
  cached: fc.oneof({ arbitrary: fc.constant(0), weight: 2 }, { arbitrary: between(1, 12), weight: 1 }),
  isCausal: sometimes,
  window: orNone(window),
  alibi: sometimes,
  softcap: fc.constantFrom(0, 0, 0.75, 5, 50),
  scale: orNone(fc.constantFrom(-0.5, 0.3, 1, 2)),
  attnMask: orNone(mask),
  keyPadding: sometimes,
};

/** Descriptions of layers with their inputs and options; `fixed` replaces fields by constants. */
export const layerCase = (fixed = {}) =>
  fc.record({
    ...layerFields,
    ...Object.fromEntries(Object.entries(fixed).map(([name, value]) => [name, fc.constant(value)])),
  });

function realiseMask(grid, { kind, rank, broadcast, kept }, shape) {
  const sizes = shape.map((size, axis) => (broadcast[axis] ? 1 : size)).slice(4 - rank);
  // Three dimensions are (B,L,S).
  if (rank === 3) sizes[0] = broadcast[0] ? 1 : shape[0];
  return fill(sizes, () => {
    const allowed = grid.chance(kept);
    if (kind === 'boolean') return allowed;
    // Odd numbers of eighths: a mask of plain numbers may not be all 0 or 1.
    return allowed ? 2 * grid.eighths(-8, 7) + 1 / 8 : -Infinity;
  });
}

/**
 * `{ config, parameters, earlier, inputs, options }`: the arguments of `new MultiHeadAttention`, `loadStateDict` and `forward`,
 * as nested arrays. `earlier` are the inputs of the call that fills the cache, if there is one.
 */
export function realiseLayer(description) {
  const { batch, queries, selfAttention, headDim, valueHeadDim, embedDim, outDim, cached } = description;
  const { numHeads, numKvHeads } = description.heads;
  const grid = new Grid(description.data);
  const keys = selfAttention ? queries : description.keys;
  const kdim = selfAttention ? embedDim : description.kdim;
  const vdim = selfAttention ? embedDim : description.vdim;
  const dim = 2 * Math.min(description.rope?.pairs ?? 0, Math.floor(headDim / 2));
  const rope =
    dim === 0 ? undefined : { base: description.rope.base, dim, convention: description.rope.convention };

  const signed = () => grid.eighths(-4, 4);
  const valueSigns = fill([numKvHeads * valueHeadDim], grid.sign);
  const outputSigns = fill([outDim], grid.sign);
  const group = numHeads / numKvHeads;
  /** The component of the values that component p of the concatenated heads is a mean of. */
  const valueOf = (p) => Math.floor(p / (valueHeadDim * group)) * valueHeadDim + (p % valueHeadDim);
  const parameters = {
    q_proj_weight: fill([numHeads * headDim, embedDim], signed),
    k_proj_weight: fill([numKvHeads * headDim, kdim], signed),
    v_proj_weight: fill([numKvHeads * valueHeadDim, vdim], (p) => valueSigns[p] * grid.eighths(0, 4)),
    'out_proj.weight': fill(
      [outDim, numHeads * valueHeadDim],
      (e, p) => outputSigns[e] * valueSigns[valueOf(p)] * grid.eighths(0, 4),
    ),
    ...(description.bias && {
      in_proj_bias: [
        ...fill([(numHeads + numKvHeads) * headDim], signed),
        ...valueSigns.map((sign) => sign * grid.eighths(0, 4)),
      ],
      'out_proj.bias': outputSigns.map((sign) => sign * grid.eighths(0, 8)),
    }),
    ...(description.addBiasKv && {
      bias_k: [[fill([numKvHeads * headDim], signed)]],
      bias_v: [[valueSigns.map((sign) => sign * grid.eighths(0, 4))]],
    }),
  };
  const config = {
    ...{ embedDim, numHeads, numKvHeads, headDim, valueHeadDim, kdim, vdim, outDim, rope },
    bias: description.bias,
    addBiasKv: description.addBiasKv,
    addZeroAttn: description.addZeroAttn,
    activation: description.relu ? 'relu' : 'none',
  };

  const tokens = (length, size) => fill([batch, length, size], () => grid.eighths(0, 8));
  const inputsOf = (length, keyLength) => {
    const query = tokens(length, embedDim);
    return selfAttention ? [query, query, query] : [query, tokens(keyLength, kdim), tokens(keyLength, vdim)];
  };
  const { isCausal, alibi, softcap } = description;
  const all = cached + keys;
  const options = {
    ...{ isCausal, alibi, softcap },
    ...(description.window !== undefined && { window: description.window }),
    ...(description.scale !== undefined && { scale: description.scale }),
    ...(description.attnMask && {
      attnMask: realiseMask(grid, description.attnMask, [batch, numHeads, queries, all]),
    }),
    ...(description.keyPadding && { keyPaddingMask: fill([batch, all], () => grid.chance(0.8)) }),
  };
  return {
    ...{ config, parameters, options },
    earlier: cached > 0 ? inputsOf(cached, cached) : undefined,
    inputs: inputsOf(queries, keys),
    grid,
  };
}

/** Descriptions of scaledDotProductAttention's arguments. */
export const sdpaCase = fc.record({
  data,
  leading: fc.array(between(1, 2), { maxLength: 2 }),
  heads,
  queries: length,
  keys: length,
  headDim: width,
  valueHeadDim: width,
  isCausal: sometimes,
  window: orNone(window),
  alibi: sometimes,
  softcap: fc.constantFrom(0, 0, 0.75, 5, 50),
  scale: orNone(fc.constantFrom(-0.5, 0.3, 1, 2)),
  mask: orNone(mask),
});

/** `{ inputs, options }` with q (B,H,L,d_k), k (B,H_kv,S,d_k), v (B,H_kv,S,d_v), B the product of `leading`. */
export function realiseSdpa(description) {
  const { leading, queries, keys, headDim, valueHeadDim, isCausal, softcap } = description;
  const { numHeads, numKvHeads } = description.heads;
  const grid = new Grid(description.data);
  const batch = leading.reduce((a, b) => a * b, 1);
  const signs = fill([valueHeadDim], grid.sign);
  const inputs = [
    fill([batch, numHeads, queries, headDim], () => grid.eighths(-8, 8)),
    fill([batch, numKvHeads, keys, headDim], () => grid.eighths(-8, 8)),
    fill([batch, numKvHeads, keys, valueHeadDim], (b, h, j, p) => signs[p] * grid.eighths(0, 8)),
  ];
  const options = {
    ...{ isCausal, softcap },
    ...(description.window !== undefined && { window: description.window }),
    ...(description.scale !== undefined && { scale: description.scale }),
    ...(description.alibi && { alibiSlopes: fill([numHeads], () => grid.eighths(0, 4)) }),
    ...(description.mask && {
      mask: realiseMask(
        grid,
        { ...description.mask, rank: description.mask.rank === 3 ? 4 : description.mask.rank },
        [batch, numHeads, queries, keys],
      ),
    }),
  };
  return { inputs, options, grid };
}
