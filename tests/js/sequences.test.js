/**
 * Random sequences of right and wrong calls on one module: after each call the layer and its cache equal the reference,
 * independent of earlier calls, and refused calls have changed nothing.
 *
 * Seeds are printed and repeated as in properties.test.js.
 */
import fc from 'fast-check';
import { load } from 'multihead-attention';
import { builds, relativeError, tensor, TOLERANCE } from './golden.js';
import { layerCase, realiseLayer } from './random-cases.js';
import { randomCases, randomSeed } from './random-seed.js';
import { emptyCache, layer as reference } from './reference.js';

const seed = randomSeed('sequences');

/** A layer's configuration, from which calls derive their inputs. */
const ofLayer = [
  ...['heads', 'headDim', 'valueHeadDim', 'embedDim', 'kdim', 'vdim', 'outDim'],
  ...['bias', 'addBiasKv', 'addZeroAttn', 'relu', 'rope'],
];

const tensors = (dict) =>
  Object.fromEntries(Object.entries(dict).map(([name, nested]) => [name, tensor(nested)]));

/** The parameters of `stateDict()` with the projections apart. */
function separate({ in_proj_weight: packed, ...rest }) {
  if (!packed) return rest;
  const third = packed.size / 3;
  const [rows, columns] = packed.shape;
  const part = (n) => ({
    data: packed.data.slice(n * third, (n + 1) * third),
    shape: [rows / 3, columns],
  });
  return { ...rest, q_proj_weight: part(0), k_proj_weight: part(1), v_proj_weight: part(2) };
}

const expectClose = (actual, expected) =>
  expect(relativeError(actual, expected)).toBeLessThanOrEqual(TOLERANCE);

/** A state dict with another number in every place. */
const shifted = (dict) =>
  Object.fromEntries(
    Object.entries(dict).map(([name, { data, shape }]) => [name, { data: data.map((x) => x + 1), shape }]),
  );

/** What a refused call throws. */
function expectRefused(call, named) {
  let thrown;
  try {
    call();
  } catch (error) {
    thrown = error;
  }
  expect(['TypeError', 'RangeError']).toContain(thrown?.name);
  expect(thrown.message).toMatch(named);
}

/** A command of fast-check: `work` gets the model, which starts without a layer, and the real thing. */
const command = (name, detail, work, isPossible = () => true) => ({
  check: (model) => isPossible(model),
  run: (model, real) => {
    work(model, real);
    expect(real.cache.length).toBe(model.cache.length);
  },
  toString: () => `${name}(${fc.stringify(detail)})`,
});

const hasLayer = (model) => model.layer !== undefined;

/** A new layer; the one before, which may have filled the cache, is gone. */
const create = (description) =>
  command('create', description, (model, real) => {
    const { config, parameters } = realiseLayer({ ...description, selfAttention: false });
    real.layer?.dispose();
    real.layer = new real.m.MultiHeadAttention(config);
    real.layer.loadStateDict(tensors(parameters));
    model.layer = { description, config, parameters };
  });

/** The numbers of a call of the model's layer. */
function realiseCall(model, description, cached) {
  const fields = Object.fromEntries(ofLayer.map((name) => [name, model.layer.description[name]]));
  const run = realiseLayer({ ...description, ...fields, cached, selfAttention: false });
  return { inputs: run.inputs, options: run.options };
}

/** A call with or without the cache, which serves only the layer and the batch size that filled it. */
const call = (method) => (description, useCache, training) =>
  command(
    method,
    { ...description, useCache, training },
    (model, real) => {
      const { inputs, options } = realiseCall(model, description, useCache ? model.cache.length : 0);
      const cache = useCache ? real.cache : undefined;
      const compute = () => real.layer[method](...inputs, { ...options, cache, training });
      const serves = model.cache.layer === model.layer && model.cache.keys?.length === description.batch;
      if (useCache && model.cache.length > 0 && !serves) {
        expectRefused(compute, /^`(cache|query)` must /);
        return;
      }
      const { config, parameters } = model.layer;
      const expected = reference(config, parameters, inputs, {
        ...options,
        cache: useCache ? model.cache : emptyCache(),
      });
      if (useCache) model.cache.layer = model.layer;
      const actual = compute();
      expectClose(actual.output, expected.output);
      expectClose(actual.weights, expected.weights);
      if (training && !useCache) {
        const gradients = real.layer.backward(actual.output);
        expect(gradients.query.shape).toEqual(tensor(inputs[0]).shape);
        expect(Object.keys(gradients.parameters)).toEqual(Object.keys(real.layer.stateDict()));
      }
    },
    hasLayer,
  );

function expectParameters({ layer }, parameters) {
  const dict = separate(layer.stateDict());
  expect(Object.keys(dict).sort()).toEqual(Object.keys(parameters).sort());
  for (const [name, nested] of Object.entries(parameters)) {
    expect(relativeError(dict[name], nested)).toBe(0);
  }
}

/** Other parameters; the cache keeps the keys and values of earlier ones. */
const loadStateDict = (data) =>
  command(
    'loadStateDict',
    data,
    (model, real) => {
      const { parameters } = realiseLayer({ ...model.layer.description, data, selfAttention: false });
      real.layer.loadStateDict(tensors(parameters));
      // The same object, so that the cache is still of this layer.
      model.layer.parameters = parameters;
      expectParameters(real, parameters);
    },
    hasLayer,
  );

