/**
 * Llama in double precision, one sequence, greedily: the definition in plain loops.
 *
 * @see Touvron et al. 2023; the names are those of transformers' LlamaForCausalLM
 */

/** W x */
function product({ data, shape: [out, width] }, x) {
  const y = new Float64Array(out);
  for (let i = 0, at = 0; i < out; i++, at += width) {
    let sum = 0;
    for (let j = 0; j < width; j++) sum += data[at + j] * x[j];
    y[i] = sum;
  }
  return y;
}

function rmsNorm(x, { data }, epsilon) {
  const mean = x.reduce((sum, value) => sum + value * value, 0) / x.length;
  return x.map((value, i) => (value / Math.sqrt(mean + epsilon)) * data[i]);
}

/** Turns each head's pairs (i, i + d/2) by their angles at a position. */
function rotate(x, position, dim, theta) {
  const turned = new Float64Array(x.length);
  for (let first = 0; first < x.length; first += dim) {
    for (let i = 0; i < dim / 2; i++) {
      const angle = position * theta ** ((-2 * i) / dim);
      const [a, b] = [x[first + i], x[first + i + dim / 2]];
      turned[first + i] = a * Math.cos(angle) - b * Math.sin(angle);
      turned[first + i + dim / 2] = b * Math.cos(angle) + a * Math.sin(angle);
    }
  }
  return turned;
}

/** What each head takes from the rows so far. */
function attend(query, keys, values, dim) {
  const context = new Float64Array(query.length);
  for (let first = 0; first < query.length; first += dim) {
    const scores = keys.map((key) => {
      let sum = 0;
      for (let c = first; c < first + dim; c++) sum += query[c] * key[c];
      return sum / Math.sqrt(dim);
    });
    const largest = Math.max(...scores);
    const powers = scores.map((score) => Math.exp(score - largest));
    const total = powers.reduce((a, b) => a + b);
    values.forEach((value, j) => {
      for (let c = first; c < first + dim; c++) context[c] += (powers[j] / total) * value[c];
    });
  }
  return context;
}

/**
 * @param tensors `{ name: { shape, data } }`, the head's weight being that of the embeddings
 * @param config config.json of a model with as many key heads as query heads
 * @param ids the prompt
 * @param count of new tokens
 * @returns `ids`, the prompt and its continuation, always by the likeliest token, and `logits`, from which each new token was chosen
 */
export function llamaReference(tensors, config, ids, count) {
  const { num_hidden_layers: layers, rms_norm_eps: epsilon, rope_theta: theta } = config;
  const dim = config.hidden_size / config.num_attention_heads;
  const table = tensors['model.embed_tokens.weight'];
  const cache = Array.from({ length: layers }, () => ({ keys: [], values: [] }));
  const all = [...ids];
  const chosenFrom = [];
  for (let position = 0; position < ids.length + count - 1; position++) {
    const start = all[position] * config.hidden_size;
    let x = Float64Array.from(table.data.subarray(start, start + config.hidden_size));
    cache.forEach(({ keys, values }, i) => {
      const part = (name) => tensors[`model.layers.${i}.${name}.weight`];
      const normed = rmsNorm(x, part('input_layernorm'), epsilon);
      const [query, key, value] = ['q', 'k', 'v'].map((name) =>
        product(part(`self_attn.${name}_proj`), normed),
      );
      keys.push(rotate(key, position, dim, theta));
      values.push(value);
      const context = attend(rotate(query, position, dim, theta), keys, values, dim);
      const added = product(part('self_attn.o_proj'), context);
      x = x.map((one, j) => one + added[j]);
      const inner = rmsNorm(x, part('post_attention_layernorm'), epsilon);
      const [gate, up] = ['gate', 'up'].map((name) => product(part(`mlp.${name}_proj`), inner));
      const down = product(
        part('mlp.down_proj'),
        gate.map((one, j) => (one / (1 + Math.exp(-one))) * up[j]),
      );
      x = x.map((one, j) => one + down[j]);
    });
    if (position < ids.length - 1) continue;
    const logits = product(table, rmsNorm(x, tensors['model.norm.weight'], epsilon));
    chosenFrom.push(logits);
    all.push(logits.reduce((best, logit, id) => (logit > logits[best] ? id : best), 0));
  }
  return { ids: all, logits: chosenFrom };
}
