import { ensureBuilt } from './lib/ensure-built.mjs';
import { main } from './lib/problem.mjs';
import { relaxedSimdFlags } from './lib/relaxed-simd.mjs';
import { inRepo } from './lib/repo.mjs';
import { run } from './lib/run.mjs';

await main(async () => {
  await ensureBuilt();
  await run(process.execPath, [...relaxedSimdFlags, inRepo('scripts', 'lib', 'bench-forward.mjs')], {
    show: true,
  });
});
