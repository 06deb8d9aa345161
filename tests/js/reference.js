/**
 * The layer and scaled dot-product attention in JavaScript's doubles: loops over nested arrays, straight from the
 * definitions and sharing no code with the library. No dropout.
 */

export function indices(n) {
  const all = [];
  for (let i = 0; i < n; ++i) all.push(i);
  return all;
}

function dot(a, b) {
  let sum = 0;
  for (let p = 0; p < a.length; ++p) sum += a[p] * b[p];
  return sum;
}

/** Nested arrays of this shape; `make` gets the indices of each element. */
export const fill = ([size, ...inner], make, place = []) =>
  indices(size).map((i) => (inner.length === 0 ? make(...place, i) : fill(inner, make, [...place, i])));

const rank = (x) => (Array.isArray(x) ? 1 + rank(x[0]) : 0);

/** y = W·x + b for a weight in (out,in) layout. */
const project = (x, weight, bias) => weight.map((row, o) => dot(row, x) + (bias ? bias[o] : 0));

/** (H·d) → (H,d) */
const splitHeads = (x, heads) =>
  indices(heads).map((h) => x.slice((h * x.length) / heads, ((h + 1) * x.length) / heads));

/** (B,L,H,d) → (B,H,L,d), and back. */
const swapRowsAndHeads = (x) => x.map((rows) => rows[0].map((_, h) => rows.map((heads) => heads[h])));

/**
 * Press, Smith & Lewis (2022): 2^(−8/n), 2^(−16/n), … for n heads, n a power of two; for other n those of the power
 * of two below, then every second one of the power of two above.
 */
export function alibiSlopes(heads) {
  const below = 2 ** Math.floor(Math.log2(heads));
  const slopes = (n) => indices(n).map((h) => 2 ** ((-8 * (h + 1)) / n));
  const between = slopes(2 * below).filter((_, h) => h % 2 === 0);
  return [...slopes(below), ...between.slice(0, heads - below)];
}

/** Su et al. (2021): pair t of the first `dim` components is rotated by the angle position·base^(−2t/dim). */
export function rotate(x, position, { base = 10_000, dim = x.length, convention = 'half' }) {
  const turned = [...x];
  for (const t of indices(dim / 2)) {
    const [p, q] = convention === 'half' ? [t, t + dim / 2] : [2 * t, 2 * t + 1];
    const angle = position * base ** ((-2 * t) / dim);
    turned[p] = x[p] * Math.cos(angle) - x[q] * Math.sin(angle);
    turned[q] = x[p] * Math.sin(angle) + x[q] * Math.cos(angle);
  }
  return turned;
}

/** What `mask` adds to the score at `place`, broadcast by NumPy's rule: numbers are added, false forbids. */
function addedBy(mask, place) {
  const element = place
    .slice(place.length - rank(mask))
    .reduce((level, i) => level[level.length === 1 ? 0 : i], mask);
  if (typeof element === 'boolean') return element ? 0 : -Infinity;
  return element;
}

/** Of numbers and −∞; nothing but −∞ gives zeros. */
export function softmax(scores) {
  const max = Math.max(...scores);
  const exponentials = scores.map((score) => (score === -Infinity ? 0 : Math.exp(score - max)));
  const total = exponentials.reduce((sum, e) => sum + e, 0);
  return exponentials.map((e) => (total === 0 ? 0 : e / total));
}

/**
 * q (B,H,L,d_k), k (B,H_kv,S,d_k), v (B,H_kv,S,d_v).
 *
 * Of the options, `masks` are broadcast to (B,H,L,S); `first` is the position of query 0, where key j stands at
 * position j; the last `appended` keys have no position, and nothing is added to their scores.
 */
