import { Problem } from './problem.mjs';

/** `text` with `by` in the place of `what`, which must be there once. */
function replacedOnce(text, what, by, file) {
  const places = text.split(what).length - 1;
  if (places !== 1) {
    throw new Problem(
      `${file} must contain ${what} exactly once, but contains it ${places} times: this Emscripten generates ` +
        'another loader. Adapt scripts/lib/loader-text.mjs to it.',
    );
  }
  return text.replace(what, by);
}

/**
 * A generated loader without URLs: web/ finds the bytes of the binary and the script of the workers, and a bundler
 * would look for the files that the URLs name.
 */
export function loaderText(generated, { name, target, hasThreads }) {
  const file = `${name}.js`;
  const withoutBinary = replacedOnce(generated, `new URL("${name}.wasm",import.meta.url).href`, '""', file);
  const withoutWorker = hasThreads
    ? replacedOnce(withoutBinary, /new Worker\(new URL\([^()]*\),[^()]*\)/, 'Module["createWorker"]()', file)
    : withoutBinary;
  return replacedOnce(withoutWorker, `${name}.wasm`, `${target}.wasm`, file);
}
