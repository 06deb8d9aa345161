/** Tiny benchmarks: every contender is right, and everything is measured, in Node and in Chromium. No time decides. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { contenders, plan, pretrainedPlan } from './plan.js';
import { bertReference } from './pretrained/bert-reference.js';
import { bytesOf, jsonOf, readTensors } from './pretrained/files.js';
import { llamaReference } from './pretrained/llama-reference.js';
import { minilmFiles } from './pretrained/tasks.js';
import { text } from './report.js';
import { benchmarks } from './run.js';

const engines = ['node', 'chromium'];

/** One test per contender of each row. */
function describeRows(title, benchmark, engine, sections) {
  describe(title, () => {
    let result;
    before(async () => {
      result = await benchmarks[benchmark].measure(engine, 'smoke');
    });
    test('all figures are numbers', () => {
      assert.doesNotMatch(text(benchmark, result), /NaN|Infinity|undefined/);
    });
    sections.forEach(({ id: section, rows }, s) => {
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
}

for (const engine of engines) {
  describeRows(`beside other libraries, ${engine}`, 'peers', engine, plan(engine, 'smoke'));
  describeRows(`pretrained models, ${engine}`, 'models', engine, pretrainedPlan(engine, 'smoke'));

  for (const benchmark of ['accuracy', 'kernels', 'start']) {
    test(`${benchmark}, ${engine}: all figures are numbers`, async () => {
      const said = text(benchmark, await benchmarks[benchmark].measure(engine, 'smoke'));
      assert.match(said, /\d/);
      assert.doesNotMatch(said, /NaN|Infinity|undefined/);
    });
  }
}

test('the reference for Llama goes on as transformers in float64', async () => {
  const [{ input_ids: ids, greedy }, config, weights] = await Promise.all([
    jsonOf('tests/golden/models/stories15M.json'),
    jsonOf('build/models/stories15M/config.json'),
    bytesOf('build/models/stories15M/model.safetensors'),
  ]);
  const found = llamaReference(readTensors(weights), config, ids, greedy.length - ids.length);
  assert.deepEqual(found.ids, greedy);
});

describe('the reference for BERT', () => {
  /** The golden file has seven digits. */
  const near = (found, { data }, tolerance) =>
    data.forEach((value, i) =>
      assert.ok(Math.abs(found[i] - value) <= tolerance, `${i}: ${found[i]}, ${value}`),
    );

  test('equals transformers in float64 on all sentences of minilm.json', async () => {
    const { config, weights } = await minilmFiles();
    const tensors = readTensors(weights);
    const { cases } = await jsonOf('tests/golden/models/minilm.json');
    assert.ok(cases.length > 0);
    for (const { input_ids: ids, attentions, last_hidden_state: last } of cases) {
      const found = bertReference(tensors, config, ids);
      near(found.weights, attentions, 1e-7);
      near(found.output, last, 1e-6);
    }
  });
});
