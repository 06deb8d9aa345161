/** Fills dist/wasm with the binaries that CMake has made and one loader for each kind of them. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { minify } from 'vite';
import { inRepo, main, Problem } from './bootstrap/basics.mjs';
import { loaderText } from './loader-text.mjs';

const builds = ['simd', 'relaxed'];

/** Names each generated loader in `dist/wasm`, and the binaries that it serves. */
const loaders = {
  attention: builds,
  'attention-threads': builds.map((build) => `${build}-threads`),
  training: builds.map((build) => `training-${build}`),
  models: builds.map((build) => `models-${build}`),
  'models-threads': builds.map((build) => `models-${build}-threads`),
};

const built = (name, suffix) => inRepo('build', 'wasm', `${name}.${suffix}`);
const collected = (name) => inRepo('dist', 'wasm', name);

/** Returns the one loader that fits all binaries, as web/ uses it. */
function commonLoader(loader, binaries) {
  const texts = binaries.map((name) =>
    loaderText(readFileSync(built(name, 'js'), 'utf8'), {
      name,
      target: loader.replace('-threads', ''),
      hasThreads: loader.endsWith('-threads'),
    }),
  );
  const different = binaries.filter((_, i) => texts[i] !== texts[0]);
  if (different.length === 0) return texts[0];
  throw new Problem(
    `The loaders generated for ${different.join(', ')} differ from that for ${binaries[0]}, but ` +
      `dist/wasm/${loader}.js serves all of them: give them the same link options.`,
  );
}

/** Minifies the loader: pages without a bundler download it as it is, and short names make it a third smaller. */
async function minified(text) {
  const { code, errors } = await minify('loader.js', text, { module: true });
  if (errors.length > 0) throw new Problem(`The loader cannot be minified: ${errors[0].message}`);
  return code;
}

await main(async () => {
  mkdirSync(collected(''), { recursive: true });
  for (const [loader, binaries] of Object.entries(loaders)) {
    for (const name of binaries) copyFileSync(built(name, 'wasm'), collected(`${name}.wasm`));
    writeFileSync(collected(`${loader}.js`), await minified(commonLoader(loader, binaries)));
    copyFileSync(inRepo('web', 'wasm', `${loader}.d.ts`), collected(`${loader}.d.ts`));
  }
});
