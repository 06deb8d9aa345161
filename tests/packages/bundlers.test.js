import { rename } from 'node:fs/promises';
import path from 'node:path';
import { browser, built, consumerTests, HASH, HASHED, PLAIN, prints, shows } from './consumer-tests.js';
import { tellsOfPage } from './page.js';

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