export function attention(q, k, v, options) {
  const { scale = 1 / Math.sqrt(q[0][0][0].length), softcap = 0, slopes, first = 0, appended = 0 } = options;
  const { isCausal = false, window, masks = [] } = options;
  const group = q[0].length / k[0].length;
  const [left, right] = Array.isArray(window) ? window : [window, window];

  const addedTo = (b, h, i, j) => {
    if (j >= k[b][0].length - appended) return 0;
    const position = first + i;
    if (isCausal && j > position) return -Infinity;
    if (window !== undefined && (j < position - left || j > position + right)) return -Infinity;
    const alibi = slopes ? -slopes[h] * Math.abs(position - j) : 0;
    return masks.reduce((sum, mask) => sum + addedBy(mask, [b, h, i, j]), alibi);
  };
  const perHead = (compute) =>
    q.map((heads, b) => heads.map((rows, h) => compute(b, h, Math.floor(h / group))));

  const scores = perHead((b, h, g) => q[b][h].map((query) => k[b][g].map((key) => dot(query, key))));
  const capped = (score) => (softcap === 0 ? score : softcap * Math.tanh(score / softcap));
  const scaled = perHead((b, h) => scores[b][h].map((row) => row.map((score) => capped(score * scale))));
  const masked = perHead((b, h) =>
    scaled[b][h].map((row, i) =>
      row.map((score, j) => {
        const more = addedTo(b, h, i, j);
        return more === -Infinity ? -Infinity : score + more;
      }),
    ),
  );
  const weights = perHead((b, h) => masked[b][h].map(softmax));
  const context = perHead((b, h, g) =>
    weights[b][h].map((row, i) => {
      const sums = v[b][g][0].map(() => 0);
      row.forEach((weight, j) => {
        if (masked[b][h][i][j] === -Infinity) return;
        v[b][g][j].forEach((value, p) => (sums[p] += weight * value));
      });
      return sums;
    }),
  );
  return { scores, scaled, masked, weights, context };
}

/** The mean over the heads: (B,H,L,S) → (B,L,S). */
export const averageHeads = (weights) =>
  weights.map((heads) =>
    heads[0].map((row, i) =>
      row.map((_, j) => heads.reduce((sum, head) => sum + head[i][j], 0) / heads.length),
    ),
  );

/** An empty cache for `layer`: keys and values (B,H_kv,S,d) of the calls so far. */
export const emptyCache = () => ({ length: 0 });

const concatKeys = (before, now) =>
  before ? now.map((heads, b) => heads.map((rows, g) => [...before[b][g], ...rows])) : now;

/**
 * `MultiHeadAttention` of `config` with the separate (out,in) `parameters`; query (B,L,E), key (B,S,kdim),
 * value (B,S,vdim). Returns the same as `steps()`.
 */
export function layer(config, parameters, [query, key, value], options = {}) {
  const { numHeads, numKvHeads = numHeads, rope, activation = 'none' } = config;
  const { alibi = false, attnMask, keyPaddingMask, cache = emptyCache(), ...rest } = options;
  const first = cache.length;
  const act = activation === 'relu' ? (x) => x.map((value) => Math.max(value, 0)) : (x) => x;

  let start = 0;
  const projected = (inputs, name, heads) => {
    const weight = parameters[`${name}_proj_weight`];
    const bias = parameters.in_proj_bias?.slice(start, start + weight.length);
    start += weight.length;
    const rows = inputs.map((item) => item.map((x) => splitHeads(act(project(x, weight, bias)), heads)));
    return swapRowsAndHeads(rows);
  };
  const positioned = (x) =>
    x.map((heads) => heads.map((rows) => rows.map((row, i) => (rope ? rotate(row, first + i, rope) : row))));
  const q = positioned(projected(query, 'q', numHeads));
  const newKeys = positioned(projected(key, 'k', numKvHeads));
  const newValues = projected(value, 'v', numKvHeads);
  cache.keys = concatKeys(cache.keys, newKeys);
  cache.values = concatKeys(cache.values, newValues);
  cache.length += key[0].length;

  const append = (x, bias) =>
    x.map((heads) =>
      heads.map((rows, g) => [
        ...rows,
        ...(config.addBiasKv ? [splitHeads(bias.flat(Infinity), numKvHeads)[g]] : []),
        ...(config.addZeroAttn ? [rows[0].map(() => 0)] : []),
      ]),
    );
  const k = append(cache.keys, parameters.bias_k);
  const v = append(cache.values, parameters.bias_v);

  const masks = [];
  if (attnMask) masks.push(rank(attnMask) === 3 ? attnMask.map((rows) => [rows]) : attnMask);
  if (keyPaddingMask) masks.push(keyPaddingMask.map((keys) => [[keys]]));
  const steps = attention(q, k, v, {
    ...rest,
    slopes: alibi ? alibiSlopes(numHeads) : undefined,
    first,
    masks,
    appended: Number(config.addBiasKv ?? false) + Number(config.addZeroAttn ?? false),
  });
  const concat = swapRowsAndHeads(steps.context).map((rows) => rows.map((heads) => heads.flat()));
  const output = concat.map((rows) =>
    rows.map((x) => act(project(x, parameters['out_proj.weight'], parameters['out_proj.bias']))),
  );
  return { q, k, v, ...steps, concat, output };
}
