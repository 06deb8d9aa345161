import * as ort from 'onnxruntime-web';
import { onnxAttention, onnxLayer } from '../models/onnx-attention.js';
import { withInt8Products } from '../models/onnx-int8.js';

export const forms = { layer: ['separate', 'packed'], attention: ['plain', 'fused'] };

/** A contender of the model: `feeds(input)` gives its inputs, `results(outputs)` what is compared. */
async function contender(model, threads, feeds, results) {
  ort.env.wasm.numThreads = threads;
  const session = await ort.InferenceSession.create(model, {
    executionProviders: ['wasm'],
    logSeverityLevel: 3,
  });
  return {
    threads: ort.env.wasm.numThreads,
    run: async (input) => results(await session.run(feeds(input))),
    dispose: () => session.release(),
  };
}

const floats = (data, shape) => new ort.Tensor('float32', data, shape);

export function layer({ shape, parameters, threads, form }) {
  const { batch, length, embedDim } = shape;
  return contender(
    onnxLayer(shape, parameters, { packed: form === 'packed' }),
    threads,
    (data) => ({ x: floats(data, [batch, length, embedDim]) }),
    ({ output, weights }) => ({ output: output.data, weights: weights.data }),
  );
}

export function attention({ shape, threads, form }) {
  const { batch, length, numHeads, headDim } = shape;
  const tensor = (data) => floats(data, [batch, numHeads, length, headDim]);
  return contender(
    onnxAttention(shape, { fused: form === 'fused' }),
    threads,
    ({ query, key, value }) => ({ query: tensor(query), key: tensor(key), value: tensor(value) }),
    ({ output }) => ({ output: output.data }),
  );
}

/** A model of token ids. Exports of this form give no attentions out. */
export async function minilm({ parameters, threads, options: { dtype } }) {
  const model = await parameters.onnx();
  const tensor = (ids, valueOf) => new ort.Tensor('int64', BigInt64Array.from(ids, valueOf), [1, ids.length]);
  return contender(
    dtype === 'int8' ? withInt8Products(model) : model,
    threads,
    (ids) => ({
      input_ids: tensor(ids, BigInt),
      attention_mask: tensor(ids, () => 1n),
      token_type_ids: tensor(ids, () => 0n),
    }),
    ({ last_hidden_state: last }) => ({ output: last.data }),
  );
}
