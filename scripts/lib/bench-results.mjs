import prettier from 'prettier';
import { inRepo } from './repo.mjs';
import { writeIfChanged } from './write-if-changed.mjs';

const fileOf = (name) => inRepo('tests', 'bench', 'results', `${name}.json`);

/** Text as Prettier would have it in this place. */
async function formatted(file, text) {
  const options = await prettier.resolveConfig(file);
  return prettier.format(text, { ...options, filepath: file });
}

/** Keeps what a benchmark measured. */
export async function writeResult(name, result) {
  const file = fileOf(name);
  writeIfChanged(file, await formatted(file, JSON.stringify(result)));
}
