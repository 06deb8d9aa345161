import { load } from '../../../dist/index.js';
import { concatenate } from '../data.js';

export async function layer({ shape, parameters, threads, options }) {
  const { batch, length, embedDim, numHeads } = shape;
  const module = await load({ build: options.build, threads });
  const attention = new module.MultiHeadAttention({ embedDim, numHeads });
  const matrix = ({ weight }) => ({ data: weight, shape: [embedDim, embedDim] });
  const { query, key, value, output } = parameters;
  attention.loadStateDict({
    q_proj_weight: matrix(query),
    k_proj_weight: matrix(key),
    v_proj_weight: matrix(value),
    in_proj_bias: { data: concatenate([query.bias, key.bias, value.bias]), shape: [3 * embedDim] },
    'out_proj.weight': matrix(output),
    'out_proj.bias': { data: output.bias, shape: [embedDim] },
  });
  // Arrays that every run fills again.
  const zeros = (...shape) => ({ data: new Float32Array(shape.reduce((a, b) => a * b)), shape });
  const out = options.out && {
    output: zeros(batch, length, embedDim),
    weights: zeros(batch, numHeads, length, length),
  };
  return {
    threads: module.threads,
    run(x) {
      const query = { data: x, shape: [batch, length, embedDim] };
      const { output, weights } = attention.forward(query, null, null, { out });
      return { output: output.data, weights: weights.data };
    },
    dispose: () => attention.dispose(),
  };
}

export async function attention({ shape, threads, options }) {
  const { batch, length, numHeads, headDim } = shape;
  const module = await load({ build: options.build, threads });
  const tensor = (data) => ({ data, shape: [batch, numHeads, length, headDim] });
  const how = { ...options.mask, needWeights: false };
  return {
    threads: module.threads,
    run({ query, key, value }) {
      const result = module.scaledDotProductAttention(tensor(query), tensor(key), tensor(value), how);
      return { output: result.output.data };
    },
    dispose() {},
  };
}
