import { buildPage } from './bootstrap/npm-script.mjs';
import { main } from './bootstrap/problem.mjs';
import { inRepo } from './bootstrap/repo.mjs';

const firstPort = 4173;
/** The example that the page shows first. */
const firstExample = '004-sentence';

await main(async () => {
  await buildPage();
  const { printDocument } = await import('./terminal-view.mjs');
  await printDocument(firstExample);

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
