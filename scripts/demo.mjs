import { existsSync } from 'node:fs';
import { buildPage } from './bootstrap/npm-script.mjs';
import { main, Problem } from './bootstrap/problem.mjs';
import { inRepo } from './bootstrap/repo.mjs';
import { readArguments, usage } from './demo-arguments.mjs';

await main(async () => {
  const { help, document, text, heads, seed, model, layer, head } = readArguments(
    process.argv.slice(2),
    process.env,
  );
  if (help) {
    process.stdout.write(usage);
    return;
  }
  const loader = model === undefined ? 'attention.js' : 'models.js';
  if (!existsSync(inRepo('dist', 'wasm', loader))) await buildPage('build:site');
  const { printDocument, printSentence } = await import('./terminal-view.mjs');
  const { printModel } = await import('./terminal-model.mjs');
  try {
    if (model !== undefined) await printModel(text, { model, layer, head });
    else if (document !== undefined) await printDocument(document);
    else await printSentence(text, { heads, seed });
  } catch (error) {
    // The message is enough where the library rejects an argument.
    throw error instanceof TypeError || error instanceof RangeError ? new Problem(error.message) : error;
  }
});
