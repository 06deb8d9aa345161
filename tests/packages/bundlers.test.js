import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import path from 'node:path';
import { serve } from '../browser/server.js';
import { browser, built, consumerTests, HASH, HASHED, PLAIN, prints, shows } from './consumer-tests.js';
import {
  computesModel,
  goldenOfExample,
  goldenOfVectors,
  opensEntry,
  startsModel,
  tellsOfPage,
  trains,
} from './page.js';

async function typed(project) {
  await project.npm('run', 'build');
  await project.npm('run', 'check');
  return prints(project, 'dist/main.js', goldenOfExample);
}

async function developed(project) {
  const server = await project.serve('dev');
  try {
    await shows(project, server.url, { binary: PLAIN, models: true });
  } finally {
    await server.close();
  }
}

/** Vite's development server before version 8 answers with HTML for the binary, unless configured. */
async function developedOnceTold(project) {
  const config = path.join(project.folder, 'vite.config.js');
  await rename(config, `${config}.later`);
  const server = await project.serve('dev');
  try {
    await tellsOfPage(browser, server.url);
  } finally {
    await server.close();
  }
  await rename(`${config}.later`, config);
  return developed(project);
}

/** What a page of `entries` shows once it works. */
const SHOWN = {
  elements: 'mha-explorer mha-matrix [part=cell]',
  matrix: 'mha-matrix [part=cell]',
  explorer: 'mha-explorer mha-matrix [part=cell]',
  steps: 'mha-steps table',
  training: 'mha-training [data-do=start]',
  code: 'body',
  documents: 'mha-matrix [part=cell]',
};

/** Builds all entries with this Vite, all but `documents` without configuration; nothing of models is fetched before it is asked for. */
const builtBy = (vite) => async (project) => {
  for (const config of ['build.config.js', 'documents.config.js'])
    await project.node(`node_modules/${vite}/bin/vite.js`, 'build', '--config', config);
  const server = await serve(path.join(project.folder, 'dist'));
  try {
    for (const [name, shown] of Object.entries(SHOWN)) {
      const { page, errors, requests, close } = await opensEntry(
        browser,
        `${server.url}/${name}.html`,
        shown,
      );
      if (name === 'matrix') {
        const ofModels = () => requests.filter((url) => /model-worker|models-\w+-[\w-]+\.wasm/.test(url));
        assert.deepEqual(ofModels(), []);
        await startsModel(page);
        assert.ok(ofModels().length > 0);
      }
      if (name === 'training') assert.equal(await trains(page), true);
      if (name === 'code') {
        assert.equal(await computesModel(page), true);
        assert.equal(
          await page.evaluate(async () => typeof (await globalThis.loadTraining()).Encoder),
          'function',
        );
      }
      // The browser's own report on files that the model's host lacks.
      assert.deepEqual(
        errors.filter((error) => !/status of 404/.test(error)),
        [],
      );
      await close();
    }
  } finally {
    await server.close();
  }
};

const buildsOfVite = Object.fromEntries(
  ['vite', 'vite-6', 'vite-7', 'vite-8'].map((vite, i) => [
    `Vite ${5 + i}, build`,
    { parts: ['page', 'vite-5', 'entries'], use: builtBy(vite), beforeRelease: vite !== 'vite-8' },
  ]),
);

consumerTests({
  webpack: {
    parts: ['page', 'webpack'],
    use: built({ binary: HASH, models: true }),
  },
  'Vite, development server': {
    parts: ['page', 'vite'],
    use: developed,
  },
  'Vite, build': {
    parts: ['page', 'vite'],
    use: built({ binary: HASHED, models: true }, '--base', './'),
  },
  'a module worker (Vite)': {
    parts: ['vite', 'worker'],
    use: built({ binary: HASHED, numpy: goldenOfVectors, learns: false }, '--base', './'),
  },
  'Vite 5, development server': {
    parts: ['page', 'vite-5'],
    use: developedOnceTold,
    beforeRelease: true,
  },
  ...buildsOfVite,
  TypeScript: { parts: ['typescript'], use: typed },
  Rollup: {
    parts: ['page', 'rollup'],
    use: built({ binary: HASHED, models: true }),
    beforeRelease: true,
  },
  esbuild: {
    parts: ['page', 'esbuild'],
    use: built({ binary: PLAIN, models: true }),
  },
});
