/** Runs the benchmarks: `npm run bench`, `bench:browser`, `bench:models`, `bench:kernels`, `bench:start`, `bench:page`. */
import { parseArgs } from 'node:util';
import { writeResult } from '../tests/bench/results.js';

const engineNames = ['node', 'chromium'];

/** `load` gives `measure(engineName, effort, how)` and `text(result)`; `file` is the name for the result of a full run. */
const benchmarks = {
  peers: {
    about: 'Times multi-head attention beside other libraries and checks every result against float64.',
    load: () => import('../tests/bench/peers-report.js'),
    file: (engine) => engine,
  },
  models: {
    about: 'Times pretrained models beside other libraries and checks every result.',
    load: () => import('../tests/bench/models-report.js'),
    file: (engine) => `models-${engine}`,
  },
  kernels: {
    about: 'Matrix products, softmax and a layer against the peak of the engine, measured in the same run.',
    load: () => import('../tests/bench/kernels-report.js'),
    file: (engine) => `kernels-${engine}`,
  },
  start: {
    about:
      'From the import to the first weights beside other libraries, downloads, and how calls grow faster.',
    load: () => import('../tests/bench/start-report.js'),
    file: (engine) => `start-${engine}`,
  },
  page: {
    about: 'How soon the page shows weights, and frames under the pointer with long texts. In Chromium.',
    load: () => import('../tests/bench/page.js'),
    engines: ['chromium'],
  },
};

const usage = `Usage: npm run bench -- [options], or bench:browser, bench:models, bench:kernels, bench:start, bench:page

${Object.entries(benchmarks)
  .map(([name, { about }]) => `  ${name.padEnd(17)}${about}`)
  .join('\n')}

  --engine <name>  node or chromium (default: both)
  --only <text>    peers, models: rows whose section or shape contains this, e.g. layer or "(1, 196,"; no result is kept
  --quick          fewer rounds, processes and pages; no result is kept
  --smoke          as little as shows that everything runs; no result is kept
  --help           this text
`;

function readArguments() {
  const flags = { quick: { type: 'boolean' }, smoke: { type: 'boolean' }, help: { type: 'boolean' } };
  const texts = { engine: { type: 'string' }, only: { type: 'string', default: '' } };
  const { values, positionals } = parseArgs({ options: { ...flags, ...texts }, allowPositionals: true });
  const [name = 'peers', ...rest] = positionals;
  if (!Object.hasOwn(benchmarks, name) || rest.length > 0) {
    throw new Error(`one of ${Object.keys(benchmarks).join(', ')} is measured, got ${positionals.join(' ')}`);
  }
  if (values.engine && !engineNames.includes(values.engine)) {
    throw new Error(`--engine must be node or chromium, got ${values.engine}`);
  }
  return { name, ...values };
}

try {
  const { name, engine, only, quick, smoke, help } = readArguments();
  if (help) {
    process.stdout.write(usage);
  } else {
    const { load, file, engines = engine ? [engine] : engineNames } = benchmarks[name];
    const effort = smoke ? 'smoke' : quick ? 'quick' : 'full';
    const { measure, text } = await load();
    for (const engineName of engines) {
      const show = (what) => process.stderr.write(`• ${engineName}, ${what}\n`);
      const result = await measure(engineName, effort, { only, show });
      console.log(text(result));
      if (file && effort === 'full' && !only) await writeResult(file(engineName), result);
      const measured = (result.sections ?? [])
        .flatMap(({ rows }) => rows)
        .flatMap((row) => row.contenders)
        .filter(({ name }) => name.startsWith('multihead-attention'));
      if (measured.some(({ status }) => status !== 'ok')) {
        throw new Error('multihead-attention gave a wrong result.');
      }
    }
  }
} catch (error) {
  console.error(`✗ ${error.message}`);
  process.exitCode = 1;
}
