import { existsSync } from 'node:fs';
import { buildPage } from './bootstrap/npm-script.mjs';
import { main, Problem } from './bootstrap/problem.mjs';
import { inRepo } from './bootstrap/repo.mjs';
import { readArguments, usage } from './demo-arguments.mjs';

await main(async () => {
  const { help, document, text, heads, seed } = readArguments(process.argv.slice(2), process.env);
  if (help) {
    process.stdout.write(usage);
    return;
  }
  if (!existsSync(inRepo('dist', 'wasm', 'attention.js'))) await buildPage();
  const { printDocument, printSentence } = await import('./terminal-view.mjs');
  try {
    await (document === undefined ? printSentence(text, { heads, seed }) : printDocument(document));
  } catch (error) {
    // The message is enough where the library rejects an argument.
    throw error instanceof TypeError || error instanceof RangeError ? new Problem(error.message) : error;
  }
});
