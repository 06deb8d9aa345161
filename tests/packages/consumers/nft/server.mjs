import { readFile } from 'node:fs/promises';
import { load } from 'multihead-attention';
import { loadTraining } from 'multihead-attention/training';
// As a framework that renders a client component on the server.
import 'multihead-attention/elements';

const modules = [await load(), await load({ build: 'simd' }), await load({ threads: 2 })];
const { Encoder } = await loadTraining();
const model = await readFile(
  new URL(import.meta.resolve('multihead-attention/data/sentences/model.safetensors')),
);
const [{ random, safetensors }] = modules;
const x = random.RandomState(42).normal(0, 0.5, [1, 16, 32]);
console.log(
  JSON.stringify({
    weights: modules.map((module) => module.scaledDotProductAttention(x, x, x).weights.toNested()),
    threads: modules.map(({ threads }) => threads),
    layers: new Encoder({ vocabSize: 100, maxLength: 8 }).forward([[5, 7]]).weights.length,
    parameters: Object.keys(safetensors.read(model)).length,
  }),
);
