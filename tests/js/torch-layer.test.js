import { load } from 'multihead-attention';
import { modules, nanRows, readGolden, relativeError, rowOf, tensor, TOLERANCE } from './golden.js';
import { layerRuns, readLayerRun } from './torch-runs.js';

const MINUS_1E9 = 'mha_fully_masked_row_minus1e9';
/** Values outside of float32 have their own test. */
const exactRuns = layerRuns.filter((name) => name !== MINUS_1E9);
const having = (part) => exactRuns.filter((name) => readLayerRun(name).expected[part] !== undefined);

const tensors = (dict) =>
  Object.fromEntries(Object.entries(dict).map(([name, nested]) => [name, tensor(nested)]));

/** A run's layer, and its call with the run's options unless others are given. */
function prepare(m, name) {
  const run = readLayerRun(name);
  const layer = new m.MultiHeadAttention(run.config);
  layer.loadStateDict(tensors(run.stateDict));
  const [query, key, value] = run.inputs.map(tensor);
  const call = (method, options) => {
    const cache = run.earlier && new m.KVCache();
    if (cache) layer.forward(tensor(run.earlier), undefined, undefined, { cache });
    const result = layer[method](query, key, value, { ...(options ?? run.options), cache });
    cache?.dispose();
    return result;
  };
  return {
    ...run,
    layer,
    forward: (options) => call('forward', options),
    steps: (options) => call('steps', options),
  };
}

/** The run's mask, expressed by other options. */
const otherWords = [
  ...[
    ...['mha_causal_bool', 'mha_causal_rect', 'mha_causal_seed000_float', 'seed000_class_causal_01'],
    ...['rope_half', 'rope_interleaved', 'gqa_rope_causal'],
  ].map((name) => [name, 'isCausal', () => ({ isCausal: true })]),
  ['alibi_causal_h4', 'isCausal', () => ({ isCausal: true, alibi: true })],
  ['seed003_relu_mha_masked', 'masks.causal', (m) => ({ attnMask: m.masks.causal(5) })],
  // The runs' causal window counts the query itself, this library's the keys beside it.
  ...[
    ['sliding_causal_w1', [0, 0]],
    ['sliding_causal_w2', [1, 0]],
    ['sliding_symmetric_w0', 0],
    ['sliding_symmetric_w1', 1],
  ].flatMap(([name, window]) => [
    [name, 'window', () => ({ window })],
    [name, 'masks.slidingWindow', (m) => ({ attnMask: m.masks.slidingWindow(9, window) })],
  ]),
  ...['mha_attn_mask_bool', 'mha_key_padding', 'mha_key_padding_unbatched'].map((name) => [
    name,
    'masks.fromTorch',
    (m) => {
      const { attn_mask, key_padding_mask } = readGolden(`torch/${name}.json`).inputs;
      return {
        attnMask: attn_mask && m.masks.fromTorch(attn_mask),
        keyPaddingMask: key_padding_mask && m.masks.fromTorch(key_padding_mask),
      };
    },
  ]),
];

