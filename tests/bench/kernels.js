/**
 * Matrix product, softmax and a whole layer, in GFLOP/s and as a share of what the engine gives on registers
 * alone; and where the time of a layer goes. Runs in Node and in pages.
 */
import { load } from '../../dist/index.js';
import { roofline, stepOf } from './roofline.js';

/** The layer's own products: a projection of 196 tokens, one head's scores and context, a short text's projection. */
const PRODUCTS = [
  { m: 196, n: 2304, k: 768 },
  { m: 1024, n: 1024, k: 1024 },
  { m: 16, n: 2048, k: 512 },
  { m: 196, n: 196, k: 64 },
  { m: 196, n: 64, k: 196 },
];
const SOFTMAX = { rows: 12 * 196, columns: 196 };
const LAYER = { batch: 1, length: 196, embedDim: 768, numHeads: 12 };
/** Whose parts are timed. */
const PARTED = [
  { batch: 1, length: 16, embedDim: 512, numHeads: 8 },
  LAYER,
  { batch: 1, length: 1024, embedDim: 768, numHeads: 12 },
];

const sizeOf = ({ batch, length, embedDim, numHeads }) => `(${batch}, ${length}, ${embedDim}, ${numHeads})`;

/** Short samples: some are undisturbed, and the fastest counts. */
const SAMPLE_MILLISECONDS = 3;

const numbers = (length) => Float32Array.from({ length }, (_, i) => Math.sin(i + 1));

async function bytesOf(url) {
  if (url.protocol !== 'file:') return (await fetch(url)).arrayBuffer();
  const { readFile } = await import('node:fs/promises');
  return readFile(url);
}

/** A wrong product is no figure: some of its numbers are held against plain sums. */
function checkProduct({ m, n, k }, a, b, bias, c) {
  for (let probe = 0; probe < 100; probe++) {
    const [i, j] = [(probe * 7919) % m, (probe * 104729) % n];
    let sum = bias[j];
    for (let p = 0; p < k; p++) sum += a[i * k + p] * b[j * k + p];
    const got = c[i * n + j];
    if (!(Math.abs(got - sum) < 1e-5 * k)) throw new Error(`product [${i}, ${j}] must be ${sum}, got ${got}`);
  }
}

