/** Many at once: loads, layers, threads and workers, and workers that are ended in the middle. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { load } from 'multihead-attention';
import { loadTraining } from 'multihead-attention/training';
import {
  assertRight,
  ATTENTION,
  BINARIES,
  BUILDS,
  bytesOf,
  computed,
  pathOf,
  start,
  tensor,
  untouched,
} from './binaries.js';
import { isFull, Tally } from './tally.js';

test('many loads at once', async () => {
  const tally = new Tally();
  // All before the first has finished: loading is cached.
  const loaded = await Promise.all(
    BINARIES.map(({ build, threads, isTraining }) =>
      Promise.all(
        Array.from({ length: 200 }, () => (isTraining ? loadTraining({ build }) : load({ build, threads }))),
      ),
    ),
  );
  for (const [i, binary] of BINARIES.entries()) {
    const [first, ...others] = loaded[i];
    for (const module of others) {
      await tally.attempt(`${binary.file} of the package`, () => assert.equal(module, first));
    }
    await assertRight(binary, first);
    // The same address, file and bytes.
    for (const wasm of [pathOf(binary.file), bytesOf(binary.file)]) {
      const [one, ...more] = await Promise.all(Array.from({ length: 100 }, () => start(binary, wasm)));
      for (const module of more) await tally.attempt(binary.file, () => assert.equal(module, one));
      await assertRight(binary, one);
    }
    // Different bytes give different modules; damaged ones do not affect intact ones.
    const mixed = Array.from({ length: 12 }, (_, i) =>
      i % 3 === 0 ? bytesOf(binary.file).slice(0, 5000) : bytesOf(binary.file),
    );
    const settled = await Promise.allSettled(mixed.map((wasm) => start(binary, wasm)));
    for (const [i, { status, value }] of settled.entries()) {
      await tally.attempt(`${binary.file}, ${i} of good and bad`, async () => {
        assert.equal(status, i % 3 === 0 ? 'rejected' : 'fulfilled');
        if (value) await assertRight(binary, value);
      });
    }
  }
  tally.finish();
});

test('many layers by turns, on threads that they share', async () => {
  const tally = new Tally();
  const sizes = [4, 8, 16, 64, 128].flatMap((embedDim) =>
    [1, 2, 4].map((numHeads) => ({ embedDim, numHeads })),
  );
  for (const { build, threads } of ATTENTION) {
    const module = await load({ build, threads });
    assert.equal(module.threads, threads);
    const layers = sizes.map((size, seed) => {
      const layer = new module.MultiHeadAttention({ ...size, seed });
      const inputs = [3, 130].map((length) => tensor(length, size.embedDim));
      // Each alone, on its first call.
      return { layer, cases: inputs.map((x) => ({ x, right: layer.forward(x) })) };
    });
    // Interleaved in separate tasks.
    const turns = layers.flatMap(({ layer, cases }) =>
      cases.flatMap(({ x, right }) =>
        Array.from({ length: 5 }, (_, i) => async () => {
          await new Promise((resolve) => setTimeout(resolve, (i * 7) % 5));
          await tally.attempt(`${build} on ${threads}`, async () => {
            layer.forward(x, x, x, { training: true });
            // Another layer may run here.
            await null;
            assert.deepEqual(layer.forward(x), right);
          });
        }),
      ),
    );
    await Promise.all(turns.map((turn) => turn()));
    for (const { layer } of layers) layer.dispose();
  }
  tally.finish();
});

const workerOf = (binary, wasm) =>
  new Worker(new URL('./computing-worker.js', import.meta.url), { workerData: { binary, wasm } });

const messageOf = (worker) =>
  new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });

test('several worker threads at once', async () => {
  const tally = new Tally();
  for (const binary of BINARIES) {
    const expected = await untouched(binary);
    // A compiled module may be sent, too: each thread then starts it for itself.
    const compiled = await WebAssembly.compile(bytesOf(binary.file));
    const workers = [pathOf(binary.file), pathOf(binary.file), compiled, compiled].map((wasm) =>
      workerOf(binary, wasm),
    );
    const answers = workers.map(messageOf);
    const here = await start(binary, compiled);
    for (const answer of answers) {
      await tally.attempt(binary.file, async () => {
        assert.deepEqual((await answer).values, expected);
        assert.deepEqual(computed(here), expected);
      });
    }
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  tally.finish();
});

test('worker threads that are ended in the middle of a call', async () => {
  const tally = new Tally();
  for (const binary of BINARIES) {
    const here = await start(binary, bytesOf(binary.file));
    for (let i = 0; i < (isFull ? 3 : 1); ++i) {
      await tally.attempt(`${binary.file}, the ${i}th`, async () => {
        const worker = workerOf(binary, pathOf(binary.file));
        await messageOf(worker);
        worker.postMessage('go on without end');
        await messageOf(worker);
        await worker.terminate();
        await assertRight(binary, here);
      });
    }
    await tally.attempt(`${binary.file}, afterwards`, async () => {
      const worker = workerOf(binary, pathOf(binary.file));
      assert.deepEqual((await messageOf(worker)).values, await untouched(binary));
      await worker.terminate();
    });
  }
  tally.finish();
});

test('every build can be had side by side', async () => {
  const tally = new Tally();
  const modules = await Promise.all(
    BUILDS.flatMap((build) =>
      [1, 2, 3].map(async (threads) => ({ build, module: await load({ build, threads }) })),
    ),
  );
  for (let round = 0; round < 20; ++round) {
    for (const { build, module } of modules) await tally.attempt(build, () => assertRight({ build }, module));
  }
  tally.finish();
});
