/** What an engine is asked to compute. Runs in the engine itself: in a page, or in a Node of some version. */
import { load } from 'multihead-attention';
import { relaxedSimd, simd } from 'wasm-feature-detect';
import { bindDocuments } from '../../node_modules/multihead-attention/dist/documents/examples.js';

const plain = ({ data, shape }) => ({ data: Array.from(data), shape: Array.from(shape) });

const plainAll = (tensors) =>
  Object.fromEntries(Object.entries(tensors).map(([name, tensor]) => [name, plain(tensor)]));

/** What `load` makes of these options, or how it refuses them. */
export const loaded = (options) => load(options).then(({ build, threads }) => ({ build, threads }), String);

/** The builds that this engine can run, asked in two ways: by small probes, and by the binaries themselves. */
export async function features(binaries) {
  const bytes = (base64) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return {
    probes: { simd: await simd(), relaxed: await relaxedSimd() },
    validated: Object.fromEntries(
      Object.entries(binaries).map(([build, base64]) => [build, WebAssembly.validate(bytes(base64))]),
    ),
  };
}

/** The documents' examples: by id, all their tensors. */
export async function examples(options, ids) {
  const documents = bindDocuments(await load(options));
  return Object.fromEntries(ids.map((id) => [id, plainAll(documents.run(id).tensors)]));
}

/** Layers with given parameters: by name, output and weights. */
export async function layers(options, cases) {
  const { KVCache, MultiHeadAttention } = await load(options);
  return Object.fromEntries(
    cases.map(({ name, config, stateDict, inputs, earlier, options: call }) => {
      const layer = new MultiHeadAttention(config);
      layer.loadStateDict(stateDict);
      const cache = earlier && new KVCache();
      if (cache) layer.forward(earlier, undefined, undefined, { cache });
      const result = plainAll(layer.forward(...inputs, { ...call, cache }));
      cache?.dispose();
      layer.dispose();
      return [name, result];
    }),
  );
}

/** Attention alone: by name, output and weights. */
export async function attentions(options, cases) {
  const { scaledDotProductAttention } = await load(options);
  return Object.fromEntries(
    cases.map(({ name, inputs, options: call }) => [
      name,
      plainAll(scaledDotProductAttention(...inputs, call)),
    ]),
  );
}

const waves = (...shape) => ({
  data: Float32Array.from({ length: shape.reduce((size, length) => size * length) }, (_, i) => Math.sin(i)),
  shape,
});

/** Errors of C++ leave frames on the module's own stack: as many as would have filled it. */
const MANY = 1200;

/**
 * Everything that may go wrong in a call, and whether the same layer then gives the same bits: what TypeScript's side
 * refuses, what C++ throws, what no memory holds; and then a result for which the memory has to grow.
 */
export async function faults(options) {
  const { MultiHeadAttention } = await load(options);
  const layer = new MultiHeadAttention({ embedDim: 64, numHeads: 4 });
  const input = waves(5, 64);
  const forward = () => JSON.stringify(plainAll(layer.forward(input)));
  const before = forward();

  const calls = {
    kind: [1, () => layer.forward('the cat sat')],
    shape: [1, () => layer.forward(waves(5, 63))],
    cpp: [MANY, () => new MultiHeadAttention({ embedDim: 8, numHeads: 4, numKvHeads: 3 })],
    memory: [1, () => new MultiHeadAttention({ embedDim: 2 ** 16, numHeads: 1 })],
  };
  const thrown = Object.entries(calls).map(([name, [times, call]]) => {
    let error;
    for (let i = 0; i < times; ++i) {
      try {
        call();
      } catch (caught) {
        error = caught;
      }
    }
    const kind = [TypeError, RangeError].find((ErrorClass) => error instanceof ErrorClass)?.name;
    return [name, { kind, message: error?.message, same: forward() === before }];
  });

  // 26 MB of weights; the memory begins with 16.
  const length = 1280;
  const { output, weights } = layer.forward(waves(length, 64));
  let farthest = 0;
  for (let row = 0; row < weights.size; row += length) {
    const sum = weights.data.subarray(row, row + length).reduce((total, weight) => total + weight, 0);
    farthest = Math.max(farthest, Math.abs(sum - 1));
  }
  const finite = output.data.every(Number.isFinite);
  const same = forward() === before;
  layer.dispose();
  return {
    thrown: Object.fromEntries(thrown),
    grown: { shape: Array.from(weights.shape), finite, farthest, same },
  };
}
