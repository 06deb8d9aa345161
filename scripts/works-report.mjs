import { ensureNodePackages } from './lib/node-packages.mjs';
import { main } from './lib/problem.mjs';
import { inRepo } from './lib/repo.mjs';
import { writeIfChanged } from './lib/write-if-changed.mjs';

await main(async () => {
  await ensureNodePackages();
  const { keepResults, worksReport } = await import('./lib/works-report.mjs');
  await keepResults();
  for (const [file, text] of Object.entries(await worksReport())) writeIfChanged(inRepo(file), text);
});
