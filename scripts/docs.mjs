import { ensureNodePackages } from './lib/node-packages.mjs';
import { main } from './lib/problem.mjs';
import { step } from './lib/progress.mjs';
import { writeReference } from './lib/web-checks.mjs';

await main(async () => {
  await ensureNodePackages();
  await step('Writing the reference documentation', writeReference);
  console.log('The reference documentation is in build/reference/index.html.');
});
