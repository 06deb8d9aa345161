import { Problem } from './bootstrap/basics.mjs';

/** Replaces `what`, which must occur exactly once in `text`, by `by`. */
function replacedOnce(text, what, by, file) {
  const places = text.split(what).length - 1;
  if (places !== 1) {
    throw new Problem(
      `${file} must contain ${what} exactly once, but contains it ${places} times: this Emscripten generates ` +
        'another loader. Adapt scripts/loader-text.mjs to it.',
    );
  }
  return text.replace(what, by);
}

/** Lets web/ create the workers. A damaged binary may trap once they are ready: the loader's promise then rejects. */
function withThreads(generated, file) {
  const worker = /new Worker\(new URL\([^()]*\),[^()]*\)/;
  const ready = 'pthreadPoolReady.then(onMaybeReady)';
  const withoutWorker = replacedOnce(generated, worker, 'Module["createWorker"]()', file);
  return replacedOnce(withoutWorker, ready, `${ready}.catch(readyPromiseReject)`, file);
}

/**
 * Returns a generated loader without URLs: web/ finds the bytes of the binary and the script of the workers, and a
 * bundler would look for the files that the URLs name.
 */
export function loaderText(generated, { name, target, hasThreads }) {
  const file = `${name}.js`;
  const withoutBinary = replacedOnce(generated, `new URL("${name}.wasm",import.meta.url).href`, '""', file);
  const threaded = hasThreads ? withThreads(withoutBinary, file) : withoutBinary;
  return replacedOnce(threaded, `${name}.wasm`, `${target}.wasm`, file);
}
