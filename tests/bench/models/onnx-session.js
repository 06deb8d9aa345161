/** What ONNX Runtime's packages for pages and for Node have in common. */
import { onnxAttention, onnxLayer } from './onnx-attention.js';

/**
 * A library of this folder's form.
 *
 * @param Tensor the package's class
 * @param open (model, threads) → { session, threads }
 */
export function onnxLibrary(Tensor, open) {
  return {
    async layer({ shape, parameters, threads, form }) {
      const opened = await open(onnxLayer(shape, parameters, { packed: form === 'packed' }), threads);
      const { batch, length, embedDim } = shape;
      return {
        threads: opened.threads,
        async run(data) {
          const x = new Tensor('float32', data, [batch, length, embedDim]);
          const { output, weights } = await opened.session.run({ x });
          return { output: output.data, weights: weights.data };
        },
        dispose: () => opened.session.release(),
      };
    },
    async attention({ shape, threads, form }) {
      const opened = await open(onnxAttention(shape, { fused: form === 'fused' }), threads);
      const { batch, length, numHeads, headDim } = shape;
      const tensor = (data) => new Tensor('float32', data, [batch, numHeads, length, headDim]);
      return {
        threads: opened.threads,
        async run({ query, key, value }) {
          const inputs = { query: tensor(query), key: tensor(key), value: tensor(value) };
          const { output } = await opened.session.run(inputs);
          return { output: output.data };
        },
        dispose: () => opened.session.release(),
      };
    },
    /** A model of token ids. Exports of this form give no attentions out. */
    async minilm({ parameters, threads }) {
      const opened = await open(await parameters.onnx(), threads);
      return {
        threads: opened.threads,
        async run(ids) {
          const tensor = (valueOf) => new Tensor('int64', BigInt64Array.from(ids, valueOf), [1, ids.length]);
          const { last_hidden_state: last } = await opened.session.run({
            input_ids: tensor((id) => BigInt(id)),
            attention_mask: tensor(() => 1n),
            token_type_ids: tensor(() => 0n),
          });
          return { output: last.data };
        },
        dispose: () => opened.session.release(),
      };
    },
  };
}

export const onnxForms = { layer: ['separate', 'packed'], attention: ['plain', 'fused'] };
