/** The NumPy runs of documents 001 and 002 through the layer. */
import { load } from 'multihead-attention';
import { modules, readGolden, relativeError, tensor, TOLERANCE } from './golden.js';

const transpose = (matrix) => matrix[0].map((_, j) => matrix.map((row) => row[j]));
/** (h,d,k) → (h·k,d): the documents multiply from the right, torch from the left. */
const stacked = (weights) => weights.flatMap(transpose);

const exercises = readGolden('seed002_exercises.json');

describe.each(modules)('$name', ({ options }) => {
  let m;
  beforeAll(async () => {
    m = await load(options);
  });

  const expectClose = (actual, expected) =>
    expect(relativeError(actual, expected)).toBeLessThanOrEqual(TOLERANCE);

  test.each(exercises.numeric_configs.map((run) => [run.name, run]))('002: %s', (_, run) => {
    const { n, d, h, k, v, key_valid_length: valid } = run;
    const layer = new m.MultiHeadAttention({
      embedDim: d,
      numHeads: h,
      headDim: k,
      valueHeadDim: v,
      bias: false,
    });
    layer.loadStateDict({
      q_proj_weight: tensor(stacked(run.W_Q)),
      k_proj_weight: tensor(stacked(run.W_K)),
      v_proj_weight: tensor(stacked(run.W_V)),
      'out_proj.weight': tensor(transpose(run.W_O)),
    });
    const options = { keyPaddingMask: valid && Array.from({ length: n }, (_, j) => j < valid) };
    const steps = layer.steps(tensor(run.X), undefined, undefined, options);
    expectClose(steps.q, run.Q);
    expectClose(steps.k, run.K);
    expectClose(steps.v, run.V);
    expectClose(steps.scores, run.QKt);
    expectClose(steps.weights, run.attn);
    expectClose(steps.context, run.heads);
    expectClose(steps.concat, run.concat);
    expectClose(steps.output, run.Y);

    // Exercise 8: the output is the sum of the heads' separate contributions.
    const alone = run.W_O.map((_, row) => Math.floor(row / v));
    const sum = new Float64Array(n * d);
    for (let head = 0; head < h; ++head) {
      const only = run.W_O.map((row, i) => row.map((x) => (alone[i] === head ? x : 0)));
      layer.loadStateDict({ ...layer.stateDict(), 'out_proj.weight': tensor(transpose(only)) });
      const { output } = layer.forward(tensor(run.X), undefined, undefined, options);
      expectClose(output, run.per_head_contribution[head]);
      output.data.forEach((x, i) => (sum[i] += x));
    }
    expectClose({ data: sum, shape: [n, d] }, run.Y);
  });

  test('001 D: the concatenated heads times W_O', () => {
    const { concat, W_O, final } = readGolden('seed001_D_concat_projection.json');
    const layer = new m.MultiHeadAttention({ embedDim: 16, numHeads: 4, outDim: 8, bias: false });
    const identity = Array.from({ length: 16 }, (_, i) =>
      Array.from({ length: 16 }, (_, j) => Number(i === j)),
    );
    layer.loadStateDict({
      q_proj_weight: tensor(identity),
      k_proj_weight: tensor(identity),
      v_proj_weight: tensor(identity),
      'out_proj.weight': tensor(transpose(W_O)),
    });
    // Each token sees itself alone: the heads' contexts are the values.
    const steps = layer.steps(tensor(concat), undefined, undefined, { window: 0 });
    expectClose(steps.concat, concat);
    expectClose(steps.output, final);
  });

  test('001 C: parameters of the projections to heads, and with W_O', () => {
    const { real, with_W_O, d_model, num_heads } = readGolden(
      'seed001_CE_params_and_curve.json',
    ).param_counts;
    const layer = new m.MultiHeadAttention({ embedDim: d_model, numHeads: num_heads, bias: false });
    expect(layer.parameterCount).toBe(with_W_O);
    expect(layer.stateDict().in_proj_weight.size).toBe(real);
  });
});
