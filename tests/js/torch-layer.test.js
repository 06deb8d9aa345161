import { load } from 'multihead-attention';
import { builds, nanRows, readGolden, relativeError, rowOf, shapeOf, tensor, TOLERANCE } from './golden.js';

/** Runs of torch.nn.MultiheadAttention. */
const torchRuns = [
  'mha_self_basic',
  'mha_nobias',
  'mha_self_one_head',
  'mha_self_headdim1',
  'mha_self_len1',
  'mha_self_unbatched',
  'mha_self_E64_H8_L12',
  'mha_cross_same_dim',
  'mha_cross_kdim_vdim',
  'mha_cross_len1',
  'mha_causal_bool',
  'mha_causal_rect',
  'mha_causal_seed000_float',
  'mha_attn_mask_bool',
  'mha_attn_mask_float',
  'mha_attn_mask_3d_bool',
  'mha_key_padding',
  'mha_key_padding_fastpath',
  'mha_key_padding_unbatched',
  'mha_float_mask_plus_bool_padding',
  'mha_fully_masked_padding',
  'mha_fully_masked_row_bool',
  'mha_large_logits',
];

/** Runs of the classes in documents 000 and 004, whose parameters have other names. */
const classRuns = [
  'seed000_class_basic',
  'seed000_class_one_head',
  'seed000_class_causal_01',
  'seed000_class_causal_mask_misuse',
  'seed000_class_zero_mask',
  'seed004_class_basic',
  'seed004_class_h8',
];

/** Runs of the formula with query groups or windows. */
const formulaRuns = [
  'gqa_4q_2kv',
  'gqa_mha_equiv',
  'mqa_4q',
  'sliding_causal_w1',
  'sliding_causal_w2',
  'sliding_symmetric_w0',
  'sliding_symmetric_w1',
];

const tensors = (params) =>
  Object.fromEntries(Object.entries(params).map(([name, nested]) => [name, tensor(nested)]));

/** (B·H,L,S) as torch takes it → (B,H,L,S). */
function withHeads(mask, heads) {
  if (shapeOf(mask).length !== 3) return mask;
  return Array.from({ length: mask.length / heads }, (_, b) => mask.slice(b * heads, (b + 1) * heads));
}

function torchLayer(m, { args, inputs, params }) {
  const layer = new m.MultiHeadAttention({
    embedDim: args.embed_dim,
    numHeads: args.num_heads,
    kdim: args.kdim ?? undefined,
    vdim: args.vdim ?? undefined,
    bias: args.bias,
  });
  layer.loadStateDict(tensors(params));
  const input = (name) => (typeof inputs[name] === 'string' ? undefined : tensor(inputs[name]));
  const mask = (nested) => nested && m.masks.fromTorch(nested);
  const options = {
    attnMask: mask(inputs.attn_mask && withHeads(inputs.attn_mask, args.num_heads)),
    keyPaddingMask: mask(inputs.key_padding_mask),
  };
  return {
    layer,
    forward: (extra) => layer.forward(tensor(inputs.query), input('key'), input('value'), extra ?? options),
  };
}

/** The parameters of a class in a document, under torch's names. */
function documentParameters(params) {
  if (params['qkv.weight']) {
    return tensors({
      in_proj_weight: params['qkv.weight'],
      in_proj_bias: params['qkv.bias'],
      'out_proj.weight': params['proj.weight'],
      'out_proj.bias': params['proj.bias'],
    });
  }
  return tensors({
    q_proj_weight: params['W_q.weight'],
    k_proj_weight: params['W_k.weight'],
    v_proj_weight: params['W_v.weight'],
    in_proj_bias: [...params['W_q.bias'], ...params['W_k.bias'], ...params['W_v.bias']],
    'out_proj.weight': params['W_o.weight'],
    'out_proj.bias': params['W_o.bias'],
  });
}