/** What is timed: each has its kind and size, what one run counts (`flops` or `elements`), and `run`. */
async function worksOf(build) {
  const { instance } = await WebAssembly.instantiate(
    await bytesOf(new URL(`../../build/wasm/bench_kernels-${build}.wasm`, import.meta.url)),
  );
  const { memory, allocateFloats, multiply, softmax, useTallTiles, _initialize } = instance.exports;
  const { packTransposed, packRows, packedSize } = instance.exports;
  _initialize();
  // As load() decides it.
  if ('Float16Array' in globalThis) useTallTiles();
  const view = (address, length) => new Float32Array(memory.buffer, address, length);
  const place = (values) => {
    const address = allocateFloats(values.length);
    view(address, values.length).set(values);
    return address;
  };

  const products = PRODUCTS.map(({ m, n, k }) => {
    const [a, b, bias] = [numbers(m * k), numbers(n * k), numbers(n)];
    const [left, right, result] = [place(a), allocateFloats(packedSize(n, k)), allocateFloats(m * n)];
    packTransposed(n, k, place(b), place(bias), right);
    const packedLeft = allocateFloats(m * k);
    const run = () => multiply(m, n, k, left, packedLeft, right, result);
    run();
    checkProduct({ m, n, k }, a, b, bias, view(result, m * n));
    return { kind: 'product', size: `${m}×${n}×${k}`, flops: 2 * m * n * k, run };
  });

  const { rows, columns } = SOFTMAX;
  const rowsOfScores = place(numbers(rows * columns));
  const { MultiHeadAttention } = await load({ build });
  const { batch, length, embedDim, numHeads } = LAYER;
  const layer = new MultiHeadAttention({ embedDim, numHeads });
  const { projections, scores, context } = layer.flops(length, length, batch);
  const query = { data: numbers(batch * length * embedDim), shape: [batch, length, embedDim] };

  /** A layer of one sequence with given and with new results, and the same work step by step. */
  const partsOf = (shape) => {
    const { length, embedDim, numHeads } = shape;
    const headDim = embedDim / numHeads;
    const size = sizeOf(shape);
    const layer = new MultiHeadAttention({ embedDim, numHeads });
    const x = { data: numbers(length * embedDim), shape: [1, length, embedDim] };
    const tensor = (...shape) => ({ data: new Float32Array(shape.reduce((a, b) => a * b)), shape });
    const out = { output: tensor(1, length, embedDim), weights: tensor(1, numHeads, length, length) };
    // Heads follow each other in the same memory.
    const wide = Math.max(3 * embedDim, length);
    const rows = place(numbers(length * wide));
    const [packedLeft, result] = [allocateFloats(length * wide), allocateFloats(length * wide)];
    const matrix = (n, k) => {
      const right = allocateFloats(packedSize(n, k));
      packTransposed(n, k, place(numbers(n * k)), 0, right);
      return right;
    };
    const [toHeads, toOutput] = [matrix(3 * embedDim, embedDim), matrix(embedDim, embedDim)];
    const [keys, values] = [matrix(length, headDim), matrix(headDim, length)];
    const ofHead = allocateFloats(length * headDim);
    const eachHead = (run) => () => {
      for (let head = 0; head < numHeads; head++) run();
    };
    const steps = {
      projections() {
        multiply(length, 3 * embedDim, embedDim, rows, packedLeft, toHeads, result);
        multiply(length, embedDim, embedDim, rows, packedLeft, toOutput, result);
      },
      scores: eachHead(() => {
        packTransposed(length, headDim, rows, 0, keys);
        multiply(length, length, headDim, rows, packedLeft, keys, result);
      }),
      softmax: eachHead(() => softmax(length, length, result)),
      context: eachHead(() => {
        packRows(headDim, length, rows, values);
        multiply(length, headDim, length, result, packedLeft, values, ofHead);
      }),
      copies() {
        view(rows, x.data.length).set(x.data);
        out.output.data.set(view(rows, x.data.length));
        for (let head = 0; head < numHeads; head++) {
          out.weights.data.set(view(result, length ** 2), head * length ** 2);
        }
      },
      given: () => layer.forward(x, { out }),
      new: () => layer.forward(x),
    };
    return Object.entries(steps).map(([part, run]) => ({ kind: 'part', size, part, run }));
  };

  return [
    ...products,
    {
      kind: 'softmax',
      size: `${rows}×${columns}`,
      elements: rows * columns,
      run: () => softmax(rows, columns, rowsOfScores),
    },
    {
      kind: 'layer',
      size: sizeOf(LAYER),
      // Of a multiply-add both; softmax is not counted, though its time is.
      flops: 2 * (projections + scores + context),
      run: () => layer.forward(query),
    },
    ...PARTED.flatMap(partsOf),
  ];
}

/** A function that gives one sample of milliseconds per run, the engine's tiers behind it. */
function sampler(run, warmUpMilliseconds) {
  const time = (times) => {
    const started = performance.now();
    for (let i = 0; i < times; i++) run();
    return performance.now() - started;
  };
  let [runs, spent] = [0, 0];
  do {
    spent += time(1);
    runs += 1;
    // A fast run may be below the clock's step.
  } while (spent === 0 || spent < warmUpMilliseconds);
  const times = Math.max(1, Math.round((SAMPLE_MILLISECONDS * runs) / spent));
  return () => time(times) / times;
}

/**
 * Peak and works of every build in turn, `rounds` times. The fastest sample of each counts:
 * disturbances only slow down.
 *
 * @returns rows `{ build, kind, size, milliseconds, peak, gflops, share }`, `share` = gflops / peak; softmax has
 *   `nanosecondsPerElement` instead of the last two, the parts of layers their `part`
 */
export default async function measureKernels({ builds, rounds, warmUpMilliseconds }) {
  const measured = [];
  for (const build of builds) {
    const works = (await worksOf(build)).map((work) => ({
      ...work,
      sample: sampler(work.run, warmUpMilliseconds),
      milliseconds: Infinity,
    }));
    measured.push({ build, works, samplePeak: await roofline(stepOf(build)), peak: 0 });
  }
  for (let round = 0; round < rounds; round++) {
    for (const run of measured) {
      for (const work of run.works) {
        run.peak = Math.max(run.peak, run.samplePeak());
        work.milliseconds = Math.min(work.milliseconds, work.sample());
      }
    }
  }
  return measured.flatMap(({ build, works, peak }) =>
    works.map(({ kind, size, part, flops, elements, milliseconds }) => {
      if (part) return { build, kind, size, part, milliseconds };
      const row = { build, kind, size, milliseconds, peak };
      if (!flops) return { ...row, nanosecondsPerElement: (milliseconds * 1e6) / elements };
      const gflops = flops / milliseconds / 1e6;
      return { ...row, gflops, share: gflops / peak };
    }),
  );
}
