/** A thread ends in the middle of a shared loop: no other waits for it forever, and nothing leaks. */
import { runBesidePackage } from './consumer.js';

/** Milliseconds after which a program counts as one that never ends. */
const never = 30_000;

/** What a program prints that may do harm to threads, before it loads two of them by `begin`. */
const run = (harm, code) =>
  runBesidePackage(
    `
    import { readFileSync } from 'node:fs';
    import { createRequire } from 'node:module';
    import { Worker } from 'node:worker_threads';
    import { load } from 'multihead-attention';
    const bytes = new Uint8Array(
      readFileSync(createRequire(import.meta.url).resolve('multihead-attention/wasm/simd-threads.wasm')),
    );
    const [L, E, H] = [1024, 64, 8];
    const x = { data: Float32Array.from({ length: L * E }, (_, i) => Math.sin(i)), shape: [L, E] };
    const thrown = (call) => {
      try {
        call();
        return 'nothing';
      } catch (error) {
        return String(error);
      }
    };
    const bitsOf = (mha) => {
      const { output, weights } = mha.forward(x);
      return Buffer.concat([output, weights].map(({ data }) => Buffer.from(data.buffer)));
    };
    const layerOf = (m) => new m.MultiHeadAttention({ embedDim: E, numHeads: H, seed: 1 });
    const one = await load({ build: 'simd' });
    const expected = bitsOf(layerOf(one));
    const isRight = (m) => bitsOf(layerOf(m)).equals(expected);
    let wasm, m, mha, cache;
    const begin = async () => {
      wasm = bytes.slice();
      m = await load({ wasm, threads: 2 });
      mha = layerOf(m);
      cache = new m.KVCache();
    };
    ${harm}
    ${code}`,
    never,
  );

/** Does harm when `isDue` and the thread that computes hands results over, while another may still compute. */
const inTheMiddle = (harm) => `
  let isDue = false;
  globalThis.Float32Array = new Proxy(Float32Array, {
    construct(target, args) {
      if (isDue && args[0] === H * L * L) {
        isDue = false;
        ${harm}
      }
      return Reflect.construct(target, args);
    },
  });`;

/** After a call has lost a thread: the same module, and a new one. */
const recovery = `
  console.log(thrown(() => mha.forward(x)));
  console.log(thrown(() => layerOf(m)));
  console.log(thrown(() => [mha, cache].forEach((owner) => owner.dispose())));
  const [again, too] = await Promise.all([1, 2].map(() => load({ wasm, threads: 2 })));
  console.log(again === too, again === m, again.threads);
  for (let i = 0; i < 3; ++i) console.log(isRight(again));
  console.log(await load({ wasm, threads: 2 }) === again, isRight(one));`;
const lost = 'Error: a thread of this module ended in the middle of its work: load() gives a new module\n';
const recovered = `${lost}${lost}nothing\ntrue false 2\ntrue\ntrue\ntrue\ntrue true\n`;

test(
  'because the binary that it runs traps',
  async () => {
    // In the place of the instruction that loads a factor: unreachable, and three that do nothing.
    const harm = `
      const damaged = bytes.slice();
      for (let i = 0; i + 4 <= damaged.length; ++i) {
        const isLoad = damaged[i] === 0xfd && damaged[i + 1] === 0x09 && damaged[i + 2] === 0x02;
        if (isLoad && damaged[i + 3] < 0x80) damaged.set([0x00, 0x01, 0x01, 0x01], i);
      }
      const damagedModule = await WebAssembly.compile(damaged);
      const { postMessage } = Worker.prototype;
      Worker.prototype.postMessage = function (message) {
        postMessage.call(this, message.wasmModule ? { ...message, wasmModule: damagedModule } : message);
      };
      await begin();
      Worker.prototype.postMessage = postMessage;
      console.log(thrown(() => mha.forward(x)));`;
    expect(await run(harm, recovery)).toBe(lost + recovered);
  },
  2 * never,
);

test(
  'because it is terminated',
  async () => {
    // The other thread is inside the loop when the program uses time though this thread sleeps; if it does not come in, in
    // another try. The clock is one by which a minute is soon over.
    const harm = `
      let worker;
      const { postMessage } = Worker.prototype;
      Worker.prototype.postMessage = function (...args) {
        worker = this;
        postMessage.apply(this, args);
      };
      const sleep = (milliseconds) =>
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
      const { now } = performance;
      ${inTheMiddle(`
        const before = process.cpuUsage().user;
        for (let i = 0; i < 1000 && process.cpuUsage().user - before < 4000; ++i) sleep(1);
        worker.terminate();
        sleep(300);
        let hurried = now.call(performance);
        performance.now = () => (hurried += 1000);`)}
      let said = 'nothing';
      for (let tries = 0; tries < 30 && said === 'nothing'; ++tries) {
        await begin();
        isDue = true;
        said = thrown(() => mha.forward(x));
        performance.now = now;
      }
      isDue = false;
      console.log(said);`;
    expect(await run(harm, recovery)).toBe(lost + recovered);
  },
  2 * never,
);

test(
  'and what the calling thread throws does not leave the others at work',
  async () => {
    const harm = inTheMiddle("throw new RangeError('Array buffer allocation failed');");
    // Another call at once: what a thread still writes for the first one would come out here. Where all results are handed
    // over at the end, nothing is thrown in the middle.
    const code = `
      await begin();
      const y = { data: x.data.slice(0, 600 * E), shape: [600, E] };
      const last = layerOf(one).forward(y).weights.data;
      for (let tries = 0, throws = 0; tries < 100 && throws < 5; ++tries) {
        isDue = true;
        const said = thrown(() => mha.forward(x));
        isDue = false;
        if (said === 'nothing') continue;
        ++throws;
        const { data } = mha.forward(y).weights;
        console.log(said, data.every((weight, i) => weight === last[i]));
      }`;
    expect(await run(harm, code)).toBe('RangeError: Array buffer allocation failed true\n'.repeat(5));
  },
  2 * never,
);
