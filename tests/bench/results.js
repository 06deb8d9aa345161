/** Benchmark results; README.md and docs/bench.md show the committed ones. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { formatted, readFromRepo, writeToRepo } from '../generated.js';

const fileOf = (name) => `tests/bench/results/${name}.json`;

export async function writeResult(name, result) {
  const file = fileOf(name);
  writeToRepo({ [file]: await formatted(file, JSON.stringify(result)) });
}

function readResult(name, command) {
  if (!existsSync(fileURLToPath(new URL(`results/${name}.json`, import.meta.url)))) {
    throw new Error(`${fileOf(name)} is missing: run \`npm run ${command}\` first.`);
  }
  return JSON.parse(readFromRepo(fileOf(name)));
}

/** All committed results, one object per engine: layers and pretrained models beside other libraries, kernels, and starts. */
export const readResults = () =>
  [
    ['chromium', 'bench:browser'],
    ['node', 'bench'],
  ].map(([engine, command]) => ({
    ...readResult(engine, command),
    models: readResult(`models-${engine}`, 'bench:models'),
    kernels: readResult(`kernels-${engine}`, 'bench:kernels').rows,
    starts: readResult(`start-${engine}`, 'bench:start'),
  }));
