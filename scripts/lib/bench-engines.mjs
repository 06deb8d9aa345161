import { parseArgs } from 'node:util';
import { ensureBrowser } from './browser.mjs';
import { compile } from './cmake.mjs';
import { buildAll } from './dist.mjs';
import { ensureNodePackages } from './node-packages.mjs';
import { main, Problem } from './problem.mjs';
import { inRepo } from './repo.mjs';
import { ensureToolchain } from './toolchain.mjs';

const engineNames = ['node', 'chromium'];

/** By name of the command and of the result; `load` gives `measure(engineName, effort)` and `text(result)`. */
const benchmarks = {
  kernels: {
    about: 'Matrix products, softmax and a layer against the peak of the engine, measured in the same run.',
    async prepare(toolchain) {
      await compile('wasm-simd', 'bench_kernels', toolchain);
      await compile('wasm-relaxed', 'bench_kernels', toolchain);
    },
    load: () => import('../../tests/bench/kernels-report.js'),
  },
  start: {
    about:
      'From the import to the first weights beside other libraries, downloads, and how calls grow faster.',
    prepare: () => ensureNodePackages('tests', 'bench'),
    load: () => import('../../tests/bench/start-report.js'),
  },
};

const usage = (name) => `Usage: npm run bench:${name} -- [options]

${benchmarks[name].about}

  --engine node|chromium   one of them (default: both)
  --quick                  fewer processes and pages; the result is not kept
  --smoke                  as little as shows that everything runs
  --help                   this text
`;

function readArguments(name) {
  try {
    const flags = { quick: { type: 'boolean' }, smoke: { type: 'boolean' }, help: { type: 'boolean' } };
    const { values } = parseArgs({ options: { ...flags, engine: { type: 'string' } } });
    if (values.engine && !engineNames.includes(values.engine)) {
      throw new Error(`--engine must be node or chromium, got ${values.engine}`);
    }
    return values;
  } catch (error) {
    throw new Problem(`${error.message}\n\n${usage(name)}`);
  }
}

/** The package as one file, as pages with a bundler have it. */
async function bundle() {
  const { build } = await import('vite');
  await build({ configFile: inRepo('tests', 'bench', 'vite.config.mjs'), logLevel: 'warn' });
}

/** The command: installs, builds, measures, prints, and keeps the result of a full run. */
export const measureEngines = (name) =>
  main(async () => {
    const { engine, quick, smoke, help } = readArguments(name);
    if (help) {
      process.stdout.write(usage(name));
      return;
    }
    await ensureNodePackages();
    const toolchain = await ensureToolchain('emscripten');
    await buildAll(toolchain);
    await bundle();
    await benchmarks[name].prepare(toolchain);
    const effort = smoke ? 'smoke' : quick ? 'quick' : 'full';
    const { measure, text } = await benchmarks[name].load();
    const { writeResult } = await import('../../tests/bench/results.js');
    for (const engineName of engine ? [engine] : engineNames) {
      if (engineName === 'chromium') process.env.CHROME_PATH = await ensureBrowser();
      const result = await measure(engineName, effort);
      console.log(text(result));
      if (effort === 'full') await writeResult(`${name}-${engineName}`, result);
    }
  });

/** For the tests, in a built clone: whether everything is measured, in Node and in Chromium. No time decides. */
export async function smokeTest(toolchain) {
  await bundle();
  const texts = [];
  for (const { prepare, load } of Object.values(benchmarks)) {
    await prepare(toolchain);
    const { measure, text } = await load();
    for (const engineName of engineNames) texts.push(text(await measure(engineName, 'smoke')));
  }
  const failed = texts.filter((text) => /NaN|Infinity|undefined/.test(text));
  for (const text of failed) console.error(`✗ ${text}`);
  return { passed: texts.length - failed.length, failed: failed.length };
}
