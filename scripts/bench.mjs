/** Builds what a benchmark needs and runs it: `npm run bench -- peers`, or one of the others below. */
import { parseArgs } from 'node:util';
import { main, Problem, repo, runScript } from './bootstrap/basics.mjs';
import { ensureNodePackages, provide } from './bootstrap/provide.mjs';

const engineNames = ['node', 'chromium'];

/** The parts of provide.mjs that each needs. */
const needs = {
  peers: ['tests/bench'],
  models: ['tests/bench', 'tests/bench/pretrained'],
  accuracy: ['tests/bench'],
  kernels: ['emscripten'],
  start: ['tests/bench'],
};

const usageOf = (benchmarks) => `Usage: npm run bench -- [name] [options]

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
  if (!Object.hasOwn(needs, name) || rest.length > 0) {
    throw new Problem(`one of ${Object.keys(needs).join(', ')} is measured, got ${positionals.join(' ')}`);
  }
  if (values.engine && !engineNames.includes(values.engine)) {
    throw new Problem(`--engine must be node or chromium, got ${values.engine}`);
  }
  return { name, ...values };
}

await main(async () => {
  const { name, engine, only, quick, smoke, help } = readArguments();
  await ensureNodePackages();
  if (help) {
    const { benchmarks } = await import('../tests/bench/run.js');
    process.stdout.write(usageOf(benchmarks));
    return;
  }
  const engines = engine ? [engine] : engineNames;
  const parts = [...needs[name], ...(engines.includes('chromium') ? ['chromium'] : [])];
  Object.assign(process.env, await provide(...parts));
  await runScript('build');
  if (name === 'kernels') {
    const { execa } = await import('execa');
    const build = ['--build', 'build/wasm', '--target', 'bench-kernels'];
    await execa('cmake', build, { cwd: repo, stdio: 'inherit' });
  }
  const { benchmarks } = await import('../tests/bench/run.js');
  const { text, writeResult } = await import('../tests/bench/report.js');
  const effort = smoke ? 'smoke' : quick ? 'quick' : 'full';
  for (const engineName of engines) {
    const show = (what) => process.stderr.write(`• ${engineName}, ${what}\n`);
    const result = await benchmarks[name].measure(engineName, effort, { only, show });
    console.log(text(name, result));
    if (effort === 'full' && !only) await writeResult(name, engineName, result);
    const ours = (result.sections ?? [])
      .flatMap(({ rows }) => rows.flatMap((row) => row.contenders))
      .filter((contender) => contender.name.startsWith('multihead-attention'));
    if (ours.some(({ status }) => status !== 'ok'))
      throw new Problem('multihead-attention gave a wrong result.');
  }
});
