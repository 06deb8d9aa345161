import { smokeTest as smokeTestEngines } from './lib/bench-engines.mjs';
import { smokeTest as smokeTestPeers } from './lib/bench-peers.mjs';
import { bindingTypes } from './lib/binding-types.mjs';
import { ensureBrowser } from './lib/browser.mjs';
import { nativeTests, threadTests, wasmTests } from './lib/cpp-tests.mjs';
import { buildAll } from './lib/dist.mjs';
import { engineTests, nodeVersionTests } from './lib/engine-tests.mjs';
import { faultTests } from './lib/fault-tests.mjs';
import { fuzzTests } from './lib/fuzz-tests.mjs';
import { hostTests } from './lib/host-tests.mjs';
import { apiTests, browserTests } from './lib/js-tests.mjs';
import { ensureNodePackages } from './lib/node-packages.mjs';
import { packageTests } from './lib/package-tests.mjs';
import { main } from './lib/problem.mjs';
import { threadedWasmBuilds, wasmBuilds } from './lib/repo.mjs';
import { Stages } from './lib/stages.mjs';
import { supplyTests } from './lib/supply-tests.mjs';
import { ensureToolchain } from './lib/toolchain.mjs';
import { forgetResults, markPassed } from './lib/works-results.mjs';

/** What has a long form takes it before a release. */
const full = process.argv.includes('--full');

await main(async () => {
  forgetResults();
  const stages = new Stages();
  let toolchain, chromePath;
  const ready = await stages.run('Set-up and build', async () => {
    await ensureNodePackages();
    toolchain = await ensureToolchain('emscripten', 'native');
    chromePath = await ensureBrowser();
    await buildAll(toolchain);
  });
  if (ready) {
    await stages.run('Types of the C++ bindings', () => bindingTypes(toolchain));
    await stages.run('C++, native with ASan and UBSan', () => nativeTests(toolchain));
    await stages.run('C++, native with TSan', () => threadTests(toolchain));
    for (const build of [...wasmBuilds, ...threadedWasmBuilds]) {
      await stages.run(`C++, WebAssembly ${build} in Node`, () => wasmTests(build, toolchain));
    }
    await stages.run('C++ and the reader of weight files, fuzzed', () => fuzzTests(toolchain, { full }));
    await stages.run('API, Jest on the packed package', apiTests);
    // What differs between versions, tests/engines asks in all of them.
    if (full) await stages.run('API, Jest in Node 22 and 24', nodeVersionTests);
    await stages.run('Page, real Chromium', () => browserTests(chromePath));
    await stages.run('Page in Chromium, Firefox and WebKit', () => engineTests(chromePath));
    await stages.run('Projects of users', () => packageTests(chromePath));
    await stages.run('Sites of authors', () => hostTests(chromePath));
    await stages.run('Faults', () => faultTests(chromePath));
    await stages.run('Tools, packages and a second build', () => supplyTests({ full }));
    await stages.run('Benchmark beside other libraries, tiny', smokeTestPeers);
    await stages.run('Benchmark of kernels and starts, tiny', () => smokeTestEngines(toolchain));
  }
  if (stages.report()) markPassed();
  else process.exitCode = 1;
});
