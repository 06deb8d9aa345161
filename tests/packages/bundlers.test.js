import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import path from 'node:path';
import { serve } from '../browser/server.js';
import { browser, built, consumerTests, HASH, HASHED, PLAIN, prints, shows } from './consumer-tests.js';
import { computesModel, opensEntry, startsModel, tellsOfPage, trains } from './page.js';

async function typed(project) {
  await project.npm('run', 'build');
  await project.npm('run', 'check');
  project.checks.add('types');
  return prints(project, 'dist/main.js');
}

async function developed(project) {
  const server = await project.serve('dev');
  try {
    const difference = await shows(project, server.url, { binary: PLAIN, models: true });
    project.checks.add('dev');
    return difference;
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
};

/** Builds all entries with this Vite, as it is without configuration; nothing of models is fetched before it is asked for. */
const builtBy = (vite) => async (project) => {
  await project.node(`node_modules/${vite}/bin/vite.js`, 'build', '--config', 'build.config.js');
  project.checks.add('build');
  const server = await serve(path.join(project.folder, 'dist'));
  let difference = 0;
  try {
    for (const [name, shown] of Object.entries(SHOWN)) {
      const { page, errors, requests, close, ...found } = await opensEntry(
        browser,
        `${server.url}/${name}.html`,
        shown,
      );
      difference = Math.max(difference, found.difference);
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
  project.checks.add('browser');
  return difference;
};

const buildsOfVite = Object.fromEntries(
  ['vite', 'vite-6', 'vite-7', 'vite-8'].map((vite, i) => [
    `vite-${5 + i}-build`,
    {
      order: 5 + (i + 1) / 10,
      name: { en: `Vite ${5 + i}, build`, ko: `Vite ${5 + i}, 빌드` },
      version: vite,
      parts: ['page', 'vite-5', 'entries'],
      use: builtBy(vite),
    },
  ]),
);

consumerTests({
  webpack: {
    order: 7,
    name: 'webpack',
    version: 'webpack',
    parts: ['page', 'webpack'],
    use: built({ binary: HASH, models: true }),
  },
  'vite-dev': {
    order: 4,
    name: { en: 'Vite, dev server', ko: 'Vite, 개발 서버' },
    version: 'vite',
    parts: ['page', 'vite'],
    use: developed,
  },
  'vite-build': {
    order: 6,
    name: { en: 'Vite, build', ko: 'Vite, 빌드' },
    version: 'vite',
    parts: ['page', 'vite'],
    use: built({ binary: HASHED, models: true }, '--base', './'),
  },
  worker: {
    order: 17,
    name: { en: 'Module worker (Vite)', ko: '모듈 워커 (Vite)' },
    version: 'vite',
    parts: ['vite', 'worker'],
    use: built({ binary: HASHED, learns: false }, '--base', './'),
  },
  'vite-5-dev': {
    order: 5,
    name: { en: 'Vite 5, dev server', ko: 'Vite 5, 개발 서버' },
    version: 'vite',
    parts: ['page', 'vite-5'],
    use: developedOnceTold,
  },
  ...buildsOfVite,
  typescript: { order: 3, name: 'TypeScript', version: 'typescript', parts: ['typescript'], use: typed },
  rollup: {
    order: 8,
    name: 'Rollup',
    version: 'rollup',
    parts: ['page', 'rollup'],
    use: built({ binary: HASHED, models: true }),
  },
  esbuild: {
    order: 9,
    name: 'esbuild',
    version: 'esbuild',
    parts: ['page', 'esbuild'],
    use: built({ binary: PLAIN, models: true }),
  },
});
