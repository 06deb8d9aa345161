import { readFileSync } from 'node:fs';
import { formatted } from './formatted.mjs';
import { Problem } from './problem.mjs';
import { inRepo } from './repo.mjs';
import { writeIfChanged } from './write-if-changed.mjs';

const fileOf = (name) => inRepo('tests', 'bench', 'results', `${name}.json`);

/** Keeps what a benchmark measured; committed, it is what the READMEs and `docs/` show. */
export async function writeResult(name, result) {
  const file = fileOf(name);
  writeIfChanged(file, await formatted(file, JSON.stringify(result)));
}

function readResult(name, command) {
  try {
    return JSON.parse(readFileSync(fileOf(name), 'utf8'));
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    throw new Problem(`tests/bench/results/${name}.json is missing: run \`npm run ${command}\` first.`);
  }
}

/** All committed results, one object per engine: the layers beside other libraries, kernels, and starts. */
export const readResults = () =>
  [
    ['chromium', 'bench:browser'],
    ['node', 'bench'],
  ].map(([engine, command]) => ({
    ...readResult(engine, command),
    kernels: readResult(`kernels-${engine}`, 'bench:kernels').rows,
    starts: readResult(`start-${engine}`, 'bench:start'),
  }));
