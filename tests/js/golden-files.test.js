/** No file of ../golden is forgotten. */
import { readdirSync, readFileSync } from 'node:fs';
import { goldenFiles } from './golden.js';
import { clips, effects, inputNames, names, twoTexts, variants } from './model-files.js';
import { layerRuns, sdpaRuns } from './torch-runs.js';

const tests = new URL('..', import.meta.url);
const sources = ['js', 'cpp', 'browser']
  .flatMap((folder) => readdirSync(new URL(folder, tests)).map((file) => `${folder}/${file}`))
  .map((file) => readFileSync(new URL(file, tests), 'utf8'))
  .join('\n');

/** Runs are taken from the folder; every other file is read by name. */
const runs = [
  ...[...layerRuns, ...sdpaRuns].map((name) => `torch/${name}.json`),
  'tokenizers/config.json',
  'tokenizers/tokenizers.json',
  'variants/defaults.json',
  ...effects.map((name) => `effects/${name}.json`),
  ...variants.flatMap((name) => ['config', 'golden'].map((file) => `variants/${name}/${file}.json`)),
  ...names.flatMap((name) => ['config', 'golden'].map((file) => `models/${name}/${file}.json`)),
  ...clips.flatMap((name) => ['config', 'golden'].map((file) => `clip/${name}/${file}.json`)),
  ...twoTexts.flatMap((name) => ['config', 'golden'].map((file) => `two-texts/${name}/${file}.json`)),
  ...inputNames.flatMap((name) =>
    ['golden', 'tokenizer', 'tokenizer_config'].map((file) => `inputs/${name}/${file}.json`),
  ),
];
const isRead = (path) => runs.includes(path) || new RegExp(`olden\\(\\s*['"]${path}['"]`).test(sources);

test.each(goldenFiles)('%s is read by a test', (path) => {
  expect(isRead(path)).toBe(true);
});
