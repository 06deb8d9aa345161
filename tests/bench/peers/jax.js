import { defaultDevice, init, jit, nn, numpy as np } from '@jax-js/jax';
import { scaled, transpose } from '../data.js';

/** Without cross-origin isolation this library computes in one thread. */
async function start() {
  await init('wasm');
  defaultDevice('wasm');
}

/** Operations consume their arguments; `.ref` keeps them. */
const project = (x, weight, bias) => np.matmul(x, weight).add(bias);

const attend = (query, key, value) => {
  const weights = nn.softmax(np.matmul(query, key), -1);
  return { weights: weights.ref, context: np.matmul(weights, value) };
};

export async function layer({ shape, parameters }) {
  const { batch, length, embedDim, numHeads } = shape;
  const headDim = embedDim / numHeads;
  await start();
  const parts = [
    scaled(parameters.query, headDim ** -0.5),
    parameters.key,
    parameters.value,
    parameters.output,
  ].map(({ weight, bias }) => [
    np.array(transpose(weight, embedDim, embedDim)).reshape([embedDim, embedDim]),
    np.array(bias),
  ]);
  const compute = jit((x, toQuery, toKey, toValue, toOutput) => {
    const byHead = (input, to, axes) =>
      np.transpose(project(input, ...to).reshape([batch, length, numHeads, headDim]), axes);
    const { weights, context } = attend(
      byHead(x.ref, toQuery, [0, 2, 1, 3]),
      byHead(x.ref, toKey, [0, 2, 3, 1]),
      byHead(x, toValue, [0, 2, 1, 3]),
    );
    const joined = np.transpose(context, [0, 2, 1, 3]).reshape([batch, length, embedDim]);
    return [project(joined, ...toOutput), weights];
  });
  const kept = () => parts.map((part) => part.map((array) => array.ref));
  return {
    threads: 1,
    async run(data) {
      const x = np.array(data).reshape([batch, length, embedDim]);
      const [output, weights] = compute(x, ...kept());
      return { output: await output.data(), weights: await weights.data() };
    },
    dispose: () => parts.flat().forEach((array) => array.dispose()),
  };
}

export async function attention({ shape }) {
  const { batch, length, numHeads, headDim } = shape;
  await start();
  const compute = jit((query, key, value) => {
    const { weights, context } = attend(query.mul(headDim ** -0.5), np.transpose(key, [0, 1, 3, 2]), value);
    weights.dispose();
    return context;
  });
  const tensor = (data) => np.array(data).reshape([batch, numHeads, length, headDim]);
  return {
    threads: 1,
    async run({ query, key, value }) {
      return { output: await compute(tensor(query), tensor(key), tensor(value)).data() };
    },
    dispose() {},
  };
}