describe.each(modules)('$name: the layer against PyTorch', ({ options }) => {
  let m;
  beforeAll(async () => {
    m = await load(options);
  });

  const expectClose = (actual, expected) =>
    expect(relativeError(actual, expected)).toBeLessThanOrEqual(TOLERANCE);

  function expectResult({ output, weights }, { expected, parameters }) {
    expectClose(weights, expected.weights);
    for (const golden of expected.outputs) expectClose(output, golden);
    // Where torch 1.13 has NaN, this library has zero weights and the bias alone.
    for (const i of nanRows(expected.weights)) {
      expect(rowOf(weights, i).every((weight) => weight === 0)).toBe(true);
    }
    const bias = Array.from(Float32Array.from(parameters['out_proj.bias'] ?? []));
    for (const i of nanRows(expected.outputs[0])) expect(rowOf(output, i)).toEqual(bias);
    expect(output.data.every(Number.isFinite)).toBe(true);
  }

  test.each(exactRuns)('%s', (name) => {
    const run = prepare(m, name);
    expectResult(run.forward(), run);
  });

  test.each(having('averaged'))('%s: averageWeights gives torch’s average_attn_weights', (name) => {
    const { forward, options, expected } = prepare(m, name);
    expectClose(forward({ ...options, averageWeights: true }).weights, expected.averaged);
  });

  test.each(otherWords)('%s, said with %s', (name, _, optionsOf) => {
    const run = prepare(m, name);
    expectResult(run.forward(optionsOf(m)), run);
  });

  test.each(exactRuns.filter((name) => Object.keys(readLayerRun(name).expected.steps).length > 0))(
    '%s: steps() gives the run’s intermediate results',
    (name) => {
      const run = prepare(m, name);
      const steps = run.steps();
      for (const [step, values] of Object.entries(run.expected.steps)) expectClose(steps[step], values);
      expectResult(steps, run);
      run.layer.dispose();
    },
  );

  test.each(['alibi_causal_h4', 'alibi_symmetric_h4'])('%s: alibi is its mask of numbers', (name) => {
    const { score_bias: bias, mask_keep: keep } = readGolden(`torch/${name}.json`).inputs;
    const attnMask = [
      bias.map((rows) => rows.map((row, i) => row.map((x, j) => (keep && !keep[i][j] ? -Infinity : x)))),
    ];
    const run = prepare(m, name);
    expectResult(run.forward({ attnMask }), run);
    const { scaled, masked } = run.steps();
    const added = masked.data.map((x, i) => x - scaled.data[i]);
    expectClose({ data: added.map((x) => (x === -Infinity ? 0 : x)), shape: masked.shape }, [
      bias.map((rows) => rows.map((row, i) => row.map((x, j) => (keep && !keep[i][j] ? 0 : x)))),
    ]);
  });

  test.each(Object.entries(readGolden('torch/alibi_slopes.json').slopes))(
    'alibi_slopes of %s heads',
    (text, slopes) => {
      const heads = Number(text);
      const layer = new m.MultiHeadAttention({ embedDim: heads, numHeads: heads });
      const nothing = { data: new Float32Array(2 * heads), shape: [2, heads] };
      const { masked } = layer.steps(nothing, undefined, undefined, { alibi: true });
      const expected = slopes.map((slope) => [
        [0, -slope],
        [-slope, 0],
      ]);
      expectClose(masked, expected);
      layer.dispose();
    },
  );

  test.each(['rope_half', 'rope_interleaved', 'rope_interleaved_partial', 'gqa_rope_causal'])(
    '%s: without rope, q and k are those before it',
    (name) => {
      const { q_before_rope: q, k_before_rope: k } = readGolden(`torch/${name}.json`);
      const { config, stateDict, inputs } = readLayerRun(name);
      const layer = new m.MultiHeadAttention({ ...config, rope: undefined });
      layer.loadStateDict(tensors(stateDict));
      const steps = layer.steps(tensor(inputs[0]));
      expectClose(steps.q, q);
      expectClose(steps.k, k);
      layer.dispose();
    },
  );

  test('rope_half_offset: keys at positions 100 … 105, weights as of rope_half', () => {
    const { steps } = prepare(m, 'rope_half_offset');
    const { k, weights } = steps();
    const lastKeys = k.toNested().map((heads) => heads.map((rows) => rows.slice(100)));
    expectClose(tensor(lastKeys), readGolden('torch/rope_half_offset.json').k_after_rope);
    const columns = weights.toNested().map((heads) => heads.map((rows) => rows.map((row) => row.slice(100))));
    expectClose(tensor(columns), readGolden('torch/rope_half.json').outputs.attn_weights_per_head);
  });

  describe('rope_tables', () => {
    const golden = readGolden('torch/rope_tables.json');
    const identity = Array.from({ length: 8 }, (_, i) =>
      Array.from({ length: 8 }, (_, j) => Number(i === j)),
    );
    /** The rows of `x` turned, row i by position i. */
    function turned(x, convention) {
      const layer = new m.MultiHeadAttention({ embedDim: 8, numHeads: 1, bias: false, rope: { convention } });
      const weight = tensor(identity);
      layer.loadStateDict({
        q_proj_weight: weight,
        k_proj_weight: weight,
        v_proj_weight: weight,
        'out_proj.weight': weight,
      });
      const { q, k } = layer.steps(tensor(x));
      layer.dispose();
      expect(k).toEqual(q);
      return q;
    }

    test.each(['half', 'interleaved'])('%s: one vector per position', (convention) => {
      expectClose(turned(golden.x[0][0], convention), golden[convention][0]);
    });

    test('half: the unit vector of each pair turns to (cosine, sine) at positions 0 … 11', () => {
      const x = golden.cos.map(() => [1, 1, 1, 1, 0, 0, 0, 0]);
      expectClose(turned(x, 'half'), [golden.cos.map((cosines, t) => [...cosines, ...golden.sin[t]])]);
    });

    test('interleaved: the same numbers, side by side', () => {
      const x = golden.cos.map(() => [1, 0, 1, 0, 1, 0, 1, 0]);
      expectClose(turned(x, 'interleaved'), [
        golden.cos.map((cosines, t) => cosines.flatMap((cosine, i) => [cosine, golden.sin[t][i]])),
      ]);
    });

    test('the two conventions differ by half_permutation', () => {
      const permuted = (rows) => rows.map((row) => golden.half_permutation.map((i) => row[i]));
      expectClose(turned(permuted(golden.x[0][0]), 'half'), [permuted(golden.interleaved[0][0])]);
    });
  });

  test(`${MINUS_1E9}: float32 has no digits left beside 1e9, so the row is uniform`, () => {
    const { forward, expected } = prepare(m, MINUS_1E9);
    const { output, weights } = forward();
    expectClose(
      weights,
      expected.weights.map((heads) => heads.map((rows) => rows.with(2, [0.2, 0.2, 0.2, 0.2, 0.2]))),
    );
    const others = (rows) => rows.toSpliced(2, 1);
    expectClose(tensor(output.toNested().map(others)), expected.outputs[0].map(others));
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
