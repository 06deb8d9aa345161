/** The runs in ../golden/torch: their names, and those of whole layers brought from several notations to one. */
import { goldenFiles, readGolden, shapeOf } from './golden.js';

/** Changes every row of the last dimension. */
const mapRows = (nested, change) =>
  Array.isArray(nested[0]) ? nested.map((inner) => mapRows(inner, change)) : change(nested);

const mapLeaves = (nested, change) =>
  Array.isArray(nested) ? nested.map((inner) => mapLeaves(inner, change)) : change(nested);

/** The first two dimensions change places: (L,B,E) ↔ (B,L,E), (in,out) ↔ (out,in). */
const transpose = (nested) => nested[0].map((_, j) => nested.map((row) => row[j]));

/** Rows of a packed (3E, …) parameter under the names of its three parts. */
const unpack = (packed) => {
  const part = packed.length / 3;
  return [0, 1, 2].map((i) => packed.slice(i * part, (i + 1) * part));
};

const projections = ([q, k, v]) => ({ q_proj_weight: q, k_proj_weight: k, v_proj_weight: v });

/** Which of this library's three gradients make up each one of the run, where one tensor was several inputs. */
function inputGradients({ query, key, value }, inputs, batchFirst = (x) => x) {
  const keyIs = inputs.key === '=query' ? 'query' : 'key';
  const valueIs = { '=query': 'query', '=key': keyIs }[inputs.value] ?? 'value';
  const sources = { query: 'query', key: keyIs, value: valueIs };
  return Object.entries({ query, key, value })
    .filter(([, gradient]) => gradient !== undefined)
    .map(([name, gradient]) => [
      Object.keys(sources).filter((input) => sources[input] === name),
      batchFirst(gradient),
    ]);
}

function moduleGradients({ loss_weight: output, wrt }, inputs, batchFirst) {
  const { query, key, value, ...parameters } = wrt;
  return {
    output: batchFirst(output),
    inputs: inputGradients({ query, key, value }, inputs, batchFirst),
    parameters,
  };
}

/** Gradients of separate parameters, as the layer packs them if it does. */
function packedGradients({ q_proj_weight: q, k_proj_weight: k, v_proj_weight: v, ...rest }, packs) {
  return packs
    ? { in_proj_weight: [...q, ...k, ...v], ...rest }
    : { q_proj_weight: q, k_proj_weight: k, v_proj_weight: v, ...rest };
}

/** torch.nn.MultiheadAttention: True = ignore, masks (L,S) or (B·H,L,S), sequence first unless told otherwise. */
function moduleRun({ args, inputs, params, outputs, grads, eval_no_grad_path: evalPath = {} }) {
  const { in_proj_weight: packed, ...rest } = params;
  const batchFirst = (x) => (args.batch_first || !args.batched ? x : transpose(x));
  const flipped = (mask) => (mask ? mapLeaves(mask, (x) => (typeof x === 'boolean' ? !x : x)) : undefined);
  const perHead = (mask) =>
    mask && shapeOf(mask).length === 3
      ? Array.from({ length: mask.length / args.num_heads }, (_, b) =>
          mask.slice(b * args.num_heads, (b + 1) * args.num_heads),
        )
      : mask;
  const query = batchFirst(inputs.query);
  const key = inputs.key === '=query' ? query : batchFirst(inputs.key);
  const value = inputs.value === '=query' ? query : inputs.value === '=key' ? key : batchFirst(inputs.value);
  return {
    config: {
      embedDim: args.embed_dim,
      numHeads: args.num_heads,
      kdim: args.kdim ?? undefined,
      vdim: args.vdim ?? undefined,
      bias: args.bias,
      addBiasKv: args.add_bias_kv,
      addZeroAttn: args.add_zero_attn,
    },
    stateDict: params,
    parameters: packed ? { ...projections(unpack(packed)), ...rest } : params,
    inputs: [query, key, value],
    options: {
      attnMask: perHead(flipped(inputs.attn_mask)),
      keyPaddingMask: flipped(inputs.key_padding_mask),
    },
    gradients: grads && moduleGradients(grads, inputs, batchFirst),
    expected: {
      weights: outputs.attn_weights_per_head,
      averaged: outputs.attn_weights_avg,
      outputs: [batchFirst(outputs.output), ...Object.values(evalPath).map(({ output }) => output)],
    },
  };
}

/** The classes in documents 000 and 004; 000 masks where its mask is 0. */
function classRun({ args, inputs, params, outputs, grads }) {
  const parametersOf = (values) => {
    const of = (name) => [values[`${name}.weight`], values[`${name}.bias`]];
    const packed = 'qkv.weight' in values;
    const [weights, biases] = packed ? of('qkv').map(unpack) : transpose([of('W_q'), of('W_k'), of('W_v')]);
    const [outWeight, outBias] = of(packed ? 'proj' : 'W_o');
    return {
      ...projections(weights),
      in_proj_bias: biases.flat(),
      'out_proj.weight': outWeight,
      'out_proj.bias': outBias,
    };
  };
  return {
    config: { embedDim: args.embed_dim ?? args.d_model, numHeads: args.num_heads },
    parameters: parametersOf(params),
    gradients: grads && {
      output: grads.loss_weight,
      inputs: [[['query', 'key', 'value'], grads.wrt.x]],
      parameters: packedGradients(parametersOf(grads.wrt), true),
    },
    inputs: [inputs.x, inputs.x, inputs.x],
    options: { attnMask: inputs.mask ? mapLeaves(inputs.mask, (x) => x !== 0) : undefined },
    expected: {
      weights: outputs.attn_weights_per_head ?? outputs.attention_weights,
      outputs: [outputs.output, outputs.output_float32],
      steps: outputs.q ? { q: outputs.q, k: outputs.k, v: outputs.v } : {},
    },
  };
}

