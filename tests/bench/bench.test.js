/** Tiny benchmarks: every contender is right, and everything is measured, in Node and in Chromium. No time decides. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { measure } from './peers-report.js';
import { contenders, plan } from './plan.js';

const engines = ['node', 'chromium'];

for (const engine of engines) {
  describe(`beside other libraries, ${engine}`, () => {
    let result;
    before(async () => {
      result = await measure(engine, 'smoke');
    });
    plan(engine, 'smoke').forEach(({ id: section, rows }, s) => {
      rows.forEach(({ label, contenders: ids }, r) => {
        for (const id of ids) {
          test(`${section} ${label}: ${contenders[id].name} is right`, () => {
            const found = result.sections[s].rows[r].contenders.find((one) => one.id === id);
            assert.equal(found?.status, 'ok', JSON.stringify(found));
          });
        }
      });
    });
  });

  for (const benchmark of ['kernels', 'start']) {
    test(`${benchmark}, ${engine}: all figures are numbers`, async () => {
      const { measure, text } = await import(`./${benchmark}-report.js`);
      const said = text(await measure(engine, 'smoke'));
      assert.match(said, /\d/);
      assert.doesNotMatch(said, /NaN|Infinity|undefined/);
    });
  }
}
