/** Where the package's files are, where the page says so. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { configure, load } from 'multihead-attention';
import { configure as configureModels, knownModels } from 'multihead-attention/models';
import { loadTraining } from 'multihead-attention/training';
import { builds } from './golden.js';
import { wasmPath } from './wasm-files.js';

const folder = mkdtempSync(path.join(tmpdir(), 'mha-configure-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('binaries come from the folder that is set, with or without a slash at its end', async () => {
  const [build] = builds;
  for (const address of [pathToFileURL(folder), `${pathToFileURL(folder)}/`]) {
    configure({ wasm: address });
    await expect(load({ build })).rejects.toThrow(path.join(folder, `${build}.wasm`));
    await expect(loadTraining({ build })).rejects.toThrow(path.join(folder, `training-${build}.wasm`));
  }
  copyFileSync(wasmPath(build), path.join(folder, `${build}.wasm`));
  const module = await load({ build });
  expect(module.metrics).toBeDefined();
  expect(module.build).toBe(build);
});

test('it is one setting for all entries', () => {
  expect(configureModels).toBe(configure);
  configure({ models: { mine: 'https://example.org/mine/' }, wasm: null });
  expect(knownModels().find(({ name }) => name === 'mine').isAvailable).toBe(true);
});

test.each([
  [
    { wasn: '/' },
    TypeError,
    /^`wasn` must be an option of configure \(wasm, worker, models\), got an unknown name/,
  ],
  [{ wasm: 7 }, TypeError, /^`wasm` must be the URL of a folder, got the number 7/],
  [{ worker: [] }, TypeError, /^`worker` must be the URL of a folder, got an Array/],
  [{ wasm: '' }, RangeError, /^`wasm` must be the URL of a folder, got ""/],
  [{ worker: '/attention/' }, RangeError, /^`worker` must be the URL of a folder, got "\/attention\/"/],
  [
    { models: '/models/' },
    TypeError,
    /^`models` must be an object with the URL of each folder, got the string/,
  ],
  [{ models: { a: null } }, TypeError, /^`models\.a` must be the URL of a folder, got null/],
  ['/', TypeError, /^`settings` must be an object of options for configure, got the string/],
])('%j is refused', (settings, kind, message) => {
  expect(() => configure(settings)).toThrow(kind);
  expect(() => configure(settings)).toThrow(message);
});
