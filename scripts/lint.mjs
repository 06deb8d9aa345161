import { clangFormat, clangTidy } from './lib/cpp-checks.mjs';
import { ensureNodePackages } from './lib/node-packages.mjs';
import { main } from './lib/problem.mjs';
import { Stages } from './lib/stages.mjs';
import { ensureToolchain } from './lib/toolchain.mjs';
import { checkTypes, eslint, prettier, writeReference } from './lib/web-checks.mjs';

await main(async () => {
  const stages = new Stages();
  const check = (name, work) =>
    stages.run(name, async () => {
      await work();
      return { passed: 1, failed: 0 };
    });
  let toolchain;
  const ready = await stages.run('Set-up', async () => {
    await ensureNodePackages();
    toolchain = await ensureToolchain('emscripten', 'native');
  });
  if (ready) {
    await check('clang-format', () => clangFormat(toolchain, { check: true }));
    await check('Prettier', () => prettier({ check: true }));
    await check('TypeScript', checkTypes);
    await check('ESLint', eslint);
    await check('TypeDoc', writeReference);
    await check('clang-tidy', () => clangTidy(toolchain));
  }
  if (!stages.report()) process.exitCode = 1;
});
