import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { chapters } from './plugins/chapters.mjs';
import { computedPage } from './plugins/computed-page.mjs';
import { offline } from './plugins/offline.mjs';
import { pageFont } from './plugins/page-font.mjs';
import { permalinks } from './plugins/permalinks.mjs';
import { plainScript } from './plugins/plain-script.mjs';
import { policy } from './plugins/policy.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const repo = path.resolve(here, '../..');
const { name, exports } = JSON.parse(readFileSync(path.join(repo, 'package.json'), 'utf8'));

const escaped = (text) => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');

/** The package's `exports` as aliases, so that the page imports the package by name. */
const aliases = Object.entries(exports)
  .filter(([, target]) => target.default)
  .map(([subpath, target]) => ({
    find: new RegExp(`^${escaped(path.posix.join(name, subpath)).replace('*', '(.+)')}$`),
    replacement: path.join(repo, target.default).replace('*', '$1'),
  }));

export default defineConfig({
  root: here,
  base: './',
  plugins: [
    policy(),
    chapters(path.join(here, 'chapters')),
    permalinks(),
    computedPage(path.join(repo, exports['.'].default), repo),
    pageFont(here, path.join(repo, 'dist', 'elements'), path.join(repo, 'dist', 'documents')),
    plainScript(path.join(here, 'first-language.js')),
    offline(path.join(here, 'plugins', 'service-worker.js')),
  ],
  resolve: { alias: aliases },
  build: {
    outDir: path.join(repo, 'build', 'site'),
    // The folder is not named `assets`: other pages of the host may have a folder of that name.
    assetsDir: name,
    emptyOutDir: true,
    target: 'es2022',
    reportCompressedSize: false,
    // Parts loaded later import the entry. The page has it already, and Firefox reports a preload of it as an error.
    modulePreload: {
      resolveDependencies: (_, dependencies) =>
        dependencies.filter((file) => !/^index-.*\.js$/.test(path.basename(file))),
    },
    // The limit is in kB: all figures are one file, compressed to a quarter of this.
    chunkSizeWarningLimit: 600,
    // computedPage runs the package, so one plugin takes most of the time: no warning.
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
});
