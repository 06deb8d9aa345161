import { ensureNodePackages } from './lib/node-packages.mjs';
import { main } from './lib/problem.mjs';
import { inRepo } from './lib/repo.mjs';
import { writeIfChanged } from './lib/write-if-changed.mjs';

await main(async () => {
  await ensureNodePackages();
  const { benchReport } = await import('./lib/bench-report.mjs');
  for (const [file, text] of Object.entries(await benchReport())) writeIfChanged(inRepo(file), text);
});