const shortParameters = ({ W_q, W_k, W_v, W_o, b_q, b_k, b_v, b_o }, outIn) => ({
  ...projections([W_q, W_k, W_v].map(outIn)),
  in_proj_bias: [...b_q, ...b_k, ...b_v],
  'out_proj.weight': outIn(W_o),
  'out_proj.bias': b_o,
});

/** (B,L,H·d) → (B,H,L,d) */
const splitHeads = (x, heads) =>
  x.map((rows) => {
    const width = rows[0].length / heads;
    return Array.from({ length: heads }, (_, h) => rows.map((row) => row.slice(h * width, (h + 1) * width)));
  });

/** The formula with query groups, windows, ALiBi or RoPE; True = may attend. */
function formulaRun(run) {
  const { args, inputs, params, outputs, grads } = run;
  const rope = args.rope
    ? { convention: args.rope, base: args.rope_base, dim: args.rotary_dim ?? args.head_dim }
    : undefined;
  const x = inputs.query_input;
  // Position of the run's first token. Tokens before it are masked.
  const first = args.positions?.[0] ?? 0;
  const behind = (rows, filler) => mapRows(rows, (row) => [...Array(first).fill(filler), ...row]);
  return {
    config: { embedDim: args.embed_dim, numHeads: args.num_heads, numKvHeads: args.num_kv_heads, rope },
    parameters: shortParameters(params, (weight) => weight),
    gradients: grads && {
      output: grads.loss_weight,
      inputs: [[['query', 'key', 'value'], grads.wrt.query_input]],
      parameters: packedGradients(
        shortParameters(grads.wrt, (weight) => weight),
        args.num_kv_heads === args.num_heads,
      ),
    },
    earlier: first > 0 ? x.map((rows) => Array(first).fill(rows[0])) : undefined,
    inputs: [x, x, x],
    options: {
      attnMask: inputs.mask_keep ? behind(inputs.mask_keep, false) : undefined,
      alibi: inputs.score_bias !== null,
    },
    expected: {
      weights: behind(outputs.attn_weights_per_head, 0),
      averaged: behind(outputs.attn_weights_avg, 0),
      outputs: [outputs.output],
      steps: rope ? { q: run.q_after_rope, ...(first === 0 && { k: run.k_after_rope }) } : {},
    },
  };
}

/** Document 003: (in,out) weights, and heads of the batch one after the other, (H·B,L,…). */
function reluRun({ args, inputs, params, intermediates, outputs, grads }) {
  const perBatch = (stacked) =>
    Array.from({ length: args.B }, (_, b) => stacked.filter((_, i) => i % args.B === b));
  return {
    config: {
      embedDim: args.in_dim,
      numHeads: args.heads,
      headDim: args.num_units / args.heads,
      outDim: args.num_units,
      activation: 'relu',
    },
    parameters: shortParameters(params, transpose),
    gradients: grads && {
      output: grads.loss_weight,
      inputs: inputGradients(grads.wrt, inputs),
      parameters: packedGradients(shortParameters(grads.wrt, transpose), false),
    },
    inputs: [inputs.query, inputs.key, inputs.value],
    options: { isCausal: args.masked },
    expected: {
      weights: outputs.attn_weights_per_head,
      outputs: [outputs.output],
      steps: {
        q: perBatch(intermediates.q_heads_batch_major),
        weights: perBatch(intermediates.attn_weights_batch_major),
        context: perBatch(intermediates.attention_batch_major),
        concat: intermediates.concat,
        k: splitHeads(intermediates.K_relu, args.heads),
        v: splitHeads(intermediates.V_relu, args.heads),
      },
    },
  };
}

function readerOf({ params = {}, args }) {
  if ('out_proj.weight' in params) return moduleRun;
  if ('qkv.weight' in params || 'W_q.weight' in params) return classRun;
  if ('W_q' in params) return 'in_dim' in args ? reluRun : formulaRun;
  return null;
}

const torchFiles = goldenFiles
  .filter((path) => path.startsWith('torch/'))
  .map((path) => path.slice('torch/'.length, -'.json'.length));

/** Names of all runs of layers. */
export const layerRuns = torchFiles.filter((name) => readerOf(readGolden(`torch/${name}.json`)));

/** Names of all runs of scaled_dot_product_attention. */
export const sdpaRuns = torchFiles.filter((name) => name.startsWith('sdpa_'));

/**
 * Nested arrays, batch first, masks with true = may attend:
 * `config`, `stateDict` (as torch packs it) and `parameters` (the separate form), `inputs` [query, key, value],
 * `options`, `expected` { weights, averaged?, outputs, steps }, and `earlier` where the inputs come behind other tokens.
 */
export function readLayerRun(name) {
  const golden = readGolden(`torch/${name}.json`);
  const { expected, ...run } = readerOf(golden)(golden);
  return { stateDict: run.parameters, ...run, expected: { steps: {}, ...expected } };
}
