import { load } from 'multihead-attention';
import { goldenFiles, modules, readGolden, relativeError, shapeOf, tensor, TOLERANCE } from './golden.js';
import { readLayerRun, layerRuns, sdpaRuns } from './torch-runs.js';

const gradsOf = (name) => readGolden(`torch/${name}.json`).grads;
const withGradients = (names) => names.filter((name) => gradsOf(name) !== undefined);

/** `actual` (shape, data) with the dimensions of `expected`: torch's unbatched and sequence-first runs differ. */
const expectClose = (actual, expected) =>
  expect(relativeError({ data: actual.data, shape: shapeOf(expected) }, expected)).toBeLessThanOrEqual(
    TOLERANCE,
  );

const sum = (tensors) => ({
  data: tensors[0].data.map((_, i) => tensors.reduce((total, { data }) => total + data[i], 0)),
  shape: tensors[0].shape,
});

test('every run with gradients is one of those below', () => {
  const all = goldenFiles
    .filter((path) => path.startsWith('torch/'))
    .map((path) => path.slice('torch/'.length, -'.json'.length))
    .filter((name) => gradsOf(name) !== undefined);
  expect(withGradients([...layerRuns, ...sdpaRuns]).sort()).toEqual(all.sort());
  expect(all).toHaveLength(48);
});

describe.each(modules)('$name: gradients against PyTorch', ({ options }) => {
  let m;
  beforeAll(async () => {
    m = await load(options);
  });

  test.each(withGradients(layerRuns))('%s', (name) => {
    const { config, stateDict, inputs, options: forwardOptions, gradients } = readLayerRun(name);
    const layer = new m.MultiHeadAttention(config);
    layer.loadStateDict(
      Object.fromEntries(Object.entries(stateDict).map(([key, nested]) => [key, tensor(nested)])),
    );
    const [query, key, value] = inputs.map(tensor);
    const { output } = layer.forward(query, key, value, { ...forwardOptions, training: true });
    const gradOutput = tensor(gradients.output);
    expect(output.shape).toEqual(gradOutput.shape);
    const actual = layer.backward(gradOutput);
    for (const [names, expected] of gradients.inputs) {
      expectClose(sum(names.map((input) => actual[input])), expected);
    }
    for (const [parameter, expected] of Object.entries(gradients.parameters)) {
      expectClose(actual.parameters[parameter], expected);
      expect(actual[parameter]).toBe(actual.parameters[parameter]);
    }
    expect(Object.keys(gradients.parameters).sort()).toEqual(Object.keys(actual.parameters).sort());
  });

  /** (B,H,L,d) → (B,L,H·d) */
  const joined = (x) => x.map((heads) => heads[0].map((_, i) => heads.flatMap((rows) => rows[i])));

  /** The function has no backward: a layer with identity projections computes the same. */
  test.each(withGradients(sdpaRuns))('%s, as a layer without projections', (name) => {
    const { args, inputs, outputs, grads } = readGolden(`torch/${name}.json`);
    const [, numHeads, , headDim] = shapeOf(inputs.query);
    const valueHeadDim = shapeOf(inputs.value)[3];
    const width = numHeads * headDim;
    const layer = new m.MultiHeadAttention({
      ...{ embedDim: width, numHeads, valueHeadDim, bias: false },
      ...{ vdim: numHeads * valueHeadDim, outDim: numHeads * valueHeadDim },
    });
    const identity = (n) =>
      Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => Number(i === j)));
    layer.loadStateDict({
      q_proj_weight: identity(width),
      k_proj_weight: identity(width),
      v_proj_weight: identity(numHeads * valueHeadDim),
      'out_proj.weight': identity(numHeads * valueHeadDim),
    });
    const [query, key, value] = [inputs.query, inputs.key, inputs.value].map((x) => tensor(joined(x)));
    const { output } = layer.forward(query, key, value, {
      attnMask: inputs.attn_mask ?? undefined,
      isCausal: args.is_causal,
      scale: args.scale,
      training: true,
    });
    expectClose(output, joined(outputs.output));
    const actual = layer.backward(tensor(joined(grads.loss_weight)));
    for (const [input, expected] of Object.entries(grads.wrt)) expectClose(actual[input], joined(expected));
  });

  test('errors name the argument and leave the layer usable', () => {
    const layer = new m.MultiHeadAttention({ embedDim: 4, numHeads: 2 });
    const x = { data: Float32Array.from({ length: 12 }, (_, i) => Math.sin(i)), shape: [3, 4] };
    expect(() => layer.backward(x)).toThrow(RangeError);
    expect(() => layer.backward(x)).toThrow(/`backward` must follow a forward with training: true/);
    layer.forward(x, x, x, { training: true });
    expect(() => layer.backward([[1, 2]])).toThrow(
      '`gradOutput` must have shape (3, 4) of the output, got shape (1, 2)',
    );
    expect(() => layer.backward('x')).toThrow(TypeError);
    const first = layer.backward(x);
    expect(layer.backward(x)).toEqual(first);
    layer.forward(x); // not in training: the record stays
    expect(layer.backward(x)).toEqual(first);
    layer.loadStateDict(layer.stateDict());
    expect(() => layer.backward(x)).toThrow(RangeError);
    layer.dispose();
    expect(() => layer.backward(x)).toThrow(/disposed/);
  });
});