describe.each(builds)('%s build: the layer against PyTorch', (build) => {
  let m;
  beforeAll(async () => {
    m = await load({ build });
  });

  test.each(torchRuns)('%s', (name) => {
    const golden = readGolden(`torch/${name}.json`);
    const { layer, forward } = torchLayer(m, golden);
    const { output, weights } = forward();
    const { outputs } = golden;

    expect(relativeError(weights, outputs.attn_weights_per_head)).toBeLessThanOrEqual(TOLERANCE);
    expect(relativeError(output, outputs.output)).toBeLessThanOrEqual(TOLERANCE);
    // Where torch 1.13 has NaN, this library has zero weights and the bias alone.
    for (const i of nanRows(outputs.attn_weights_per_head)) {
      expect(rowOf(weights, i).every((weight) => weight === 0)).toBe(true);
    }
    const bias = golden.params['out_proj.bias'];
    for (const i of nanRows(outputs.output)) expect(rowOf(output, i)).toEqual(bias);
    layer.dispose();
  });

  test.each(['mha_self_basic', 'mha_self_unbatched', 'mha_cross_kdim_vdim'])(
    '%s: averageWeights gives torch’s average_attn_weights',
    (name) => {
      const golden = readGolden(`torch/${name}.json`);
      const { layer, forward } = torchLayer(m, golden);
      const { weights } = forward({ averageWeights: true });
      expect(relativeError(weights, golden.outputs.attn_weights_avg)).toBeLessThanOrEqual(TOLERANCE);
      layer.dispose();
    },
  );

  test.each(['mha_causal_bool', 'mha_causal_rect', 'mha_causal_seed000_float'])(
    '%s: isCausal is its mask',
    (name) => {
      const golden = readGolden(`torch/${name}.json`);
      const { layer, forward } = torchLayer(m, golden);
      const { output, weights } = forward({ isCausal: true });
      expect(relativeError(weights, golden.outputs.attn_weights_per_head)).toBeLessThanOrEqual(TOLERANCE);
      expect(relativeError(output, golden.outputs.output)).toBeLessThanOrEqual(TOLERANCE);
      layer.dispose();
    },
  );

  test('mha_fully_masked_row_minus1e9: float32 has no digits left beside 1e9, so the row is uniform', () => {
    const golden = readGolden('torch/mha_fully_masked_row_minus1e9.json');
    const { layer, forward } = torchLayer(m, golden);
    const { weights } = forward();
    const expected = golden.outputs.attn_weights_per_head.map((heads) =>
      heads.map((rows) => rows.with(2, [0.2, 0.2, 0.2, 0.2, 0.2])),
    );
    expect(relativeError(weights, expected)).toBeLessThanOrEqual(TOLERANCE);
    layer.dispose();
  });

  test.each(classRuns)('%s', (name) => {
    const { args, inputs, params, outputs } = readGolden(`torch/${name}.json`);
    const layer = new m.MultiHeadAttention({
      embedDim: args.embed_dim ?? args.d_model,
      numHeads: args.num_heads,
    });
    layer.loadStateDict(documentParameters(params));
    // Document 000 masks where its mask is 0.
    const mask = inputs.mask && {
      data: Uint8Array.from(inputs.mask.flat(Infinity), (x) => Number(x !== 0)),
      shape: shapeOf(inputs.mask),
    };
    const { output, weights } = layer.forward(tensor(inputs.x), undefined, undefined, { attnMask: mask });

    const expected = outputs.attn_weights_per_head ?? outputs.attention_weights;
    expect(relativeError(weights, expected)).toBeLessThanOrEqual(TOLERANCE);
    expect(relativeError(output, outputs.output)).toBeLessThanOrEqual(TOLERANCE);
    for (const i of nanRows(expected)) expect(rowOf(weights, i).every((weight) => weight === 0)).toBe(true);
    expect(output.data.every(Number.isFinite)).toBe(true);
    layer.dispose();
  });

  test.each(formulaRuns)('%s', (name) => {
    const { args, inputs, params, outputs } = readGolden(`torch/${name}.json`);
    const layer = new m.MultiHeadAttention({
      embedDim: args.embed_dim,
      numHeads: args.num_heads,
      numKvHeads: args.num_kv_heads,
    });
    layer.loadStateDict(
      tensors({
        q_proj_weight: params.W_q,
        k_proj_weight: params.W_k,
        v_proj_weight: params.W_v,
        in_proj_bias: [...params.b_q, ...params.b_k, ...params.b_v],
        'out_proj.weight': params.W_o,
        'out_proj.bias': params.b_o,
      }),
    );
    // The runs' causal window counts the query itself, this library's the keys beside it.
    const window = args.window === undefined ? args.radius : [args.window - 1, 0];
    const attnMask = window === undefined ? undefined : m.masks.slidingWindow(args.L, window);
    const { output, weights } = layer.forward(tensor(inputs.query_input), undefined, undefined, { attnMask });
    expect(relativeError(weights, outputs.attn_weights_per_head)).toBeLessThanOrEqual(TOLERANCE);
    expect(relativeError(output, outputs.output)).toBeLessThanOrEqual(TOLERANCE);
    layer.dispose();
  });

  test('the documents’ full-size layers have the shapes and parameter counts of the run', () => {
    const { seed000, seed004 } = readGolden('torch/seed000_004_full_size_shapes.json');
    const zeros = (shape) => ({ data: new Float32Array(shape.reduce((a, b) => a * b)), shape });

    const lesson = new m.MultiHeadAttention({ embedDim: 512, numHeads: 8 });
    const { output, weights } = lesson.forward(zeros([2, 10, 512]));
    expect(output.shape).toEqual(seed004.output_shape);
    expect(weights.shape).toEqual(seed004.weights_shape);
    expect(lesson.parameterCount).toBe(seed004.params);
    lesson.dispose();

    for (const [numHeads, params] of [
      [12, seed000.params_12_heads],
      [1, seed000.params_1_head],
    ]) {
      const vit = new m.MultiHeadAttention({ embedDim: 768, numHeads });
      expect(vit.parameterCount).toBe(params);
      expect(vit.forward(zeros([2, 196, 768])).output.shape).toEqual(seed000.output_shape_batch2);
      vit.dispose();
    }
  });
});
