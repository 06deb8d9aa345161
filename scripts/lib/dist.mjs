import { copyFileSync, cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { compile, toolchainKey } from './cmake.mjs';
import { filesBelow, whenChanged } from './fresh.mjs';
import { Problem } from './problem.mjs';
import { loaderText } from './loader-text.mjs';
import { step } from './progress.mjs';
import { inRepo, repo, threadedWasmBuilds, wasmBuilds } from './repo.mjs';
import { run } from './run.mjs';

const dist = inRepo('dist');
const wasmFolder = path.join(dist, 'wasm');

/** A binary: the target that makes it and the preset for which; `dist/wasm` has it as `name`.wasm. */
const attentionOf = (build) => ({ name: build, target: 'attention', preset: `wasm-${build}` });
const trainingOf = (build) => ({ name: `training-${build}`, target: 'training', preset: `wasm-${build}` });

/** Each generated loader in `dist/wasm`, and the binaries that it serves. */
const loaders = {
  attention: wasmBuilds.map(attentionOf),
  'attention-threads': threadedWasmBuilds.map(attentionOf),
  training: wasmBuilds.map(trainingOf),
};
export const allBinaries = Object.values(loaders).flat();

const built = ({ name, preset }, suffix) => inRepo('build', preset, `${name}.${suffix}`);

/** The loader of one binary, as web/ uses it. */
const loaderOf = (binary) =>
  loaderText(readFileSync(built(binary, 'js'), 'utf8'), {
    ...binary,
    hasThreads: threadedWasmBuilds.includes(binary.name),
  });

/** The one loader that fits all these binaries. */
function commonLoader(name, binaries) {
  const [loader, ...others] = binaries.map(loaderOf);
  const different = binaries.slice(1).filter((_, i) => others[i] !== loader);
  if (different.length > 0) {
    throw new Problem(
      `The loaders generated for ${different.map((binary) => binary.name).join(', ')} differ from that for ` +
        `${binaries[0].name}, but dist/wasm/${name}.js serves all of them: give them the same link options.`,
    );
  }
  return loader;
}

/** Pages without a bundler download the loader as it is: with short names it is a third smaller. */
async function minified(loader) {
  const { minify } = await import('vite');
  const { code, errors } = await minify('loader.js', loader, { module: true });
  if (errors.length > 0) throw new Problem(`The loader cannot be minified: ${errors[0].message}`);
  return code;
}

const compiled = allBinaries.flatMap((binary) => [built(binary, 'wasm'), built(binary, 'js')]);

/** Compiles all binaries. Ninja would see by itself that nothing has changed, after a line for each of them. */
async function compileBinaries(toolchain) {
  const what = {
    inputs: ['cpp', 'CMakeLists.txt', 'CMakePresets.json'].map((name) => inRepo(name)),
    key: allBinaries.map(({ preset }) => toolchainKey(preset, toolchain.env)),
    outputs: compiled,
  };
  await whenChanged('binaries', what, async () => {
    for (const { preset, target } of allBinaries) await compile(preset, target, toolchain);
  });
}

/** Fills `dist/wasm`: the binaries and their loaders. */
async function collectWasm() {
  const names = [
    ...Object.keys(loaders).map((name) => `${name}.js`),
    ...allBinaries.map(({ name }) => `${name}.wasm`),
  ];
  const what = {
    inputs: compiled,
    outputs: names.map((name) => path.join(wasmFolder, name)),
  };
  await whenChanged('dist-wasm', what, async () => {
    mkdirSync(wasmFolder, { recursive: true });
    for (const binary of allBinaries) {
      copyFileSync(built(binary, 'wasm'), path.join(wasmFolder, `${binary.name}.wasm`));
    }
    for (const [name, binaries] of Object.entries(loaders)) {
      writeFileSync(path.join(wasmFolder, `${name}.js`), await minified(commonLoader(name, binaries)));
    }
  });
}

/** What `tsc` does not write and so must survive when its old output is cleared. */
const standalone = ['standalone.js', 'standalone.classic.js'];
const notFromTypeScript = ['wasm', 'models', 'custom-elements.json', ...standalone];

/** Compiles web/ to dist/ anew, so that what was renamed or deleted does not stay in the package. */
export async function compileTypeScript() {
  const what = {
    inputs: [...filesBelow(inRepo('web')).filter((file) => file.endsWith('.ts')), inRepo('tsconfig.json')],
    outputs: [path.join(dist, 'index.js')],
  };
  await whenChanged('dist-typescript', what, () =>
    step('Compiling TypeScript', async () => {
      mkdirSync(wasmFolder, { recursive: true });
      for (const name of readdirSync(dist)) {
        if (!notFromTypeScript.includes(name)) rmSync(path.join(dist, name), { recursive: true });
      }
      const tsc = inRepo('node_modules', 'typescript', 'bin', 'tsc');
      await run(process.execPath, [tsc, '-p', repo, '--incremental', 'false', '--tsBuildInfoFile', 'null']);
      for (const loader of Object.keys(loaders)) {
        copyFileSync(inRepo('web', 'wasm', `${loader}.d.ts`), path.join(wasmFolder, `${loader}.d.ts`));
      }
    }),
  );
}

/** Fills `dist/models`: the trained model beside `standalone.js`, which looks for it there. */
async function collectModels() {
  const [source, target] = [inRepo('models'), path.join(dist, 'models')];
  await whenChanged('dist-models', { inputs: [source], outputs: [target] }, () => {
    rmSync(target, { recursive: true, force: true });
    cpSync(source, target, { recursive: true });
  });
}

/** Describes the elements in dist/custom-elements.json. */
async function describeElements() {
  const config = path.join('web', 'elements', 'custom-elements-manifest.config.mjs');
  const what = {
    inputs: [
      ...filesBelow(inRepo('web', 'elements')).filter((file) => /mha-[a-z-]+\.ts$/.test(file)),
      inRepo(config),
    ],
    outputs: [path.join(dist, 'custom-elements.json')],
  };
  await whenChanged('dist-custom-elements', what, () =>
    step('Describing the elements', () => {
      const cem = inRepo('node_modules', '@custom-elements-manifest', 'analyzer', 'cem.js');
      return run(process.execPath, [cem, 'analyze', '--quiet', '--config', config]);
    }),
  );
}

async function viteBuild(configFile, mode) {
  const { build } = await import('vite');
  await build({ configFile, mode, logLevel: 'warn' });
}

const packageFiles = () =>
  filesBelow(dist).filter(
    (file) => !standalone.includes(path.relative(dist, file)) && !file.endsWith('.d.ts'),
  );

/**
 * Bundles elements, API and all binaries into one self-contained file: the module dist/standalone.js, and for pages that
 * are opened as files, where browsers load no modules, dist/standalone.classic.js.
 */
async function bundleStandalone() {
  const configFile = inRepo('web', 'standalone.vite.config.mjs');
  const what = {
    inputs: [...packageFiles(), inRepo('web', 'standalone.ts'), configFile],
    outputs: standalone.map((name) => path.join(dist, name)),
  };
  await whenChanged('dist-standalone', what, () =>
    step(`Bundling ${standalone.join(' and ')}`, async () => {
      await viteBuild(configFile);
      await viteBuild(configFile, 'classic');
    }),
  );
}

/** Builds the tutorial page into build/site; it uses the package as any other page would. */
async function buildPage() {
  const what = {
    inputs: [...packageFiles(), inRepo('web', 'tutorial'), inRepo('package-lock.json')],
    outputs: [inRepo('build', 'site', 'index.html')],
  };
  await whenChanged('site', what, () =>
    step('Building the page', () => viteBuild(inRepo('web', 'tutorial', 'vite.config.mjs'))),
  );
}

/** All but the binaries themselves. */
export async function buildAroundBinaries() {
  await collectWasm();
  await compileTypeScript();
  await collectModels();
  await describeElements();
  await bundleStandalone();
  await buildPage();
}

/** Brings dist/ (the package) and build/site (the page) up to date. Needs node packages and Emscripten. */
export async function buildAll(toolchain) {
  await compileBinaries(toolchain);
  await buildAroundBinaries();
}
