// Times self-attention `forward()` of the built package, as a user of the API sees it: the copies into and
// out of WebAssembly are part of every run. A process of its own, because the relaxed build may need a flag.
import { cpus } from 'node:os';
import { load } from '../../dist/index.js';
import { wasmBuilds } from './repo.mjs';

const layers = [
  { batch: 1, length: 16, embedDim: 512, numHeads: 8 },
  { batch: 1, length: 128, embedDim: 768, numHeads: 12 },
  { batch: 1, length: 196, embedDim: 768, numHeads: 12 },
];
const warmUps = 5;
const fewestRuns = 15;
const shortestMilliseconds = 1500;

/** Multiplications and additions of the four projections and the two attention products; no softmax. */
function flops({ batch, length, embedDim }) {
  const projections = 4 * 2 * length * embedDim ** 2;
  const products = 2 * 2 * length ** 2 * embedDim;
  return batch * (projections + products);
}

function time(work) {
  for (let i = 0; i < warmUps; i++) work();
  const times = [];
  const end = performance.now() + shortestMilliseconds;
  while (times.length < fewestRuns || performance.now() < end) {
    const started = performance.now();
    work();
    times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  return { runs: times.length, min: times[0], median: times[Math.floor(times.length / 2)] };
}

console.log(`Self-attention forward(), one thread, Node ${process.versions.node}, ${cpus()[0].model}`);
console.log('(B, L, E, H)          build    median ms    min ms   GFLOP/s (median)   runs');
for (const layer of layers) {
  const { batch, length, embedDim, numHeads } = layer;
  for (const build of wasmBuilds) {
    const module = await load({ build });
    const attention = new module.MultiHeadAttention({ embedDim, numHeads, seed: 0 });
    const x = module.random.defaultRng(0).normal(0, 1, [batch, length, embedDim]);
    const query = { data: Float32Array.from(x.data), shape: [...x.shape] };
    const { median, min, runs } = time(() => attention.forward(query));
    attention.dispose();
    const columns = [
      `(${batch}, ${length}, ${embedDim}, ${numHeads})`.padEnd(21),
      build.padEnd(8),
      median.toFixed(3).padStart(9),
      min.toFixed(3).padStart(9),
      (flops(layer) / median / 1e6).toFixed(2).padStart(18),
      String(runs).padStart(6),
    ];
    console.log(columns.join(' '));
  }
}
