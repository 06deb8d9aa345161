import { clangFormat } from './lib/cpp-checks.mjs';
import { ensureNodePackages } from './lib/node-packages.mjs';
import { main } from './lib/problem.mjs';
import { ensureToolchain } from './lib/toolchain.mjs';
import { prettier } from './lib/web-checks.mjs';

await main(async () => {
  await ensureNodePackages();
  await clangFormat(await ensureToolchain('native'), { check: false });
  await prettier({ check: false });
});
