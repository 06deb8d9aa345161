/** Shared tests of the packed package in separate projects. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { launch } from '../browser/chromium.js';
import { serve } from '../browser/server.js';
import { record } from '../works/record.js';
import {
  choosesCell,
  computesModel,
  differenceOf,
  navigates,
  openExample,
  showsTrained,
  trains,
} from './page.js';
import { Project, removeSpare } from './project.js';

export let browser;
before(async () => (browser = await launch()));
after(() => browser?.close());

/** How the binary is called that a page downloads: with a hash, as a hash, or as in the package. */
export const HASHED = /^(relaxed|simd)[-.][\w-]{8,}\.wasm$/;
export const HASH = /^[\da-f]{20}\.wasm$/;
export const PLAIN = /^(relaxed|simd)\.wasm$/;

/**
 * Opens the project's page: it shows NumPy's numbers, downloads the one `binary` that it uses (none where it is in the
 * script), and its console stays empty of errors. `pages`: it has others, and going to them and back downloads nothing more
 * and logs nothing. `selects`: it writes what `mha-select` tells it. `learns`: it shows trained heads and trains a model, in
 * a `worker` or without. `models`: it computes a pretrained model in a worker, and has downloaded nothing for that before.
 */
export async function shows(
  project,
  url,
  { binary, pages = false, selects = false, learns = true, worker = true, models = false },
) {
  const { page, said, errors, close, difference, binaries } = await openExample(browser, url);
  const downloads = (count) => assert.equal(new Set(binaries()).size, binary ? count : 0, binaries().join());
  downloads(1);
  if (binary) assert.match(binaries()[0], binary);
  if (pages) {
    await navigates(page);
    assert.equal(binaries().length, 1);
    assert.deepEqual(said, []);
  }
  if (selects) await choosesCell(page);
  if (learns) {
    await showsTrained(page);
    assert.equal(await trains(page), worker);
    downloads(2);
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
  project.checks.add('browser');
  return difference;
}

/** Node prints the numbers. */
export async function prints(project, file) {
  const difference = differenceOf(JSON.parse(await project.node(file)));
  project.checks.add('import');
  return difference;
}

export async function build(project, ...args) {
  await project.npm('run', 'build', '--', ...args);
  project.checks.add('build');
}

/** Any host serves a folder of the project, below any path. */
export async function hosts(project, folder, page) {
  const base = '/below/a/path';
  const server = await serve(path.join(project.folder, folder), { base });
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

async function versionOf(project, version) {
  if (version === undefined) return process.versions.node;
  return version === 'chromium'
    ? `Chromium ${browser.version()}`
    : (await project.installed(version)).version;
}

/**
 * A test for each row of the READMEs' table, where it is the `order`th: the folders of consumers/ that are the project, and
 * what is tried with it. `version` is that of a package, else of what runs the project. Rows of the same package-lock.json stand
 * one after the other: they are installed once.
 */
export function consumerTests(rows) {
  describe('the packed package in a project of its own', () => {
    after(removeSpare);
    for (const [id, { order, name, version, parts, use }] of Object.entries(rows)) {
      test(name.en ?? name, async () => {
        const project = await Project.copy(...parts);
        try {
          await project.install();
          const difference = await use(project);
          record('consumers', id, {
            order,
            name,
            version: await versionOf(project, version),
            checks: [...project.checks],
            difference,
          });
          await project.handOver();
        } finally {
          await project.remove();
        }
      });
    }
  });
}
