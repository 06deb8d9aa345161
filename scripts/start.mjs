/** Builds what has changed, prints a head of MiniLM and serves the page: `npm start`. */
import { inRepo, main } from './bootstrap/basics.mjs';
import { buildPage } from './bootstrap/provide.mjs';
import { demo } from './demo.mjs';

await main(async () => {
  await buildPage();
  await demo();
  const { preview } = await import('vite');
  const server = await preview({
    configFile: false,
    root: inRepo('build'),
    base: './',
    build: { outDir: 'site' },
    preview: { port: 4173, host: 'localhost' },
    logLevel: 'warn',
  });
  console.log(`\nThe page is at ${server.resolvedUrls.local[0]} (Ctrl-C ends).`);
});
