import { parseArgs } from 'node:util';
import { ensureBuilt } from './lib/ensure-built.mjs';
import { main, Problem } from './lib/problem.mjs';

const usage = `Usage: npm run demo -- ["any sentence"] [options]

Prints every head's attention over the words of a sentence as a heat map. The weights are random, not trained.
Examples of the documents that have no sentence are printed as tables.

  --heads <n>        number of heads, a divisor of 32 (default 4)
  --seed <n>         seed of the random vectors and weights (default 0)
  --document <id>    an example of the documents instead, e.g. 001-b or 000-masks
  --help             this text
`;

const sentence = 'The cat sat on the mat because it was tired.';

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        heads: { type: 'string' },
        seed: { type: 'string' },
        document: { type: 'string' },
        help: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new Problem(`${error.message}\n\n${usage}`);
  }
}

/** What the library rejects is a mistake in the arguments: its message suffices. */
async function explained(work) {
  try {
    await work();
  } catch (error) {
    throw error instanceof TypeError || error instanceof RangeError ? new Problem(error.message) : error;
  }
}

await main(async () => {
  const { values, positionals } = readArguments();
  const { heads = '4', seed = '0', document, help } = values;
  if (help) {
    process.stdout.write(usage);
    return;
  }
  if (document !== undefined && (positionals.length > 0 || values.heads || values.seed)) {
    throw new Problem(`--document takes neither a sentence nor --heads or --seed.\n\n${usage}`);
  }
  await ensureBuilt();
  const { printDocument, printSentence } = await import('./lib/heat-map.mjs');
  const text = positionals.length > 0 ? positionals.join(' ') : sentence;
  await explained(() =>
    document === undefined
      ? printSentence(text, { heads: Number(heads), seed: Number(seed) })
      : printDocument(document),
  );
});
