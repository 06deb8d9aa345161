/** Writes dist/mha_view.py: web/embed/notebook/mha_view.py with the views inside, which users download as one file. */
import { readFileSync, writeFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { inRepo, main, Problem } from './bootstrap/basics.mjs';

const EMPTY = '\n_BUNDLE = ""\n';

await main(() => {
  const views = readFileSync(inRepo('dist', 'standalone-views.js'));
  const python = readFileSync(inRepo('web', 'embed', 'notebook', 'mha_view.py'), 'utf8');
  if (!python.includes(EMPTY)) throw new Problem(`mha_view.py must have the line ${EMPTY.trim()}, got none.`);
  const bundle = deflateSync(views, { level: 9 }).toString('base64');
  writeFileSync(inRepo('dist', 'mha_view.py'), python.replace(EMPTY, `\n_BUNDLE = "${bundle}"\n`));
});
