/**
 * BERT in double precision: the definition in plain loops.
 *
 * @see Devlin et al. 2019; the names are those of transformers' BertModel
 */

/** W x + b for every row of x. */
function linear(x, { weight, bias }) {
  const [out, width] = weight.shape;
  return x.map((row) =>
    Float64Array.from({ length: out }, (_, i) => {
      let sum = bias.data[i];
      for (let j = 0, at = i * width; j < width; j++) sum += weight.data[at + j] * row[j];
      return sum;
    }),
  );
}

function layerNorm(x, { weight, bias }, epsilon) {
  return x.map((row) => {
    const mean = row.reduce((a, b) => a + b) / row.length;
    const variance = row.reduce((sum, value) => sum + (value - mean) ** 2, 0) / row.length;
    return row.map(
      (value, i) => ((value - mean) / Math.sqrt(variance + epsilon)) * weight.data[i] + bias.data[i],
    );
  });
}

/** erf x = 2/√π·e^(−x²)·Σ 2ⁿx^(2n+1)/(2n+1)!! (Abramowitz & Stegun 7.1.6): no term cancels another. */
function erf(x) {
  if (Math.abs(x) > 6) return Math.sign(x);
  let term = x;
  let sum = x;
  for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(sum); n++) {
    term *= (2 * x * x) / (2 * n + 1);
    sum += term;
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
}

const gelu = (x) => (x * (1 + erf(x * Math.SQRT1_2))) / 2;

const added = (x, y) => x.map((row, i) => row.map((value, j) => value + y[i][j]));

function softmax(scores) {
  const largest = scores.reduce((a, b) => Math.max(a, b));
  const powers = scores.map((score) => Math.exp(score - largest));
  const sum = powers.reduce((a, b) => a + b);
  return powers.map((power) => power / sum);
}

/** Context rows, and weights (heads, L, L) in one array. */
function attend(query, key, value, heads) {
  const dim = query[0].length / heads;
  const length = query.length;
  const weights = new Float64Array(heads * length * length);
  const context = query.map((row) => new Float64Array(row.length));
  for (let head = 0; head < heads; head++) {
    const first = head * dim;
    for (let i = 0; i < length; i++) {
      const scores = Float64Array.from({ length }, (_, j) => {
        let sum = 0;
        for (let c = first; c < first + dim; c++) sum += query[i][c] * key[j][c];
        return sum / Math.sqrt(dim);
      });
      const row = softmax(scores);
      weights.set(row, (head * length + i) * length);
      for (let j = 0; j < length; j++) {
        for (let c = first; c < first + dim; c++) context[i][c] += row[j] * value[j][c];
      }
    }
  }
  return { context, weights };
}

/**
 * @param tensors `{ name: { shape, data } }` of a BERT without prefix
 * @param config config.json
 * @param ids token ids of one sequence, all of type 0
 * @returns `{ output: (L·E), weights: (layers·heads·L·L) }`
 */
export function bertReference(tensors, config, ids) {
  const { num_attention_heads: heads, num_hidden_layers: layers, layer_norm_eps: epsilon } = config;
  const part = (name) => ({ weight: tensors[`${name}.weight`], bias: tensors[`${name}.bias`] });
  const tables = ['word', 'position', 'token_type'].map(
    (name) => tensors[`embeddings.${name}_embeddings.weight`],
  );
  const width = config.hidden_size;
  const embedded = ids.map((id, i) =>
    Float64Array.from({ length: width }, (_, j) =>
      [id, i, 0].reduce((sum, row, table) => sum + tables[table].data[row * width + j], 0),
    ),
  );
  let x = layerNorm(embedded, part('embeddings.LayerNorm'), epsilon);
  const weights = new Float64Array(layers * heads * ids.length ** 2);
  for (let i = 0; i < layers; i++) {
    const layer = (name) => part(`encoder.layer.${i}.${name}`);
    const [query, key, value] = ['query', 'key', 'value'].map((name) =>
      linear(x, layer(`attention.self.${name}`)),
    );
    const attended = attend(query, key, value, heads);
    weights.set(attended.weights, i * heads * ids.length ** 2);
    const projected = linear(attended.context, layer('attention.output.dense'));
    x = layerNorm(added(x, projected), layer('attention.output.LayerNorm'), epsilon);
    const inner = linear(x, layer('intermediate.dense')).map((row) => row.map(gelu));
    x = layerNorm(added(x, linear(inner, layer('output.dense'))), layer('output.LayerNorm'), epsilon);
  }
  const output = new Float64Array(ids.length * width);
  x.forEach((row, i) => output.set(row, i * width));
  return { output, weights };
}
