import { smokeTest as smokeTestEngines } from './lib/bench-engines.mjs';
import { smokeTest as smokeTestPeers } from './lib/bench-peers.mjs';
import { ensureBrowser } from './lib/browser.mjs';
import { nativeTests, threadTests, wasmTests } from './lib/cpp-tests.mjs';
import { buildAll } from './lib/dist.mjs';
import { apiTests, browserTests } from './lib/js-tests.mjs';
import { ensureNodePackages } from './lib/node-packages.mjs';
import { main } from './lib/problem.mjs';
import { threadedWasmBuilds, wasmBuilds } from './lib/repo.mjs';
import { Stages } from './lib/stages.mjs';
import { ensureToolchain } from './lib/toolchain.mjs';

await main(async () => {
  const stages = new Stages();
  let toolchain, chromePath;
  const ready = await stages.run('Set-up and build', async () => {
    await ensureNodePackages();
    toolchain = await ensureToolchain('emscripten', 'native');
    chromePath = await ensureBrowser();
    await buildAll(toolchain);
  });
  if (ready) {
    await stages.run('C++, native with ASan and UBSan', () => nativeTests(toolchain));
    await stages.run('C++, native with TSan', () => threadTests(toolchain));
    for (const build of [...wasmBuilds, ...threadedWasmBuilds]) {
      await stages.run(`C++, WebAssembly ${build} in Node`, () => wasmTests(build, toolchain));
    }
    await stages.run('API, Jest on the packed package', apiTests);
    await stages.run('Page, real Chromium', () => browserTests(chromePath));
    await stages.run('Benchmark beside other libraries, tiny', smokeTestPeers);
    await stages.run('Benchmark of kernels and starts, tiny', () => smokeTestEngines(toolchain));
  }
  if (!stages.report()) process.exitCode = 1;
});
