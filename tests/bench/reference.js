/**
 * Attention in double precision, for a sample of rows: all heads of some queries of the first and the last sequence.
 * The definition (Vaswani et al. 2017, section 3.2) in plain loops; only two sums change places so that no row needs
 * the keys and values of all others: q·(W x_j + b) = (Wᵀq)·x_j + q·b, and Σ_j w_j (W x_j + b) = W (Σ_j w_j x_j) + b, as Σ_j w_j = 1.
 */

const ROWS = 8;

/** Up to `count` of 0 … size − 1, evenly spread, the first and the last among them. */
function sample(size, count) {
  const last = Math.min(size, count) - 1;
  return last < 1
    ? [...Array(size).keys()]
    : Array.from({ length: last + 1 }, (_, i) => Math.round((i * (size - 1)) / last));
}

const dot = (a, aStart, b, bStart, size) => {
  let sum = 0;
  for (let i = 0; i < size; i++) sum += a[aStart + i] * b[bStart + i];
  return sum;
};

/** to += factor · from[start …] */
function add(to, factor, from, start) {
  for (let i = 0; i < to.length; i++) to[i] += factor * from[start + i];
}

/** W x + b for rows `first` … `first + count` of W (out, in). */
const project = ({ weight, bias }, x, first, count) =>
  Float64Array.from(
    { length: count },
    (_, r) => dot(weight, (first + r) * x.length, x, 0, x.length) + bias[first + r],
  );

function softmax(scores) {
  const largest = scores.reduce((a, b) => Math.max(a, b));
  const powers = scores.map((score) => Math.exp(score - largest));
  const sum = powers.reduce((a, b) => a + b);
  return powers.map((power) => power / sum);
}

/** Output (d) and weights (H × N) of one query of one sequence. */
function layerRow({ length, embedDim, numHeads }, parameters, x, start, query) {
  const { query: toQuery, key: toKey, value: toValue, output: toOutput } = parameters;
  const headDim = embedDim / numHeads;
  const token = Float64Array.from(x.subarray(start + query * embedDim, start + (query + 1) * embedDim));
  const context = new Float64Array(embedDim);
  const weights = [];
  for (let head = 0; head < numHeads; head++) {
    const first = head * headDim;
    const q = project(toQuery, token, first, headDim);
    const direction = new Float64Array(embedDim);
    q.forEach((value, r) => add(direction, value, toKey.weight, (first + r) * embedDim));
    const shift = dot(q, 0, toKey.bias, first, headDim);
    const scores = Float64Array.from(
      { length },
      (_, j) => (dot(direction, 0, x, start + j * embedDim, embedDim) + shift) / Math.sqrt(headDim),
    );
    const row = softmax(scores);
    const mean = new Float64Array(embedDim);
    row.forEach((weight, j) => add(mean, weight, x, start + j * embedDim));
    context.set(project(toValue, mean, first, headDim), first);
    weights.push(row);
  }
  return { output: project(toOutput, context, 0, embedDim), weights };
}

/** Sampled rows of the layer: [{ sequence, query, output, weights }]. */
export function layerReference(shape, parameters, x) {
  const { batch, length, embedDim } = shape;
  return sample(batch, 2).flatMap((sequence) =>
    sample(length, ROWS).map((query) => ({
      sequence,
      query,
      ...layerRow(shape, parameters, x, sequence * length * embedDim, query),
    })),
  );
}

/** Sampled rows of attention on (B, H, N, d_k): [{ sequence, query, output (H × d_k) }]. */
export function attentionReference(
  shape,
  { query, key, value },
  { isCausal = false, window = Infinity } = {},
) {
  const { batch, length, numHeads, headDim } = shape;
  const row = (start, i) => {
    const visible = (j) => Math.abs(i - j) <= window && (!isCausal || j <= i);
    const scores = Float64Array.from({ length }, (_, j) =>
      visible(j)
        ? dot(query, start + i * headDim, key, start + j * headDim, headDim) / Math.sqrt(headDim)
        : -Infinity,
    );
    const output = new Float64Array(headDim);
    softmax(scores).forEach((weight, j) => add(output, weight, value, start + j * headDim));
    return output;
  };
  return sample(batch, 2).flatMap((sequence) =>
    sample(length, ROWS).map((i) => ({
      sequence,
      query: i,
      output: Array.from({ length: numHeads }, (_, head) =>
        row((sequence * numHeads + head) * length * headDim, i),
      ),
    })),
  );
}

/** Largest distance of `actual[start …]` from `expected`; NaN where a number is missing or not finite. */
function distance(actual, start, expected) {
  return expected.reduce((worst, value, i) => {
    const error = Math.abs(actual[start + i] - value);
    return error > worst || Number.isNaN(error) ? error : worst;
  }, 0);
}

/** The larger one; NaN if one is NaN. */
const worst = (errors) => errors.reduce((a, b) => Math.max(a, b), 0);

/** Distance of a layer's result from the sampled rows: { output, weights }. */
export function layerError({ length, embedDim, numHeads }, result, rows) {
  const output = rows.map(({ sequence, query, output }) =>
    distance(result.output, (sequence * length + query) * embedDim, output),
  );
  const weights = rows.flatMap(({ sequence, query, weights }) =>
    weights.map((row, head) =>
      distance(result.weights, ((sequence * numHeads + head) * length + query) * length, row),
    ),
  );
  return { output: worst(output), weights: worst(weights) };
}

/** Distance of attention's result from the sampled rows: { output }. */
export function attentionError({ length, numHeads, headDim }, result, rows) {
  const output = rows.flatMap(({ sequence, query, output }) =>
    output.map((row, head) =>
      distance(result.output, ((sequence * numHeads + head) * length + query) * headDim, row),
    ),
  );
  return { output: worst(output) };
}
