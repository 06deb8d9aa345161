/** The same computing in every version of Node.js, as it is started by anybody: without flags. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkBuilds, checkFaults, checkPick } from './computing-suite.js';
import { launchNode } from './drivers/node.js';

const nodes = JSON.parse(process.env.NODE_PATHS ?? JSON.stringify([process.execPath]));

const versionOf = (node) => execFileSync(node, ['--version'], { encoding: 'utf8' }).trim().slice(1);

for (const node of nodes) {
  const version = versionOf(node);
  const line = Number.parseInt(version, 10);

  describe(`Node.js ${version}`, () => {
    let engine;
    before(() => {
      engine = launchNode(node);
    });
    after(() => engine.close());
    const call = (...question) => engine.call(...question);

    let running;
    test('load() takes the fastest build that the engine validates', async () => {
      running = await checkPick(call);
    });

    test('every build computes NumPy’s and PyTorch’s numbers, and the same bits on two threads', async () => {
      const single = await checkBuilds(call, running, 1);
      assert.deepEqual(await checkBuilds(call, running, 2), single);
    });

    test('errors have the right class, also from C++, and the module still works; memory grows', async () => {
      for (const build of running) await checkFaults(call, { build });
      await checkFaults(call, { build: running.at(-1), threads: 2 });
    });

    test('products take tall tiles from Node.js 24 on, whatever an older one was taught', () => {
      const builds = new URL('../node_modules/multihead-attention/dist/wasm/instantiate.js', import.meta.url);
      const code = `globalThis.Float16Array ??= class Float16Array {};
        const { carriesTallTiles } = await import(${JSON.stringify(builds)});
        console.log(carriesTallTiles);`;
      const said = execFileSync(node, ['--input-type=module', '--eval', code], { encoding: 'utf8' });
      assert.equal(said, `${line >= 24}\n`);
    });

    // `using` is a syntax error in the lines before.
    if (line >= 24) {
      test('`using` frees a layer at the end of its block', () => {
        const program = fileURLToPath(new URL('inside/using.js', import.meta.url));
        assert.equal(execFileSync(node, [program], { encoding: 'utf8' }), 'computed, then disposed\n');
      });
    }
  });
}
