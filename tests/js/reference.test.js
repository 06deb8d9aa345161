/** The reference that properties.test.js compares with gives the numbers of the PyTorch runs itself. */
import { readGolden, relativeError, shapeOf } from './golden.js';
import { alibiSlopes, attention, averageHeads, emptyCache, layer, rotate } from './reference.js';
import { layerRuns, readLayerRun, sdpaRuns } from './torch-runs.js';

/** Both compute in float64. */
const TOLERANCE = 1e-13;

const expectClose = (actual, expected) =>
  expect(
    relativeError({ data: actual.flat(Infinity), shape: shapeOf(actual) }, expected),
  ).toBeLessThanOrEqual(TOLERANCE);

/** Beside its 1e9 even doubles keep only seven digits of a score: which ones, the order of the sums decides. */
const exactRuns = layerRuns.filter((name) => name !== 'mha_fully_masked_row_minus1e9');

test.each(exactRuns)('%s', (name) => {
  const { config, parameters, earlier, inputs, options, expected } = readLayerRun(name);
  const unbatched = shapeOf(inputs[0]).length === 2;
  const batched = (x) => (unbatched ? [x] : x);
  const cache = emptyCache();
  if (earlier) layer(config, parameters, [earlier, earlier, earlier], { cache });
  const steps = layer(config, parameters, inputs.map(batched), {
    ...options,
    keyPaddingMask: options.keyPaddingMask && batched(options.keyPaddingMask),
    cache,
  });

  expectClose(steps.weights, batched(expected.weights));
  expectClose(steps.output, batched(expected.outputs[0]));
  if (expected.averaged) expectClose(averageHeads(steps.weights), batched(expected.averaged));
  for (const [step, values] of Object.entries(expected.steps)) expectClose(steps[step], values);
});

test.each(sdpaRuns)('%s', (name) => {
  const { args, inputs, outputs } = readGolden(`torch/${name}.json`);
  const { context, weights } = attention(inputs.query, inputs.key, inputs.value, {
    isCausal: args.is_causal,
    scale: args.scale,
    masks: inputs.attn_mask ? [inputs.attn_mask] : [],
  });
  expectClose(weights, outputs.attn_weights);
  expectClose(context, outputs.output);
});

test('rope_tables', () => {
  const { x, positions, ...golden } = readGolden('torch/rope_tables.json');
  const rows = x[0][0];
  for (const convention of ['half', 'interleaved']) {
    expectClose([[rows.map((row, i) => rotate(row, positions[i], { convention }))]], golden[convention]);
  }
});

test('alibi_slopes', () => {
  for (const [heads, slopes] of Object.entries(readGolden('torch/alibi_slopes.json').slopes)) {
    expectClose(alibiSlopes(Number(heads)), slopes);
  }
});
