import * as core from '@tensorflow/tfjs-core';
import * as backend from '@tensorflow/tfjs-backend-wasm';
import { scaled, transpose } from '../data.js';

// CommonJS in Node, a global in pages.
const tf = globalThis.tf ?? core.default;
const { setWasmPaths } = tf.wasm ?? backend.default;

/** The product of batches is a plain loop here, that of two matrices is XNNPACK's: it pays from some tens of tokens on. */
export const forms = { layer: ['heads together', 'head by head'] };

let started;
/** In one thread: in Node this library has no other way. */
function start() {
  if (globalThis.document) setWasmPaths('/tests/bench/node_modules/@tensorflow/tfjs-backend-wasm/dist/');
  tf.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);
  started ??= tf.setBackend('wasm');
  return started;
}

/** Disposes of intermediates. `tf.tidy` would search all numbers of the result for tensors. */
function tidied(compute) {
  tf.engine().startScope();
  try {
    return compute();
  } finally {
    tf.engine().endScope();
  }
}

/** x W + b; `to` is what `linear` gives. */
const project = (x, to) => tf.fused.matMul({ a: x, ...to });

/** Rows `first` … `first + count` of W (out, in) and b. */
function linear({ weight, bias }, inSize, first = 0, count = bias.length) {
  const rows = weight.subarray(first * inSize, (first + count) * inSize);
  return {
    b: tf.tensor2d(transpose(rows, count, inSize), [inSize, count]),
    bias: tf.tensor1d(bias.subarray(first, first + count)),
  };
}

/** softmax(q kᵀ) v of one head, all (N, d_k). */
function attend(query, key, value) {
  const scores = tf.matMul(query, tf.transpose(key));
  const weights = tf.softmax(scores);
  scores.dispose();
  return { weights, context: tf.matMul(weights, value) };
}

/** Copies a tensor's numbers to where they belong. */
function take(tensor, to, start) {
  to.set(tensor.dataSync(), start);
  tensor.dispose();
}

/** Each gives a function from x (B·N, d) to the result; `linear` keeps what it makes until the layer is disposed of. */
const layers = {
  'heads together'({ batch, length, embedDim, numHeads }, { query, key, value, output }, linear) {
    const headDim = embedDim / numHeads;
    const [toQuery, toKey, toValue, toOutput] = [query, key, value, output].map((one) =>
      linear(one, embedDim),
    );
    const byHead = (x, to) => {
      const parted = tf.reshape(project(x, to), [batch, length, numHeads, headDim]);
      return tf.transpose(parted, [0, 2, 1, 3]);
    };
    return (x) => {
      const weights = tf.softmax(tf.matMul(byHead(x, toQuery), byHead(x, toKey), false, true));
      const context = tf.transpose(tf.matMul(weights, byHead(x, toValue)), [0, 2, 1, 3]);
      const output = project(tf.reshape(context, [batch * length, embedDim]), toOutput);
      return { output: output.dataSync(), weights: weights.dataSync() };
    };
  },
  'head by head'({ batch, length, embedDim, numHeads }, { query, key, value, output }, linear) {
    const headDim = embedDim / numHeads;
    const toHeads = Array.from({ length: numHeads }, (_, head) =>
      [query, key, value].map((one) => linear(one, embedDim, head * headDim, headDim)),
    );
    const toOutput = linear(output, embedDim);
    const sequence = (all, i) => (batch === 1 ? all : tf.slice(all, [i * length, 0], [length, headDim]));
    return (x) => {
      const allWeights = new Float32Array(batch * numHeads * length ** 2);
      const contexts = toHeads.map((toHead, head) => {
        const projected = toHead.map((to) => project(x, to));
        const ofHead = Array.from({ length: batch }, (_, i) => {
          const { weights, context } = attend(...projected.map((all) => sequence(all, i)));
          take(weights, allWeights, (i * numHeads + head) * length ** 2);
          return context;
        });
        return tf.concat(ofHead, 0);
      });
      return { output: project(tf.concat(contexts, 1), toOutput).dataSync(), weights: allWeights };
    };
  },
};

export async function layer({ shape, parameters, form }) {
  const { batch, length, embedDim, numHeads } = shape;
  await start();
  const query = scaled(parameters.query, (embedDim / numHeads) ** -0.5);
  const resident = [];
  const compute = layers[form](shape, { ...parameters, query }, (...which) => {
    resident.push(linear(...which));
    return resident.at(-1);
  });
  return {
    threads: 1,
    run: (data) => tidied(() => compute(tf.tensor2d(data, [batch * length, embedDim]))),
    dispose: () => tf.dispose(resident),
  };
}

export async function attention({ shape }) {
  const { batch, length, numHeads, headDim } = shape;
  await start();
  const size = length * headDim;
  return {
    threads: 1,
    run(input) {
      const output = new Float32Array(batch * numHeads * size);
      for (let start = 0; start < output.length; start += size) {
        tidied(() => {
          const [query, key, value] = [input.query, input.key, input.value].map((all) =>
            tf.tensor2d(all.subarray(start, start + size), [length, headDim]),
          );
          take(attend(tf.mul(query, headDim ** -0.5), key, value).context, output, start);
        });
      }
      return { output };
    },
    dispose() {},
  };
}
