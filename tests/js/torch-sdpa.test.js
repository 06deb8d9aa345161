import { load } from 'multihead-attention';
import { modules, nanRows, readGolden, relativeError, rowOf, tensor, TOLERANCE } from './golden.js';
import { sdpaRuns } from './torch-runs.js';

describe.each(modules)('$name: scaledDotProductAttention against PyTorch', ({ options }) => {
  let m;
  beforeAll(async () => {
    m = await load(options);
  });

  const run = ({ args, inputs }, extra) =>
    m.scaledDotProductAttention(tensor(inputs.query), tensor(inputs.key), tensor(inputs.value), {
      mask: inputs.attn_mask,
      isCausal: args.is_causal,
      scale: args.scale,
      ...extra,
    });

  test.each(sdpaRuns)('%s', (name) => {
    const { outputs, ...golden } = readGolden(`torch/${name}.json`);
    const { output, weights } = run(golden);
    expect(relativeError(weights, outputs.attn_weights)).toBeLessThanOrEqual(TOLERANCE);
    expect(relativeError(output, outputs.output)).toBeLessThanOrEqual(TOLERANCE);
    // Where torch 1.13 has NaN, this library has zeros.
    for (const i of nanRows(outputs.attn_weights)) {
      for (const result of [weights, output]) expect(rowOf(result, i).every((x) => x === 0)).toBe(true);
    }
  });

  test('needWeights: false gives the same output and no weights', () => {
    const golden = readGolden('torch/sdpa_basic.json');
    const result = run(golden, { needWeights: false });
    expect(Object.keys(result)).toEqual(['output']);
    expect(relativeError(result.output, golden.outputs.output)).toBeLessThanOrEqual(TOLERANCE);
  });
});
