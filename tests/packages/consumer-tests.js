/** Shared tests of the packed package in separate projects. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { launch } from '../browser/chromium.js';
import { serve } from '../browser/server.js';
import {
  choosesCell,
  computesModel,
  assertNumPys,
  navigates,
  opensOthers,
  openExample,
  showsTrained,
  trains,
} from './page.js';
import { consumers, Project, removeSpare } from './project.js';

export let browser;
before(async () => (browser = await launch()));
after(() => browser?.close());

/** How the binary is called that a page downloads: with a hash, as a hash, or as in the package. */
export const HASHED = /^(relaxed|simd)[-.][\w-]{8,}\.wasm$/;
export const HASH = /^[\da-f]{16,20}\.wasm$/;
export const PLAIN = /^(relaxed|simd)\.wasm$/;

/**
 * Opens the project's page: it shows NumPy's numbers, in its figures `numpy`, downloads the one `binary` that it uses (none where it is in the
 * script), and its console stays empty of errors. `pages`: it has others, and going to them and back downloads nothing more
 * and logs nothing; `others`: their addresses, which are opened, too. `selects`: it writes what `mha-select` tells it. `learns`: it shows trained heads and trains a model in
 * a worker. `models`: it computes another pretrained model in a worker, without another download. `prepare` is done with the page before.
 */
export async function shows(
  project,
  url,
  { binary, numpy, pages = false, others = [], selects = false, learns = true, models = false, prepare },
) {
  const { page, said, errors, close, binaries } = await openExample(browser, url, numpy, prepare);
  const downloads = (count) => assert.equal(new Set(binaries()).size, binary ? count : 0, binaries().join());
  downloads(1);
  if (binary) assert.match(binaries()[0], binary);
  if (pages) {
    await navigates(page);
    assert.equal(binaries().length, 1);
    assert.deepEqual(said, []);
  }
  if (others.length > 0)
    await opensOthers(
      browser,
      others.map((other) => `${url}${other}`),
    );
  if (selects) await choosesCell(page);
  if (learns) {
    await showsTrained(page);
    downloads(2);
    assert.equal(await trains(page), true);
    downloads(3);
  }
  assert.deepEqual(errors, []);
  if (models) {
    assert.equal(await computesModel(page), true);
    downloads(3);
    // The browser's own report on files that the model's host lacks.
    assert.deepEqual(
      errors.filter((error) => !/status of 404/.test(error)),
      [],
    );
  }
  await close();
}

/** Node prints the numbers. */
export async function prints(project, file, numpy) {
  assertNumPys(JSON.parse(await project.node(file)), numpy);
}

export async function build(project, ...args) {
  await project.npm('run', 'build', '--', ...args);
}

/** Any host serves a folder of the project, below any path; `pages` as in `serve`. */
export async function hosts(project, folder, page, { base = '/below/a/path', pages } = {}) {
  const server = await serve(path.join(project.folder, folder), { base, ...(pages && { pages }) });
  try {
    return await shows(project, `${server.url}${base}/`, page);
  } finally {
    await server.close();
  }
}

export const built =
  (page, ...args) =>
  async (project) => {
    await build(project, ...args);
    return hosts(project, 'dist', page);
  };

/** The packages of a project besides this one, as its package.json names them: `react 19.3.1, vite 8.3.8`. */
function packagesOf(parts) {
  const file = parts.map((part) => path.join(consumers, part, 'package.json')).findLast(existsSync);
  const { dependencies, devDependencies } = JSON.parse(readFileSync(file, 'utf8'));
  return Object.entries({ ...dependencies, ...devDependencies })
    .filter(([name]) => name !== 'multihead-attention')
    .map(([name, version]) => `${name} ${version.replace(/^npm:.+@/, '')}`)
    .join(', ');
}

/**
 * A test for each consumer `{ name: { parts, use } }`: the folders of consumers/ that are the project, and what is tried
 * with it. Those of the same package-lock.json stand one after the other: they are installed once. `beforeRelease` is for those that
 * take minutes, or are another version or mode of a tool that is tested: they run with `--full`.
 */
export function consumerTests(projects) {
  describe('the packed package in a project of its own', () => {
    after(removeSpare);
    for (const [name, { parts, use, beforeRelease = false }] of Object.entries(projects)) {
      if (beforeRelease && !process.env.MHA_FULL) {
        console.log(`${name}: only in \`npm run test:packages -- --full\``);
        continue;
      }
      test([name, packagesOf(parts)].filter(Boolean).join(' · '), async () => {
        const project = await Project.copy(...parts);
        try {
          await project.install();
          await use(project);
          await project.handOver();
        } finally {
          await project.remove();
        }
      });
    }
  });
}