const saveAndLoad = () =>
  command(
    'saveAndLoad',
    {},
    (_, { m, layer }) =>
      layer.loadStateDict(m.safetensors.read(m.safetensors.write(layer.stateDict(), { format: 'pt' }))),
    hasLayer,
  );

const reset = () =>
  command('reset', {}, (model, real) => {
    real.cache.reset();
    model.cache = emptyCache();
  });

const newCache = () =>
  command('newCache', {}, (model, real) => {
    real.cache.dispose();
    real.cache = new real.m.KVCache();
    model.cache = emptyCache();
  });

/** Wrong calls, and the argument that they name. */
const wrongs = {
  width: ({ layer }, [q, k, v], options) =>
    layer.forward(
      q.map((rows) => rows.map((row) => [...row, 0])),
      k,
      v,
      options,
    ),
  length: ({ layer }, [q, k, v], options) =>
    layer.forward(
      q,
      k,
      v.map((rows) => [...rows, rows[0]]),
      options,
    ),
  ragged: ({ layer }, [q, k, v], options) => layer.forward([...q, []], k, v, options),
  mask: ({ layer }, inputs, options) =>
    layer.forward(...inputs, { ...options, attnMask: { data: new Uint8Array(7), shape: [7, 1, 1, 1, 1] } }),
  padding: ({ layer }, inputs, options) =>
    layer.forward(...inputs, {
      ...options,
      keyPaddingMask: [[true, false]],
      attnMask: null,
      cache: undefined,
    }),
  option: ({ layer }, inputs, options) => layer.forward(...inputs, { ...options, casual: true }),
  window: ({ layer }, inputs, options) => layer.forward(...inputs, { ...options, window: -1 }),
  text: ({ layer }, [q, k], options) => layer.steps(q, k, 'value', options),
  state: ({ layer }) => layer.loadStateDict({ ...shifted(layer.stateDict()), unknown: [1] }),
  missing: ({ layer }) =>
    layer.loadStateDict({ 'out_proj.weight': shifted(layer.stateDict())['out_proj.weight'] }),
  gradient: ({ layer }) =>
    layer.backward([[[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18]]]),
  config: ({ m }) => new m.MultiHeadAttention({ embedDim: 8, numHeads: 2, numKvHeads: 3 }),
  heads: ({ m }, [q]) => m.scaledDotProductAttention(q, [q], q),
  file: ({ m }) => m.safetensors.read(new Uint8Array(9)),
  metric: ({ m }) => m.metrics.entropy([1, 2]),
  seed: ({ m }) => m.random.RandomState(-1),
};

const wrong = (description, kind, useCache) =>
  command(
    `wrong ${kind}`,
    { ...description, useCache },
    (model, real) => {
      // A mask of two keys would be right for two keys.
      const { inputs, options } = realiseCall(
        model,
        { ...description, keys: description.keys + 2 },
        useCache ? model.cache.length : 0,
      );
      const cache = useCache ? real.cache : undefined;
      expectRefused(() => wrongs[kind](real, inputs, { ...options, cache }), /`[^`]+` must /);
      expectParameters(real, model.layer.parameters);
    },
    hasLayer,
  );

/** A disposed layer refuses everything, and the module still works. */
const dispose = () =>
  command(
    'dispose',
    {},
    (model, real) => {
      real.layer.dispose();
      real.layer.dispose();
      expect(() => real.layer.stateDict()).toThrow(/was disposed/);
      real.layer = model.layer = undefined;
    },
    hasLayer,
  );

const short = layerCase({ cached: 0 }).map((description) => ({
  ...description,
  queries: Math.min(description.queries, 9),
  keys: Math.min(description.keys, 9),
}));

const commands = fc.commands(
  [
    short.map(create),
    fc.tuple(short, fc.boolean(), fc.boolean()).map(([...args]) => call('forward')(...args)),
    fc.tuple(short, fc.boolean(), fc.boolean()).map(([...args]) => call('forward')(...args)),
    fc.tuple(short, fc.boolean(), fc.constant(false)).map(([...args]) => call('steps')(...args)),
    fc.nat(1000).map(loadStateDict),
    fc.constant(saveAndLoad()),
    fc.constant(reset()),
    fc.constant(newCache()),
    fc.tuple(short, fc.constantFrom(...Object.keys(wrongs)), fc.boolean()).map(([...args]) => wrong(...args)),
    fc.constant(dispose()),
  ],
  { maxCommands: 30, size: 'max' },
);

test.each(builds)('%s: any sequence of calls is what the reference says', async (build) => {
  const m = await load({ build });
  fc.assert(
    fc.property(short, commands, (description, sequence) => {
      const real = { m, cache: new m.KVCache() };
      const model = { cache: emptyCache() };
      create(description).run(model, real);
      try {
        fc.modelRun(() => ({ model, real }), sequence);
      } finally {
        real.layer?.dispose();
        real.cache.dispose();
      }
    }),
    { seed, numRuns: randomCases(60) },
  );
});
