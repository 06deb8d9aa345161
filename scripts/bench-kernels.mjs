import { measureEngines } from './lib/bench-engines.mjs';

await measureEngines('kernels');
