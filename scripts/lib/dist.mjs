import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { compile } from './cmake.mjs';
import { filesBelow, whenChanged } from './fresh.mjs';
import { Problem } from './problem.mjs';
import { step } from './progress.mjs';
import { inRepo, repo, wasmBuilds } from './repo.mjs';
import { run } from './run.mjs';

const dist = inRepo('dist');
const wasmFolder = path.join(dist, 'wasm');

/**
 * The generated loader of one build without the URL of its binary: web/api finds the bytes, and a bundler would
 * look for the file that the URL names.
 */
function loaderOf(build) {
  const text = readFileSync(inRepo('build', `wasm-${build}`, `${build}.js`), 'utf8');
  return text
    .replace(`new URL("${build}.wasm",import.meta.url).href`, '""')
    .replaceAll(`${build}.wasm`, 'attention.wasm');
}

/** Fills `dist/wasm`: one binary per build, and the one loader that fits them all. */
async function collectWasm() {
  const binary = (build) => inRepo('build', `wasm-${build}`, `${build}.wasm`);
  const loaders = wasmBuilds.map((build) => inRepo('build', `wasm-${build}`, `${build}.js`));
  const what = {
    inputs: [...wasmBuilds.map(binary), ...loaders],
    outputs: ['attention.js', ...wasmBuilds.map((build) => `${build}.wasm`)].map((name) =>
      path.join(wasmFolder, name),
    ),
  };
  await whenChanged('dist-wasm', what, async () => {
    const [loader, ...others] = wasmBuilds.map(loaderOf);
    const different = wasmBuilds.slice(1).filter((_, i) => others[i] !== loader);
    if (different.length > 0) {
      throw new Problem(
        `The loaders generated for ${different.join(', ')} differ from that for ${wasmBuilds[0]}, ` +
          'but dist/wasm/attention.js serves all builds: give the builds the same link options.',
      );
    }
    mkdirSync(wasmFolder, { recursive: true });
    for (const build of wasmBuilds) copyFileSync(binary(build), path.join(wasmFolder, `${build}.wasm`));
    writeFileSync(path.join(wasmFolder, 'attention.js'), loader);
  });
}

/** What `tsc` does not write and so must survive when its old output is cleared. */
const notFromTypeScript = ['wasm', 'standalone.js'];

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
      copyFileSync(inRepo('web', 'wasm', 'attention.d.ts'), path.join(wasmFolder, 'attention.d.ts'));
    }),
  );
}

async function viteBuild(configFile) {
  const { build } = await import('vite');
  await build({ configFile, logLevel: 'warn' });
}

const packageFiles = () =>
  filesBelow(dist).filter((file) => file !== path.join(dist, 'standalone.js') && !file.endsWith('.d.ts'));

/** Bundles elements, API and all binaries into the one self-contained module dist/standalone.js. */
async function bundleStandalone() {
  const configFile = inRepo('web', 'standalone.vite.config.mjs');
  const what = {
    inputs: [...packageFiles(), inRepo('web', 'standalone.ts'), configFile],
    outputs: [path.join(dist, 'standalone.js')],
  };
  await whenChanged('dist-standalone', what, () =>
    step('Bundling standalone.js', () => viteBuild(configFile)),
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

/** Brings dist/ (the package) and build/site (the page) up to date. Needs node packages and Emscripten. */
export async function buildAll(toolchain) {
  for (const build of wasmBuilds) await compile(`wasm-${build}`, 'attention', toolchain);
  await collectWasm();
  await compileTypeScript();
  await bundleStandalone();
  await buildPage();
}
