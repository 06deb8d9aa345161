import { ensureBuilt } from './lib/ensure-built.mjs';
import { main } from './lib/problem.mjs';

await main(ensureBuilt);
