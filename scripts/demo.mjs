import { readArguments, usage } from './lib/demo-arguments.mjs';
import { ensureBuilt } from './lib/ensure-built.mjs';
import { main, Problem } from './lib/problem.mjs';

/** What the library rejects is a mistake in the arguments: its message suffices. */
async function explained(work) {
  try {
    await work();
  } catch (error) {
    throw error instanceof TypeError || error instanceof RangeError ? new Problem(error.message) : error;
  }
}

await main(async () => {
  const { help, document, text, heads, seed } = readArguments(process.argv.slice(2), process.env);
  if (help) {
    process.stdout.write(usage);
    return;
  }
  await ensureBuilt();
  const { printDocument, printSentence } = await import('./lib/heat-map.mjs');
  await explained(() =>
    document === undefined ? printSentence(text, { heads, seed }) : printDocument(document),
  );
});
