import { load } from 'multihead-attention';
import { builds, readGolden, relativeError, tensor, TOLERANCE } from './golden.js';

const runs = [
  'sdpa_basic',
  'sdpa_bool_mask',
  'sdpa_float_mask',
  'sdpa_mask_broadcast',
  'sdpa_causal',
  'sdpa_causal_rect',
  'sdpa_scale',
  'sdpa_fully_masked_row_safe',
];

describe.each(builds)('%s build: scaledDotProductAttention against PyTorch', (build) => {
  let m;
  beforeAll(async () => {
    m = await load({ build });
  });

  const run = ({ args, inputs }, extra) =>
    m.scaledDotProductAttention(tensor(inputs.query), tensor(inputs.key), tensor(inputs.value), {
      mask: inputs.attn_mask,
      isCausal: args.is_causal,
      scale: args.scale,
      ...extra,
    });

  test.each(runs)('%s', (name) => {
    const golden = readGolden(`torch/${name}.json`);
    const { output, weights } = run(golden);
    expect(relativeError(weights, golden.outputs.attn_weights)).toBeLessThanOrEqual(TOLERANCE);
    expect(relativeError(output, golden.outputs.output)).toBeLessThanOrEqual(TOLERANCE);
  });

  test('a fully masked row is zero', () => {
    const { output, weights } = run(readGolden('torch/sdpa_fully_masked_row.json'));
    for (const head of [0, 1]) {
      expect(weights.toNested()[0][head][3].every((weight) => weight === 0)).toBe(true);
      expect(output.toNested()[0][head][3].every((value) => value === 0)).toBe(true);
    }
  });

  test('needWeights: false gives the same output and no weights', () => {
    const golden = readGolden('torch/sdpa_basic.json');
    const result = run(golden, { needWeights: false });
    expect(Object.keys(result)).toEqual(['output']);
    expect(relativeError(result.output, golden.outputs.output)).toBeLessThanOrEqual(TOLERANCE);
  });
});
