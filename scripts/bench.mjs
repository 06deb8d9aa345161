/** Runs the benchmarks: `npm run bench`, `bench:browser`, `bench:models`, `bench:kernels`, `bench:start`. */
import { parseArgs } from 'node:util';
import { text, writeResult } from '../tests/bench/report.js';
import { benchmarks } from '../tests/bench/run.js';

const engineNames = ['node', 'chromium'];

const usage = `Usage: npm run bench -- [options], or bench:browser, bench:models, bench:kernels, bench:start

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
    const effort = smoke ? 'smoke' : quick ? 'quick' : 'full';
    for (const engineName of engine ? [engine] : engineNames) {
      const show = (what) => process.stderr.write(`• ${engineName}, ${what}\n`);
      const result = await benchmarks[name].measure(engineName, effort, { only, show });
      console.log(text(name, result));
      if (effort === 'full' && !only) await writeResult(name, engineName, result);
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
