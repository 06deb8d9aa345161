import { ensureBuilt } from './lib/ensure-built.mjs';
import { main } from './lib/problem.mjs';
import { inRepo } from './lib/repo.mjs';

const firstPort = 4173;
const sentence = 'The cat sat on the mat because it was tired.';

await main(async () => {
  await ensureBuilt();
  const { printSentence } = await import('./lib/heat-map.mjs');
  await printSentence(sentence, { heads: 4, seed: 0, out: process.stdout });

  const { preview } = await import('vite');
  const server = await preview({
    configFile: false,
    root: inRepo('build'),
    base: './',
    build: { outDir: 'site' },
    preview: { port: firstPort, host: 'localhost' },
    logLevel: 'warn',
  });
  console.log(`\nThe page is at ${server.resolvedUrls.local[0]} (Ctrl-C ends).`);
});
